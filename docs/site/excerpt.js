// biome-ignore-all lint/correctness/noUnusedVariables: theme-changes.ts puts this function into a component of VitePress
/**
 * The words of a section around the first match, at most two lines of a search result. Runs in the browser.
 * @param {string} text the plain text of the section
 * @param {string[]} terms the words of the index that matched
 */
function excerpt(text, terms) {
  const LENGTH = 170;
  const BEFORE = 30;
  const plain = text.replaceAll("\u200b", "").replaceAll(/\s+/g, " ").trim();
  const lower = plain.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = first <= BEFORE ? 0 : plain.indexOf(" ", first - BEFORE) + 1;
  const end = plain.length <= begin + LENGTH ? plain.length : plain.lastIndexOf(" ", begin + LENGTH);
  return `${begin > 0 ? "… " : ""}${plain.slice(begin, end)}${end < plain.length ? " …" : ""}`;
}
