/**
 * The latest transactions of a store, so that a page can show a row before and after each change. Rows are never changed in place,
 * so a transaction costs one reference. They live in memory only.
 */
import type { Row } from "./row.ts";

const TRANSACTIONS_MAX = 5000;

export interface Written {
  collection: string;
  id: string;
  /** Undefined for a new row. */
  before: Row | undefined;
}

interface Transaction {
  /** The call's id in the journal. Null for changes that no call made. */
  call: string | null;
  written: readonly Written[];
}

/** A row before and after one transaction, with everything that the transaction wrote. */
export interface Version<R extends Row = Row> extends Transaction {
  before: R | undefined;
  after: R;
}

export class Versions {
  #kept: Transaction[] = [];

  note(call: string | null, written: readonly Written[]): void {
    this.#kept.push({ call, written });
    // Drops a tenth at once, because each drop moves all later ones.
    if (this.#kept.length > TRANSACTIONS_MAX * 1.1) this.#kept.splice(0, this.#kept.length - TRANSACTIONS_MAX);
  }

  /** Oldest first. The first one is not the row's first when older ones are gone. */
  of(collection: string, present: Row | undefined): Version[] {
    const found: Version[] = [];
    let after = present;
    for (let i = this.#kept.length - 1; i >= 0 && after; i--) {
      const { call, written } = this.#kept[i] as Transaction;
      const id = after.id;
      // The first write of a row knows the row before the transaction.
      const first = written.find((one) => one.id === id && one.collection === collection);
      if (!first) continue;
      found.push({ call, written, before: first.before, after });
      after = first.before;
    }
    return found.reverse();
  }

  clear(): void {
    this.#kept = [];
  }
}
