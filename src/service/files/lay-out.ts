/** Where the pages of a PDF that docdouble writes begin and end. */
import type { Words } from "./block-input.ts";
import { type PageText, readPdfText } from "./pdf-text.ts";
import { drawPdf, saved } from "./pdf-write.ts";

export interface TextLayout {
  /** Sizes in points. */
  pages: readonly { width: number; height: number }[];
  /** The text of each page, when it was asked for. */
  texts: readonly PageText[];
}

/** @throws FileError beyond the limits of a file */
export async function layOut({ words, reads }: { words: readonly Words[]; reads: boolean }): Promise<TextLayout> {
  const file = await drawPdf({ title: "", date: 0, words, isFinal: false }, reads);
  const pages = file.getPages().map((page) => page.getSize());
  return { pages, texts: reads ? await readPdfText(await saved(file)) : [] };
}
