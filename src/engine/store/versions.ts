/**
 * The latest versions of the rows of some collections, so that a page can show a row before and after each change. Rows are never changed
 * in place, so a version costs a reference and no copy. Versions live in memory only.
 *
 * They stand in one list in the order of the changes. Each write adds one, and a page seldom asks. So a new version costs nearly nothing,
 * and a search walks the list.
 */
import type { Row } from "./row.ts";

/** One row shows its latest versions, and a store keeps the latest of all rows. */
const ROW_MAX = 200;
const ALL_MAX = 5000;

/** What changed the row. */
export interface Cause {
  /** Epoch ms. */
  at: number;
  /** The call's id in the journal. Null for changes that no call made. */
  call: string | null;
  /** The number of calls before the change. */
  calls: number;
}

/** One change of a row. */
export interface Version<R extends Row = Row> extends Cause {
  /** Undefined for a new row. */
  before: R | undefined;
  after: R;
  /** Ids of the rows that changed in the same transaction, by collection. Only collections that the table names. */
  beside: Readonly<Record<string, readonly string[]>>;
}

interface Kept {
  collection: string;
  cause: Cause;
  before: Row | undefined;
  /** Undefined for a deleted row, which forgets its versions. */
  after: Row | undefined;
  beside: readonly { collection: string; id: string }[];
}

export class Versions {
  #kept: Kept[] = [];

  note(version: Kept): void {
    this.#kept.push(version);
    // Drops a tenth at once, because each drop moves all later versions.
    if (this.#kept.length > ALL_MAX + ALL_MAX / 10) this.#kept.splice(0, this.#kept.length - ALL_MAX);
  }

  /** Oldest first. The first one is not the row's first when older ones are gone. */
  of(collection: string, id: string): readonly Version[] {
    const found: Version[] = [];
    for (const one of this.#kept) {
      if (one.collection !== collection || (one.after ?? one.before)?.id !== id) continue;
      if (one.after) found.push({ ...one.cause, before: one.before, after: one.after, beside: idsOf(one.beside) });
      else found.length = 0;
    }
    return found.slice(-ROW_MAX);
  }

  clear(): void {
    this.#kept = [];
  }
}

function idsOf(rows: Kept["beside"]): Record<string, string[]> {
  const ids: Record<string, string[]> = {};
  for (const { collection, id } of rows) {
    ids[collection] ??= [];
    ids[collection].push(id);
  }
  return ids;
}
