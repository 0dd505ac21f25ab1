/** An array whose items are made when something first reads it. Most rows are never asked for their lists. */

/** `make` is one function for many lists, because a closure for each list would stay in memory with it. */
export function lazyList<Item, Source>(make: (source: Source) => Item[], source: Source): Item[] {
  return new Proxy<Item[]>([], new LazyItems(make, source));
}

/** Fills the target before anything sees it. So the proxy looks like an ordinary array. */
class LazyItems<Item, Source> implements ProxyHandler<Item[]> {
  #make: (source: Source) => Item[];
  #source: Source | undefined;

  constructor(make: (source: Source) => Item[], source: Source) {
    this.#make = make;
    this.#source = source;
  }

  #filled(target: Item[]): Item[] {
    const source = this.#source;
    if (source === undefined) return target;
    this.#source = undefined;
    for (const item of this.#make(source)) target.push(item);
    return target;
  }

  /** Methods are bound to the target. Otherwise each step of a loop would call this trap. */
  get(target: Item[], key: string | symbol): unknown {
    const value = Reflect.get(this.#filled(target), key);
    return typeof value === "function" && key !== "constructor" ? value.bind(target) : value;
  }

  has(target: Item[], key: string | symbol): boolean {
    return Reflect.has(this.#filled(target), key);
  }

  ownKeys(target: Item[]): (string | symbol)[] {
    return Reflect.ownKeys(this.#filled(target));
  }

  getOwnPropertyDescriptor(target: Item[], key: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#filled(target), key);
  }

  preventExtensions(target: Item[]): boolean {
    return Reflect.preventExtensions(this.#filled(target));
  }
}

/** A deep copy of JSON values, with lazy lists as ordinary arrays. `structuredClone` refuses proxies. */
export function plainCopy<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainCopy) as Value;
  const copy = { ...value } as Record<string, unknown>;
  for (const key of Object.keys(copy)) copy[key] = plainCopy(copy[key]);
  return copy as Value;
}
