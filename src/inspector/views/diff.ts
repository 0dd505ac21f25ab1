/** Two versions of something, part by part. */
export interface Pair {
  name: string;
  /** Undefined when only the other side has it. */
  was: string | undefined;
  is: string | undefined;
}

export function pairsOf(before: ReadonlyMap<string, string> | undefined, after: ReadonlyMap<string, string>): Pair[] {
  const names = new Set([...(before?.keys() ?? []), ...after.keys()]);
  return [...names].map((name) => ({ name, was: before?.get(name), is: after.get(name) }));
}
