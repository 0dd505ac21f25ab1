/** What the journal keeps of large queries and many headers. */

const NAMES_MAX = 200;
const VALUES_MAX = 500;

export function keptQuery(query: string): Record<string, string[]> {
  const found = new Map<string, string[]>();
  let values = 0;
  for (const [name, value] of new URLSearchParams(query)) {
    const list = found.get(name);
    if (list) list.push(value);
    else if (found.size < NAMES_MAX) found.set(name, [value]);
    if (++values === VALUES_MAX) break;
  }
  return Object.fromEntries(found);
}

export function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const names = Object.keys(headers);
  return names.length <= NAMES_MAX ? headers : Object.fromEntries(Object.entries(headers).slice(0, NAMES_MAX));
}
