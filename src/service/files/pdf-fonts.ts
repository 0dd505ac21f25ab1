/**
 * Fonts of written PDFs: standard fonts, which every viewer has, and Liberation Sans for other characters. The file embeds
 * only the glyphs that it uses.
 */
import { getOrMake } from "../../engine/core/maps.ts";
import { fontFile } from "./pdf-assets.ts";
import type { File, Font, Lib, Page } from "./pdf-types.ts";
import { fontReader, TrueTypeFont } from "./true-type.ts";

type TextOptions = NonNullable<Parameters<Page["drawText"]>[1]>;

export interface Ruler {
  letters: readonly string[];
  /** In points, from character `start` up to `end`. */
  widthOf: (start: number, end: number) => number;
}

/** What a standard font knows. All files share it: a font has about 200 letters. */
interface Measures {
  known: ReadonlySet<number>;
  widths: Map<string, number>;
  kernings: Map<string, number>;
}

const measures = new Map<string, Measures>();

function measuresOf(font: Font): Measures {
  return { known: new Set(font.getCharacterSet()), widths: new Map(), kernings: new Map() };
}

export class Face {
  readonly standard: Font;
  readonly #measures: Measures;
  readonly #fallback: { font: Font; has: (code: number) => boolean } | undefined;
  readonly #draws: boolean;

  /** A face that does not draw only measures. */
  constructor(standard: Font, draws: boolean, fallback?: { font: Font; has: (code: number) => boolean }) {
    this.standard = standard;
    this.#draws = draws;
    this.#measures = getOrMake(measures, standard.name, () => measuresOf(standard));
    this.#fallback = fallback;
  }

  isStandard(text: string): boolean {
    return [...text].every((letter) => this.#measures.known.has(letter.codePointAt(0) as number));
  }

  /** Replaces characters that both fonts lack: by the base character without accents, or else by `?`. */
  clean(text: string): string {
    const has = (letter: string) => {
      const code = letter.codePointAt(0) as number;
      return this.#measures.known.has(code) || (this.#fallback?.has(code) ?? false);
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

  ruler(text: string, size: number): Ruler {
    const letters = [...text];
    const isStandard = this.isStandard(text);
    // Sums of widths with kerning up to each character, and the kerning before each.
    const ends = new Float64Array(letters.length + 1);
    const kernings = new Float64Array(letters.length + 1);
    for (const [i, letter] of letters.entries()) {
      const before = letters[i - 1];
      if (before !== undefined && isStandard) kernings[i] = this.#kerningOf(before, letter);
      ends[i + 1] = (ends[i] as number) + (kernings[i] as number) + this.#widthOfLetter(letter, isStandard);
    }
    const widthOf = (start: number, end: number) =>
      end > start ? (((ends[end] as number) - (ends[start] as number) - (kernings[start] as number)) * size) / 1000 : 0;
    return { letters, widthOf };
  }

  readonly #fallbackWidths = new Map<string, number>();

  #widthOfLetter(letter: string, isStandard: boolean): number {
    const fallback = !isStandard && this.#fallback?.has(letter.codePointAt(0) as number) ? this.#fallback.font : undefined;
    const widths = fallback ? this.#fallbackWidths : this.#measures.widths;
    return getOrMake(widths, letter, () => (fallback ?? this.standard).widthOfTextAtSize(letter, 1000));
  }

  #kerningOf(before: string, letter: string): number {
    const pair = before + letter;
    return getOrMake(this.#measures.kernings, pair, () => {
      const apart = this.#widthOfLetter(before, true) + this.#widthOfLetter(letter, true);
      return this.standard.widthOfTextAtSize(pair, 1000) - apart;
    });
  }

  /** `angle` is in degrees, counterclockwise. */
  draw(page: Page, text: string, options: TextOptions & { x: number; y: number; size: number }, angle = 0): void {
    if (!this.#draws) return;
    const { x, y, size } = options;
    let done = 0;
    for (const { font, text: part } of this.#runs(text)) {
      const along = (angle * Math.PI) / 180;
      page.drawText(part, { ...options, x: x + done * Math.cos(along), y: y + done * Math.sin(along), font });
      done += font.widthOfTextAtSize(part, size);
    }
  }

  #runs(text: string): { font: Font; text: string }[] {
    const fallback = this.#fallback;
    if (!fallback || this.isStandard(text)) return [{ font: this.standard, text }];
    const runs: { font: Font; text: string }[] = [];
    for (const letter of text) {
      const font = fallback.has(letter.codePointAt(0) as number) ? fallback.font : this.standard;
      const last = runs.at(-1);
      if (last?.font === font) last.text += letter;
      else runs.push({ font, text: letter });
    }
    return runs;
  }
}

function plain(text: string): string {
  return text.normalize("NFC").replace(/[\t\u00a0]/g, " ");
}

export interface Faces {
  plain: Face;
  bold: Face;
  hand: Face;
}

export async function facesFor(lib: Lib, file: File, text: string, draws = true): Promise<Faces> {
  const { Helvetica, HelveticaBold, TimesRomanItalic } = lib.StandardFonts;
  const [regular, bold, hand] = [
    await file.embedFont(Helvetica),
    await file.embedFont(HelveticaBold),
    await file.embedFont(TimesRomanItalic),
  ];
  const face = new Face(regular, draws);
  if (face.isStandard(plain(text).replace(/\n/g, "")))
    return { plain: face, bold: new Face(bold, draws), hand: new Face(hand, draws) };
  file.registerFontkit(fontReader as Parameters<File["registerFontkit"]>[0]);
  const [fallback, fallbackBold] = [await fallbackFont(file, "Regular"), await fallbackFont(file, "Bold")];
  // assumed: download.signature_font.
  return {
    plain: new Face(regular, draws, fallback),
    bold: new Face(bold, draws, fallbackBold),
    hand: new Face(hand, draws, fallback),
  };
}

const read = new Map<string, Promise<{ bytes: Uint8Array; has: (code: number) => boolean }>>();

async function fallbackFont(file: File, style: "Regular" | "Bold"): Promise<{ font: Font; has: (code: number) => boolean }> {
  const name = `LiberationSans-${style}.ttf`;
  const found = read.get(name) ?? load(name);
  read.set(name, found);
  const { bytes, has } = await found;
  return { font: await file.embedFont(bytes, { subset: true, customName: `DOCDBL+LiberationSans-${style}` }), has };
}

async function load(name: string): Promise<{ bytes: Uint8Array; has: (code: number) => boolean }> {
  const bytes = new Uint8Array(await fontFile(name));
  const font = new TrueTypeFont(bytes);
  return { bytes, has: (code) => font.has(code) };
}
