import { FAULTS } from "./fault-records.ts";
import type { Cell, CellOutcome, ExploreReport, FaultName } from "./report.ts";
import { groupBy } from "../../engine/core/maps.ts";

/** Calls alike, such as polls, share one row. A fault with several readings has several cells; the worst comes first. */
export interface MatrixRow {
  operation: string;
  first: number;
  last: number;
  cells: ReadonlyMap<FaultName, readonly Cell[]>;
}

export interface Matrix {
  faults: readonly FaultName[];
  rows: readonly MatrixRow[];
}

const WORST_FIRST: readonly CellOutcome[] = ["broke", "warned", "survived", "not_tried", "left_out", "impossible"];

/** The reason of a cell that the patterns of the user leave out. */
export const NOT_ASKED = "The patterns of --only and --skip leave it out.";

export const SIGNS: Readonly<Record<CellOutcome, string>> = {
  survived: "✓",
  warned: "!",
  broke: "✗",
  impossible: "·",
  left_out: "–",
  not_tried: "?",
};

export const OUTCOME_WORDS: Readonly<Record<CellOutcome, string>> = {
  survived: "survived",
  warned: "warned",
  broke: "broke",
  impossible: "impossible",
  left_out: "left out",
  not_tried: "not tried",
};

/**
 * Rows follow the clean run; then come events and recipients. Leaves out what is impossible everywhere or excluded by patterns.
 */
export function matrixOf({ cells: all, clean }: Pick<ExploreReport, "cells" | "clean">): Matrix {
  const cells = all.filter(({ why }) => why !== NOT_ASKED);
  const isShown = ({ outcome }: Cell) => outcome !== "impossible";
  const order = new Map(clean.calls.map(({ operation, nth }, i) => [`${operation} ${nth}`, i]));
  const places = groupBy(cells, ({ operation, nth }) => `${operation} ${nth}`);
  const rank = (key: string) => order.get(key) ?? order.size;
  const sorted = [...places].sort(([a], [b]) => rank(a) - rank(b));
  const faults = FAULTS.filter((fault) => cells.some((cell) => cell.fault === fault && isShown(cell)));
  const rows = sorted
    .filter(([, list]) => list.some(isShown))
    .map(([, list]): MatrixRow => {
      const { operation = "", nth = 0 } = list[0] ?? {};
      return { operation, first: nth, last: nth, cells: byFault(list) };
    });
  return { faults, rows: merged(rows) };
}

function byFault(cells: readonly Cell[]): Map<FaultName, Cell[]> {
  const map = groupBy(cells, ({ fault }) => fault);
  for (const list of map.values()) list.sort((a, b) => WORST_FIRST.indexOf(a.outcome) - WORST_FIRST.indexOf(b.outcome));
  return map;
}

export function outcomeAt(row: MatrixRow, fault: FaultName): CellOutcome | undefined {
  return row.cells.get(fault)?.[0]?.outcome;
}

function merged(rows: readonly MatrixRow[]): MatrixRow[] {
  const result: MatrixRow[] = [];
  const latest = new Map<string, MatrixRow>();
  for (const row of rows) {
    const before = latest.get(row.operation);
    if (before?.last === row.first - 1 && signature(before) === signature(row) && !signature(row).includes("broke")) {
      before.last = row.last;
      continue;
    }
    const copy = { ...row };
    latest.set(row.operation, copy);
    result.push(copy);
  }
  return result;
}

function signature(row: MatrixRow): string {
  return FAULTS.map((fault) => outcomeAt(row, fault) ?? "").join();
}

export function rowName({ operation, first, last }: MatrixRow): string {
  return `${operation} ${first === last ? first : `${first}–${last}`}`;
}
