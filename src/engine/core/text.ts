const PREFIX_MIN = 4;
const WORD_MAX = 200;

/**
 * Returns the first of these:
 * - a candidate whose part after the last dot is `word`, as `document.sent` for `sent`
 * - the candidate nearest to `word` within `distanceMax` edits
 * - the shortest candidate that begins with `word`
 *
 * `distanceMax` defaults to half of the word, and at least 2.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  distanceMax = Math.max(2, Math.floor(word.length / 2)),
): string | undefined {
  if (word.length > WORD_MAX) return undefined;
  const lower = word.toLowerCase();
  const words = wordsOf(word);
  let best: string | undefined;
  let longer: string | undefined;
  let bestDistance = distanceMax + 1;
  for (const candidate of candidates) {
    if (candidate.toLowerCase().endsWith(`.${lower}`) || wordsOf(candidate) === words) return candidate;
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
    const isLonger = best === undefined && word.length >= PREFIX_MIN && candidate.toLowerCase().startsWith(lower);
    if (isLonger && (longer === undefined || candidate.length < longer.length)) longer = candidate;
  }
  return best ?? longer;
}

/** The words of a name in any order, so that `documentDetails` leads to `detailsDocument`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s._-]+/)
    .sort()
    .join(" ");
}

/** The end of a message about an unknown name. Empty if no name is near. */
export function hint(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

export function noSuch(what: string, name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return `there is no ${what} ${name}; ${near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`}`;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  let row: number[] = new Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      const edits = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, (previous[j - 1] as number) + cost);
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least >= limit) return limit;
    [previous, row] = [row, previous];
  }
  return previous[b.length] as number;
}

/** `Slow client 2!` gives `slow-client-2`. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** Compares by code unit, so the order is the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Header values are one line of printable ASCII. At most 1000 characters. */
export function headerSafe(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 1000);
}

/** A terminal would obey control characters and direction marks, so this escapes them as \u. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As `withoutControls`, for a text of several lines. */
export function linesWithoutControls(text: string): string {
  return text.split("\n").map(withoutControls).join("\n");
}

const CONTROLS = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

export const JSON_DEPTH_MAX = 100;

export function isDeep(text: string, max: number = JSON_DEPTH_MAX): boolean {
  if (text.length <= max || !hasBrackets(text, max)) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === MARK) i = endOfText(text, i);
    else if (code === OPEN_LIST || code === OPEN_MAP) {
      if (++depth > max) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_MAP) depth--;
  }
  return false;
}

function hasBrackets(text: string, count: number): boolean {
  let found = 0;
  for (const bracket of "[{")
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (++found > count) return true;
  return false;
}

const [MARK, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === MARK) return i;
  }
  return text.length;
}

/** A program may throw anything, also an object that cannot become a text. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "an error without a message";
  }
}

export function parseLeniently(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path such as `items[0].name` as a JSON pointer. The empty path is the whole body. */
export function pointerOf(path: string): string {
  if (path === "") return "";
  const names = escapePointer(path).replaceAll(/\[(\d+)\]/g, ".$1");
  // The path of a member of a list that is the whole body begins with its place.
  return `/${names.replace(/^\./, "").replaceAll(".", "/")}`;
}

/** One step of a JSON pointer. */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Whether the text has the parts of `glob` in their order, where `*` stands for any text. Takes linear time. */
export function fitsGlob(text: string, glob: string): boolean {
  const parts = glob.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === glob;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

/** Decodes the escapes of an address. Bytes outside UTF-8 stay escaped, because a client may send any. */
export function decodeAddress(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Escapes a text for an address. A half of a letter of two units, which a client may send becomes U+FFFD. */
export function encodeAddress(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
