/**
 * Node loads its whole implementation of `fetch` when code first reads the global `Headers`, `Request` or `Response`. That takes a tenth of
 * the time of a start. hono's server reads these globals at once, to extend the classes, but most calls never create an instance. So a
 * stand-in replaces each class, and loads it when code creates the first instance or reads a static member.
 */
const NAMES = ["Headers", "Request", "Response"] as const;

type WebClass = new (...input: unknown[]) => object;

/**
 * Call this before other code reads these members of `globals`. Classes that Node has loaded already stay. Returns a function that loads
 * all classes, because stand-ins make calls slower.
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

/** Replaces one class by its stand-in. Returns a function that loads the class. */
function defer(globals: object, name: string, read: () => WebClass): () => WebClass {
  let loaded: WebClass | undefined;
  function load(): WebClass {
    if (loaded) return loaded;
    // `read` overwrites the global. By now the global may be a class that extends the stand-in, so this restores it.
    const current = Object.getOwnPropertyDescriptor(globals, name) as PropertyDescriptor;
    loaded = read();
    Object.defineProperty(globals, name, current);
    Object.setPrototypeOf(prototype, loaded.prototype);
    Object.setPrototypeOf(StandIn, loaded);
    StandIn.prototype = loaded.prototype;
    // With `undefined`, `instanceof` works as usual. Deleting the member would make it slower.
    Object.defineProperty(StandIn, Symbol.hasInstance, { value: undefined });
    return loaded;
  }
  function StandIn(...input: unknown[]): object {
    return Reflect.construct(load(), input, new.target as unknown as WebClass);
  }
  const prototype = StandIn.prototype as object;
  Object.defineProperty(StandIn, "name", { value: name });
  // Static members, such as `Response.error`, load the class.
  const get = (functions: object, key: PropertyKey): unknown => Reflect.get(key in functions ? functions : load(), key);
  Object.setPrototypeOf(StandIn, new Proxy(Function.prototype, { get }));
  Object.defineProperty(StandIn, Symbol.hasInstance, { configurable: true, value: isInstance });
  /**
   * Each call checks plain objects with `instanceof`, which must not load the class. Objects that Node made, such as answers of `fetch`,
   * need the class. Subclasses inherit this method, and keep the usual check.
   */
  function isInstance(this: WebClass, value: unknown): boolean {
    if (this !== (StandIn as unknown)) return Function.prototype[Symbol.hasInstance].call(this, value);
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) === Object.prototype) return false;
    return Object.prototype.isPrototypeOf.call(prototype, value) || value instanceof load();
  }
  Object.defineProperty(globals, name, { value: StandIn, configurable: true, writable: true });
  return load;
}
