/** Search by words, in any order, also by parts of words and with slips. The same text and query give the same answer. */

/** A shorter word must be the beginning of a word, and a single letter a whole word. */
const PART_LETTERS_MIN = 3;
/** A shorter word must match without a slip. */
const SLIP_LETTERS_MIN = 5;
/** The share of the trigrams of a word that another word must have. */
const LIKE_MIN = 0.6;

/** The words of a text in lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export type TextSearch = (text: string) => boolean;

/** Whether a text has each word of the query. A query without words finds what contains it. */
export function fullTextSearch(query: string): TextSearch {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return (text) => text.toLowerCase().includes(query.toLowerCase());
  return (text) => {
    const present = [...new Set(wordsOf(text))];
    return wanted.every((word) => present.some((one) => isPart(word, one) || isAlike(word, one)));
  };
}

function isPart(word: string, other: string): boolean {
  if (word.length >= PART_LETTERS_MIN) return other.includes(word);
  return word.length === 1 ? other === word : other.startsWith(word);
}

function isAlike(word: string, other: string): boolean {
  if (word.length < SLIP_LETTERS_MIN || other.length < SLIP_LETTERS_MIN) return false;
  const [wanted, present] = [trigramsOf(word), trigramsOf(other)];
  const shared = [...wanted].filter((one) => present.has(one)).length;
  return shared / Math.max(wanted.size, present.size) >= LIKE_MIN;
}

function trigramsOf(word: string): Set<string> {
  return new Set(Array.from({ length: word.length - 2 }, (_, i) => word.slice(i, i + 3)));
}
