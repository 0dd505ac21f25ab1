/**
 * The letters of a written PDF: the fonts that every viewer has, and for letters that those lack a font of the same widths
 * that is put into the file, as many of its letters as are used.
 */
import { pdfAsset } from "./pdf-assets.ts";
import type { File, Font, Lib, Page } from "./pdf-types.ts";
import { fontReader, TrueTypeFont } from "./true-type.ts";

type TextOptions = NonNullable<Parameters<Page["drawText"]>[1]>;

export interface Ruler {
  letters: readonly string[];
  /** The width of the letters from `start` up to `end`. */
  widthOf: (start: number, end: number) => number;
}

/** One style of letters. */
export class Face {
  readonly standard: Font;
  readonly #known: ReadonlySet<number>;
  readonly #wide: { font: Font; has: (code: number) => boolean } | undefined;

  constructor(standard: Font, wide?: { font: Font; has: (code: number) => boolean }) {
    this.standard = standard;
    this.#known = new Set(standard.getCharacterSet());
    this.#wide = wide;
  }

  /** Whether every viewer has all its letters. */
  isStandard(text: string): boolean {
    return [...text].every((letter) => this.#known.has(letter.codePointAt(0) as number));
  }

  /** The text in letters that there are: marks are dropped from the others, and what is left becomes `?`. */
  clean(text: string): string {
    const has = (letter: string) => {
      const code = letter.codePointAt(0) as number;
      return this.#known.has(code) || (this.#wide?.has(code) ?? false);
    };
    return [...plain(text)]
      .map((letter) => {
        if (has(letter)) return letter;
        const bare = letter.normalize("NFD").replace(/\p{M}/gu, "");
        return bare !== "" && [...bare].every(has) ? bare : "?";
      })
      .join("");
  }

  widthOf(text: string, size: number): number {
    return this.#runs(text).reduce((width, run) => width + run.font.widthOfTextAtSize(run.text, size), 0);
  }

  /** Measures stretches of one text, each in the same short time. */
  ruler(text: string, size: number): Ruler {
    const letters = [...text];
    const isStandard = this.isStandard(text);
    /** Up to each letter, with what the letters before it move together; and that move alone. */
    const ends = new Float64Array(letters.length + 1);
    const moves = new Float64Array(letters.length + 1);
    for (const [i, letter] of letters.entries()) {
      const before = letters[i - 1];
      if (before !== undefined && isStandard) moves[i] = this.#moveOf(before, letter);
      ends[i + 1] = (ends[i] as number) + (moves[i] as number) + this.#widthOfLetter(letter, isStandard);
    }
    const widthOf = (start: number, end: number) =>
      end > start ? (((ends[end] as number) - (ends[start] as number) - (moves[start] as number)) * size) / 1000 : 0;
    return { letters, widthOf };
  }

  readonly #widths = new Map<string, number>();
  readonly #moves = new Map<string, number>();

  /** At size 1000. */
  #widthOfLetter(letter: string, isStandard: boolean): number {
    const key = isStandard ? letter : ` ${letter}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      const wide = !isStandard && this.#wide?.has(letter.codePointAt(0) as number) ? this.#wide.font : this.standard;
      width = wide.widthOfTextAtSize(letter, 1000);
      this.#widths.set(key, width);
    }
    return width;
  }

  /** How much nearer two letters are than their widths say, at size 1000. */
  #moveOf(before: string, letter: string): number {
    const pair = before + letter;
    let move = this.#moves.get(pair);
    if (move === undefined) {
      const apart = this.#widthOfLetter(before, true) + this.#widthOfLetter(letter, true);
      move = this.standard.widthOfTextAtSize(pair, 1000) - apart;
      this.#moves.set(pair, move);
    }
    return move;
  }

  /** Draws a line, `angle` degrees upward from left to right. */
  draw(page: Page, text: string, options: TextOptions & { x: number; y: number; size: number }, angle = 0): void {
    const { x, y, size } = options;
    let done = 0;
    for (const { font, text: part } of this.#runs(text)) {
      const along = (angle * Math.PI) / 180;
      page.drawText(part, { ...options, x: x + done * Math.cos(along), y: y + done * Math.sin(along), font });
      done += font.widthOfTextAtSize(part, size);
    }
  }

  /** The text by the fonts that have its letters: in one font where one has them all. */
  #runs(text: string): { font: Font; text: string }[] {
    const wide = this.#wide;
    if (!wide || this.isStandard(text)) return [{ font: this.standard, text }];
    const runs: { font: Font; text: string }[] = [];
    for (const letter of text) {
      const font = wide.has(letter.codePointAt(0) as number) ? wide.font : this.standard;
      const last = runs.at(-1);
      if (last?.font === font) last.text += letter;
      else runs.push({ font, text: letter });
    }
    return runs;
  }
}

/** Composed letters, and one kind of space. */
function plain(text: string): string {
  return text.normalize("NFC").replace(/[\t\u00a0]/g, " ");
}

export interface Faces {
  plain: Face;
  bold: Face;
  hand: Face;
}

/** The faces for a file that will show `text`. */
export async function facesFor(lib: Lib, file: File, text: string): Promise<Faces> {
  const { Helvetica, HelveticaBold, TimesRomanItalic } = lib.StandardFonts;
  const [regular, bold, hand] = [
    await file.embedFont(Helvetica),
    await file.embedFont(HelveticaBold),
    await file.embedFont(TimesRomanItalic),
  ];
  const face = new Face(regular);
  if (face.isStandard(plain(text).replace(/\n/g, ""))) return { plain: face, bold: new Face(bold), hand: new Face(hand) };
  file.registerFontkit(fontReader as Parameters<File["registerFontkit"]>[0]);
  const [wide, wideBold] = [await wideFont(file, "Regular"), await wideFont(file, "Bold")];
  // assumed: a name that is typed as a signature may stand in upright letters where the slanted ones lack some.
  return { plain: new Face(regular, wide), bold: new Face(bold, wideBold), hand: new Face(hand, wide) };
}

const read = new Map<string, Promise<{ bytes: Uint8Array; has: (code: number) => boolean }>>();

async function wideFont(file: File, style: "Regular" | "Bold"): Promise<{ font: Font; has: (code: number) => boolean }> {
  const name = `LiberationSans-${style}.ttf`;
  const found = read.get(name) ?? load(name);
  read.set(name, found);
  const { bytes, has } = await found;
  return { font: await file.embedFont(bytes, { subset: true, customName: `DOCDBL+LiberationSans-${style}` }), has };
}

async function load(name: string): Promise<{ bytes: Uint8Array; has: (code: number) => boolean }> {
  const found = await pdfAsset(name);
  if (!found) throw new Error(`no font ${name}`);
  const bytes = new Uint8Array(found);
  const font = new TrueTypeFont(bytes);
  return { bytes, has: (code) => font.has(code) };
}
