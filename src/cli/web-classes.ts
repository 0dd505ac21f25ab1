/**
 * Node loads its whole implementation of `fetch` with the first read of `Headers`, `Request` or `Response`: a tenth of the time of a
 * start. hono's server extends these classes when it is loaded, and usual calls never create one. So this process has functions
 * in their place, which become the classes with the first instance.
 */
const NAMES = ["Headers", "Request", "Response"] as const;

type WebClass = new (...input: unknown[]) => object;

/** Call it before anything reads these members of `globals`. It leaves a class that Node has loaded already. */
export function deferWebClasses(globals: object): void {
  for (const name of NAMES) {
    const read = Object.getOwnPropertyDescriptor(globals, name)?.get;
    if (read) defer(globals, name, () => read.call(globals) as WebClass);
  }
}

function defer(globals: object, name: string, read: () => WebClass): void {
  let loaded: WebClass | undefined;
  function load(): WebClass {
    if (loaded) return loaded;
    // Reading replaces the global, which may be a class that extends the stand-in by now.
    const current = Object.getOwnPropertyDescriptor(globals, name) as PropertyDescriptor;
    loaded = read();
    Object.defineProperty(globals, name, current);
    Object.setPrototypeOf(prototype, loaded.prototype);
    Object.setPrototypeOf(StandIn, loaded);
    StandIn.prototype = loaded.prototype;
    delete (StandIn as { [Symbol.hasInstance]?: unknown })[Symbol.hasInstance];
    return loaded;
  }
  function StandIn(...input: unknown[]): object {
    return Reflect.construct(load(), input, new.target as unknown as WebClass);
  }
  const prototype = StandIn.prototype as object;
  Object.defineProperty(StandIn, "name", { value: name });
  const get = (functions: object, key: PropertyKey): unknown => Reflect.get(key in functions ? functions : load(), key);
  Object.setPrototypeOf(StandIn, new Proxy(Function.prototype, { get }));
  Object.defineProperty(StandIn, Symbol.hasInstance, { configurable: true, value: isInstance });
  /** A plain object is no instance. Only the class itself knows about objects of Node, such as answers of `fetch`. */
  function isInstance(this: WebClass, value: unknown): boolean {
    const isOrdinary = Function.prototype[Symbol.hasInstance].call(this, value);
    if (isOrdinary || this !== (StandIn as unknown) || typeof value !== "object" || value === null) return isOrdinary;
    return Object.getPrototypeOf(value) !== Object.prototype && value instanceof load();
  }
  Object.defineProperty(globals, name, { value: StandIn, configurable: true, writable: true });
}
