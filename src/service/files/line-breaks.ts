import type { Face, Ruler } from "./pdf-fonts.ts";

/** Breaks a text into lines of at most `width` points, and cuts longer words. Takes linear time. */
export function wrap(font: Face, size: number, text: string, width: number): string[] {
  return text.split("\n").flatMap((row) => wrapRow(font.ruler(font.clean(row), size), width));
}

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

/** The order of addition changes the last digits of a sum. */
const TOLERANCE = 1e-6;

function longestFit(start: number, max: number, fits: (start: number, end: number) => boolean): number {
  let [low, high] = [start + 1, max];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(start, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
