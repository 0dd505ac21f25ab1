interface MapLike<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of `key`, made and stored on first use. */
export function getOrMake<K, V extends {}>(map: MapLike<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Drops the oldest entry of a full map, so that another entry fits. */
export function makeRoom<K>(map: Map<K, unknown>, max: number): void {
  if (map.size >= max) map.delete(map.keys().next().value as K);
}
