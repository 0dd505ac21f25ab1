/** Long words stay in lines of at least this many characters. A line of the site has more on a screen of 390 pixels. */
const WORD_MAX = 40;
/** Characters after or before which a browser breaks a line inside a word. */
const BREAKS = /[-/?|!})\]{[(…]/;

interface Piece {
  attributes: string;
  text: string;
}

/** Whether a browser could break a line inside `text`, although it fits into a line. `text` may have HTML entities. */
export function isBreakable(text: string): boolean {
  const shown = text.replaceAll(/&[#\w]+;/g, "x");
  return shown.length <= WORD_MAX && BREAKS.test(shown.slice(0, -1) + shown.slice(-1).replaceAll(/\W/g, ""));
}

/**
 * Keeps the words of a highlighted block whole where a line breaks, such as options and paths of commands. A browser also breaks lines at
 * hyphens and slashes.
 */
export function wholeWords(block: string): string {
  return block.replaceAll(
    /(<span class="line">)(.*?)(<\/span>)(?=\n|<\/code>|$)/g,
    (whole, begin: string, line: string, end: string) => {
      const pieces = piecesOf(line);
      return pieces === undefined ? whole : `${begin}${htmlOf(pieces)}${end}`;
    },
  );
}

/** The colored pieces of a line. `undefined` when the line holds something else. */
function piecesOf(line: string): Piece[] | undefined {
  const found = [...line.matchAll(/<span ?([^>]*)>([^<]*)<\/span>|([^<]+)/g)];
  if (found.map(([part]) => part).join("") !== line) return undefined;
  return found.map(([, attributes = "", colored, plain]) => ({ attributes, text: colored ?? plain ?? "" }));
}

function htmlOf(pieces: readonly Piece[]): string {
  const parts = pieces.flatMap(({ attributes, text }) =>
    (text.match(/\s+|\S+/g) ?? []).map((one) => ({ attributes: /\S/.test(one) ? attributes : "", text: one })),
  );
  const words: Piece[][] = [];
  for (const part of parts) {
    const last = words.at(-1);
    const continues = last !== undefined && /\S/.test(part.text) && /\S/.test(last.at(-1)?.text ?? "");
    if (continues) last.push(part);
    else words.push([part]);
  }
  let plain: Piece[] = [];
  let html = "";
  for (const word of words) {
    if (isBreakable(word.map(({ text }) => text).join(""))) {
      html += `${joined(plain)}${whole(joined(word))}`;
      plain = [];
    } else plain.push(...word);
  }
  return html + joined(plain);
}

/** Marks the only element of a word, or puts the elements of a word into one. */
function whole(word: string): string {
  const isSingle = word.startsWith("<span ") && word.indexOf("</span>") === word.length - "</span>".length;
  return isSingle ? word.replace("<span ", '<span class="whole" ') : `<span class="whole">${word}</span>`;
}

/** Neighbors of the same color share an element again. */
function joined(pieces: readonly Piece[]): string {
  const merged: Piece[] = [];
  for (const one of pieces) {
    const last = merged.at(-1);
    // White space has no color.
    if (last?.attributes === one.attributes || (last && !/\S/.test(one.text))) last.text += one.text;
    else merged.push({ ...one });
  }
  return merged.map(({ attributes, text }) => (attributes === "" ? text : `<span ${attributes}>${text}</span>`)).join("");
}
