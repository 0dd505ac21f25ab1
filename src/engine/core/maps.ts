interface MapLike<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

export function getOrMake<K, V extends {}>(map: MapLike<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Drops the oldest entry of a full map. */
export function makeRoom<K>(map: Map<K, unknown>, max: number): void {
  if (map.size >= max) map.delete(map.keys().next().value as K);
}

/** The member of an object. A name from outside may be `constructor` or `toString`, which every object inherits. */
export function own<V>(map: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** In the order in which the keys come first. */
export function groupBy<K, T>(list: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) getOrMake(groups, keyOf(one), () => []).push(one);
  return groups;
}

export function countBy<K, T>(list: Iterable<T>, keyOf: (one: T) => K): Map<K, number> {
  return new Map([...groupBy(list, keyOf)].map(([key, all]) => [key, all.length]));
}
