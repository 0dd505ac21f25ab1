/**
 * Node loads its whole implementation of `fetch` when code first reads the global `Headers`, `Request` or `Response`. That takes 50 ms, as
 * long as the rest of a short command. hono's server reads these classes at once, to extend them, but most calls never create an instance.
 * So the library of the command gets a stand-in for each class. It loads the class when code creates the first instance or reads a
 * static member. The globals stay untouched: since Node 22, looking at one already loads it.
 */
const NAMES = ["Headers", "Request", "Response"] as const;

type WebClass = new (...input: unknown[]) => object;

export interface WebClasses {
  /** The stand-ins, by name. hono's server replaces two of them by its own subclasses. */
  classes: Record<string, unknown>;
  /** Loads all classes, because stand-ins make calls slower. */
  load(): void;
}

/** @param read - returns a class of Node by its name, and may load it */
export function deferredWebClasses(read: (name: string) => unknown): WebClasses {
  const standIns = NAMES.map((name) => defer(name, () => read(name) as WebClass));
  return {
    classes: Object.fromEntries(standIns.map(({ StandIn }) => [StandIn.name, StandIn])),
    load() {
      for (const one of standIns) one.load();
    },
  };
}

function defer(name: string, read: () => WebClass): { StandIn: { readonly name: string }; load: () => WebClass } {
  let loaded: WebClass | undefined;
  function load(): WebClass {
    if (loaded) return loaded;
    loaded = read();
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
  return { StandIn, load };
}
