/** Reads the text of PDF pages with its places. The library behind it is loaded when the first file comes. */
import { CharacterMaps } from "./pdf-assets.ts";

export interface TextRun {
  text: string;
  /** In points from the page's top left corner. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PageText {
  /** All runs one after the other, lines apart. */
  text: string;
  /** The run that the letter at `index` stands in, cut to what begins there and is `length` letters long. */
  at(index: number, length: number): TextRun | undefined;
}

export async function readPdfText(bytes: Uint8Array): Promise<PageText[]> {
  const { getDocument, PagesMapper, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const options = { verbosity: VerbosityLevel.ERRORS, useSystemFonts: false, CMapReaderFactory: CharacterMaps };
  const task = getDocument({ data: new Uint8Array(bytes), ...options });
  try {
    const file = await task.promise;
    const pages: PageText[] = [];
    for (let i = 1; i <= file.numPages; i++) {
      // It has one count of pages for all files that it reads.
      PagesMapper.instance.pagesNumber = file.numPages;
      const page = await file.getPage(i);
      const { height } = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      const runs: (TextRun & { start: number })[] = [];
      let text = "";
      for (const item of items) {
        if (!("str" in item)) continue;
        const [, , , , x = 0, y = 0] = item.transform as number[];
        runs.push({ text: item.str, x, y: height - y - item.height, width: item.width, height: item.height, start: text.length });
        text += item.str + (item.hasEOL ? "\n" : "");
      }
      pages.push({ text, at: (index, length) => cut(runs, index, length) });
    }
    return pages;
  } finally {
    await task.destroy();
  }
}

function cut(runs: readonly (TextRun & { start: number })[], index: number, length: number): TextRun | undefined {
  const run = runs.findLast((one) => one.start <= index);
  if (!run) return undefined;
  const letter = run.width / Math.max(1, run.text.length);
  return { ...run, x: run.x + (index - run.start) * letter, width: length * letter };
}
