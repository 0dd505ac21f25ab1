/** How the search of the site ranks sections. The page and a test use the same settings. */
import { SEARCH_WORDS } from "./search-words.ts";

/** Words of a question that say nothing about its subject. */
const EMPTY_WORDS =
  "a an and are at be can do does for from get got have how i if in is it me my of on or should that the there this to use used using was what when where which why will with you your";

interface Stored {
  titles?: readonly string[];
}

/**
 * How much a section of a page counts. Guides come before references, and references before decisions. The beginning of a page comes
 * before its other sections. A page comes first for its words in search-words.ts. This runs in the browser, so it uses nothing from outside.
 *
 * @param id the address of a section, such as `/docs/guides/polling#wait-for-a-document`
 * @param term the word of the index that matched
 */
export function rankOf(id: string, term: string, { titles }: Stored, words: Readonly<Record<string, string>>): number {
  const section = id.replace(/^\/docs\//, "").replace(/\.html(?=#|$)/, "");
  const [path = ""] = section.split("#");
  const isBeginning = (titles?.length ?? 0) === 0;
  const own = (isBeginning ? words[path === "" ? "index" : path] : undefined) ?? words[section] ?? "";
  const answers = own.split(" ").includes(term) ? 4 : 1;
  if (/^(changelog|decisions|readability|spec-map|publishing|architecture|coverage)/.test(path)) return 0.1;
  const beginning = isBeginning ? 1.5 : 1;
  if (/^(assumptions|admin-api|fixtures|performance|security)/.test(path)) return 0.3 * beginning * answers;
  if (/^(lint|limits)/.test(path)) return 0.8 * beginning * answers;
  return (/^(guides\/|tutorial|recipes|explore)/.test(path) ? 1.3 : 1) * beginning * answers;
}

/** The word to look up, or nothing for an empty word. This runs in the browser too. */
export function termOf(word: string, emptyWords: string): string | null {
  const term = word.toLowerCase();
  return emptyWords.split(" ").includes(term) ? null : term;
}

/** How far a word may differ. A number has no slips: 401 is not 404. This runs in the browser too. */
function fuzzinessOf(term: string): number | false {
  return /\d/.test(term) ? false : 0.2;
}

/** The settings of a search, for a program that runs here. */
export const searchOptions = {
  fuzzy: fuzzinessOf,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: (id: string, term: string, stored: Stored) => rankOf(id, term, stored, SEARCH_WORDS),
  processTerm: (word: string) => termOf(word, EMPTY_WORDS),
};

/** These settings as program text for the page. */
export const SEARCH_PROGRAM = `fuzzy: ${fuzzinessOf},
          boost: ${JSON.stringify(searchOptions.boost)},
          boostDocument: (id, term, stored) => (${rankOf})(id, term, stored, ${JSON.stringify(SEARCH_WORDS)}),
          processTerm: (word) => (${termOf})(word, ${JSON.stringify(EMPTY_WORDS)}),`;

/**
 * Adds the words of a page to what the search reads.
 *
 * @param page the path of the page without an ending, such as `guides/polling`
 * @param rendered the page as HTML
 * @throws when a section with words does not exist
 */
export function withSearchWords(page: string, rendered: string): string {
  return Object.entries(SEARCH_WORDS).reduce((text, [section, words]) => {
    const [path, anchor] = section.split("#");
    if (path !== page) return text;
    const heading = anchor === undefined ? /<h1[^>]*>.*?<\/h1>/s : new RegExp(`<h\\d id="${anchor}"[^>]*>.*?</h\\d>`, "s");
    if (!heading.test(text)) throw new Error(`docs/site/search-words.ts names ${section}, which does not exist`);
    return text.replace(heading, (whole) => `${whole}<p>${words}</p>`);
  }, rendered);
}
