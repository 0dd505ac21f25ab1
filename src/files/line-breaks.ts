/** Breaks texts into lines. */
import type { Face, Ruler } from "./pdf-fonts.ts";

/** Lines that fit `width`; a word that is too long by itself is cut. Takes time in proportion to the length of the text. */
export function wrap(font: Face, size: number, text: string, width: number): string[] {
  return text.split("\n").flatMap((row) => wrapRow(font.ruler(font.clean(row), size), width));
}

/** A line is a stretch of the row: it starts with a word, or within one that is cut. */
function wrapRow({ letters, widthOf }: Ruler, width: number): string[] {
  const lines: string[] = [];
  const fits = (start: number, end: number) => widthOf(start, end) <= width + TOLERANCE;
  let [start, end] = [0, 0];
  const flush = () => lines.push(letters.slice(start, end).join(""));
  for (let from = 0, to = 0; from <= letters.length; from = to + 1) {
    to = letters.indexOf(" ", from);
    if (to < 0) to = letters.length;
    if (end > start && fits(start, to)) {
      end = to;
      continue;
    }
    if (end > start) flush();
    [start, end] = [from, to];
    while (to - start > 1 && !fits(start, to)) {
      end = longestFit(start, to - 1, fits);
      flush();
      [start, end] = [end, to];
    }
  }
  flush();
  return lines;
}

/** Sums of widths differ in their last digits by the order in which they are added. */
const TOLERANCE = 1e-6;

/** Where the longest stretch ends that fits: after one letter at least, at `most` at most. */
function longestFit(start: number, most: number, fits: (start: number, end: number) => boolean): number {
  let [low, high] = [start + 1, most];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(start, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
