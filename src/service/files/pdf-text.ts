import { LIMITS, requireAtMost } from "./limits.ts";
import { CharacterMaps } from "./pdf-assets.ts";

export interface PageText {
  text: string;
  /**
   * Six numbers for each run: start in `text`, length, x, y, width and height, in points from the top left corner. Plain numbers,
   * as a page has thousands of runs and all of them pass between processes.
   */
  runs: Float64Array;
}

export interface TextBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

const STRIDE = 6;

export async function readPdfText(bytes: Uint8Array): Promise<PageText[]> {
  const { getDocument, PagesMapper, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const options = { verbosity: VerbosityLevel.ERRORS, useSystemFonts: false, CMapReaderFactory: CharacterMaps };
  const task = getDocument({ data: new Uint8Array(bytes), ...options });
  try {
    const file = await task.promise;
    const pages: PageText[] = [];
    let letters = 0;
    let count = 0;
    requireAtMost(file.numPages, LIMITS.pages, "pages");
    for (let i = 1; i <= file.numPages; i++) {
      // The library has one page count for all files that it reads.
      PagesMapper.instance.pagesNumber = file.numPages;
      const page = await file.getPage(i);
      const { height } = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      const runs: number[] = [];
      let text = "";
      for (const item of items) {
        if (!("str" in item)) continue;
        const [, , , , x = 0, y = 0] = item.transform as number[];
        runs.push(text.length, item.str.length, x, height - y - item.height, item.width, item.height);
        text += item.str + (item.hasEOL ? "\n" : "");
      }
      letters += text.length;
      count += runs.length / STRIDE;
      requireAtMost(letters, LIMITS.letters, "letters of text");
      requireAtMost(count, LIMITS.runs, "pieces of text");
      pages.push({ text, runs: Float64Array.from(runs) });
      page.cleanup();
    }
    return pages;
  } finally {
    await task.destroy();
  }
}

export function boxOfText({ runs }: PageText, index: number, length: number): TextBox | undefined {
  let [low, high] = [0, runs.length / STRIDE];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle * STRIDE] as number) <= index) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return undefined;
  const [start, letters, x, y, width, height] = runs.subarray((low - 1) * STRIDE, low * STRIDE) as unknown as number[];
  const letter = (width as number) / Math.max(1, letters as number);
  return {
    x: (x as number) + (index - (start as number)) * letter,
    y: y as number,
    width: length * letter,
    height: height as number,
  };
}
