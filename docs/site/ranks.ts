/**
 * How much a section of a page counts in the search of the documentation. Guides come before references, and references before decisions.
 * The beginning of a page comes before its other sections. The search calls this in the browser, so it uses nothing from outside.
 */
export function rankOf(id: string, _term: string, { titles }: { titles?: readonly string[] } = {}): number {
  const [path = ""] = id.replace(/^\/docs\//, "").split("#");
  if (/^(changelog|decisions|readability|spec-map|publishing|architecture|coverage)/.test(path)) return 0.1;
  const beginning = (titles?.length ?? 0) === 0 ? 1.5 : 1;
  if (/^(assumptions|admin-api|fixtures|performance|security)/.test(path)) return 0.3 * beginning;
  if (/^(lint|limits)/.test(path)) return 0.8 * beginning;
  return /^(guides\/|tutorial|recipes|explore)/.test(path) ? 1.3 * beginning : beginning;
}
