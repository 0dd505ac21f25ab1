/** Patterns of paths: `*` is one or more signs of a segment, `**` any text. In routes, `{id}` is a segment. */

type Token = string | typeof SOME | typeof ANY;

const SOME = 1;
const ANY = 2;

/** Whether some path fits the pattern and the route. A trailing slash is optional in both. */
export function canFit(pattern: string, route: string): boolean {
  return overlap(tokensOf(pattern), tokensOf(route.replace(/\{\w+\}/g, "*")));
}

function tokensOf(pattern: string): Token[] {
  return pattern
    .replace(/(?<=.)\/$/, "")
    .split(/(\*\*|\*)/)
    .flatMap((part): Token[] => (part === "**" ? [ANY] : part === "*" ? [SOME] : [...part]));
}

/** Each state is a place in both lists. A place before a wild card may repeat it. */
function overlap(one: readonly Token[], other: readonly Token[]): boolean {
  const seen = new Set<number>();
  const open: [number, number][] = [[0, 0]];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const [i, j] = state;
    const key = i * (other.length + 1) + j;
    if (seen.has(key)) continue;
    seen.add(key);
    if (i === one.length && j === other.length) return true;
    const [a, b] = [one[i], other[j]];
    if (a === ANY) open.push([i + 1, j]);
    if (b === ANY) open.push([i, j + 1]);
    if (a === undefined || b === undefined || !share(a, b)) continue;
    // Both take the same sign. A wild card may take the next sign too.
    for (const next of a === SOME || a === ANY ? [i, i + 1] : [i + 1])
      for (const beside of b === SOME || b === ANY ? [j, j + 1] : [j + 1]) open.push([next, beside]);
  }
  return false;
}

/** Some sign fits both. */
function share(a: Token, b: Token): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b;
  const [sign, wild] = typeof a === "string" ? [a, b] : [b, a];
  return typeof sign !== "string" || wild === ANY || sign !== "/";
}
