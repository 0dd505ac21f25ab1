/** Counts of rows that a limit deleted. */
import { type Counted, Tally } from "../core/tally.ts";
import type { Row } from "../store/row.ts";

/** What survives of a deleted row: its collection, and the members that expectations ask for. */
export interface RowTraits {
  collection: string;
  event?: string;
  status?: string | null;
  state?: string;
  attempts?: number;
  kind?: string;
  channel?: string;
}

export type GoneRows = Tally<RowTraits>;
export type CountedRows = Counted<RowTraits>[];

export function rowTraits(collection: string, row: Row): RowTraits {
  const { event, status, state, attempts, kind, channel } = row as Row & Record<string, unknown>;
  if (collection === "deliveries")
    return { collection, event, status, state, attempts: (attempts as unknown[]).length } as RowTraits;
  return collection === "emails" ? ({ collection, kind, channel } as RowTraits) : { collection };
}

/** By collection. */
export function totals(rows: GoneRows): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { collection, count } of rows.all()) sums[collection] = (sums[collection] ?? 0) + count;
  return sums;
}

export function newGoneRows(): GoneRows {
  return new Tally<RowTraits>(JSON.stringify);
}
