import type { Candidate } from "./derive.ts";
import { placeText } from "./faults.ts";
import type { Cell } from "./report.ts";

/** Sorts the cells as the candidates of the clean run. Cells that no candidate has come last. */
export function inOrder(cells: Cell[], candidates: readonly Candidate[]): Cell[] {
  const order = new Map(candidates.map(({ fault }, i) => [placeText(fault), i]));
  const place = (cell: Cell) => order.get(placeText(cell)) ?? Number.POSITIVE_INFINITY;
  return cells.sort((a, b) => place(a) - place(b));
}
