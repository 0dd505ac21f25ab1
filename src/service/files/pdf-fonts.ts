/** The font of written PDFs: Liberation Sans, of which a file embeds only the letters that it uses. */
import { getOrMake } from "../../engine/core/maps.ts";
import { fontBytes } from "./pdf-assets.ts";
import type { File, Font, Page } from "./pdf-types.ts";

type TextOptions = NonNullable<Parameters<Page["drawText"]>[1]>;

export interface Ruler {
  letters: readonly string[];
  /** In points, from letter `start` up to `end`. */
  widthOf: (start: number, end: number) => number;
}

/** What all files share: the font as read, its letters, and their widths at a size of 1000. */
interface Source {
  bytes: Uint8Array;
  fontkit: Parameters<File["registerFontkit"]>[0];
  known: ReadonlySet<number>;
  widths: Map<string, number>;
}

export class Face {
  readonly font: Font;
  readonly #source: Source;
  readonly #draws: boolean;

  constructor(font: Font, source: Source, draws: boolean) {
    this.font = font;
    this.#source = source;
    this.#draws = draws;
  }

  /** Replaces letters that the font lacks: by the base letter without accents, or else by `?`. */
  clean(text: string): string {
    const has = (letter: string) => this.#source.known.has(letter.codePointAt(0) as number);
    return [...text.normalize("NFC").replace(/[\t\u00a0]/g, " ")]
      .map((letter) => {
        if (has(letter)) return letter;
        const bare = letter.normalize("NFD").replace(/\p{M}/gu, "");
        return bare !== "" && [...bare].every(has) ? bare : "?";
      })
      .join("");
  }

  widthOf(text: string, size: number): number {
    return ([...text].reduce((width, letter) => width + this.#widthOfLetter(letter), 0) * size) / 1000;
  }

  ruler(text: string, size: number): Ruler {
    const letters = [...text];
    const ends = [0];
    for (const letter of letters) ends.push((ends.at(-1) as number) + this.#widthOfLetter(letter));
    return { letters, widthOf: (start, end) => (((ends[end] as number) - (ends[start] as number)) * size) / 1000 };
  }

  #widthOfLetter(letter: string): number {
    return getOrMake(this.#source.widths, letter, () => this.font.widthOfTextAtSize(letter, 1000));
  }

  draw(page: Page, text: string, options: TextOptions): void {
    if (this.#draws) page.drawText(text, { ...options, font: this.font });
  }
}

let source: Promise<Source> | undefined;

/** A face that does not draw only measures. */
export async function faceOf(file: File, draws = true): Promise<Face> {
  source ??= read();
  const { bytes, fontkit } = await source;
  file.registerFontkit(fontkit);
  const font = await file.embedFont(bytes, { subset: true, customName: "DOUBLE+LiberationSans" });
  return new Face(font, await source, draws);
}

async function read(): Promise<Source> {
  const { create } = await import("@cantoo/fontkit");
  const bytes = await fontBytes();
  const font = create(bytes) as import("@cantoo/fontkit").Font;
  // Each letter is one glyph, as it was measured. The shapes of scripts and ligatures would take most of the time of a file.
  const letterByLetter = Object.assign(font, { layout: (text: string) => ({ glyphs: font.glyphsForString(text) }) });
  return { bytes, fontkit: { create: () => letterByLetter }, known: new Set(font.characterSet), widths: new Map() };
}
