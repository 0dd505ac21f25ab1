/**
 * Node loads its whole implementation of `fetch` with the first read of `Headers`, `Request` or `Response`: a tenth of the time of a
 * start. hono's server extends these classes when it is loaded, and usual calls never create one. So this process has functions
 * in their place, which become the classes with the first instance.
 */
const NAMES = ["Headers", "Request", "Response"] as const;

type WebClass = new (...input: unknown[]) => object;

/**
 * Call it before anything reads these members of `globals`. It leaves a class that Node has loaded already. Returns a function that
 * loads all of them: a stand-in makes a call slower.
 */
export function deferWebClasses(globals: object): () => void {
  const loads = NAMES.map((name) => {
    const read = Object.getOwnPropertyDescriptor(globals, name)?.get;
    return read && defer(globals, name, () => read.call(globals) as WebClass);
  });
  return () => {
    for (const load of loads) load?.();
  };
}

/** Returns a function that loads the class. */
function defer(globals: object, name: string, read: () => WebClass): () => WebClass {
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
    // Deleting the member would make checks of instances slower.
    Object.defineProperty(StandIn, Symbol.hasInstance, { value: undefined });
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
  /** Every call checks some plain objects. Only the class itself knows about objects of Node, such as answers of `fetch`. */
  function isInstance(this: WebClass, value: unknown): boolean {
    if (this !== (StandIn as unknown)) return Function.prototype[Symbol.hasInstance].call(this, value);
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) === Object.prototype) return false;
    return Object.prototype.isPrototypeOf.call(prototype, value) || value instanceof load();
  }
  Object.defineProperty(globals, name, { value: StandIn, configurable: true, writable: true });
  return load;
}
