/**
 * The latest transactions of a store with their instants and calls. So a read can answer as the store was some time ago, and a page can show
 * a row before and after each change. Rows are never changed in place, so a replaced row costs a reference and no copy.
 */
import { getOrMake } from "../core/maps.ts";
import type { Row } from "./row.ts";

/** More transactions than this let the oldest go. A later question about that time has no answer. */
const TRANSACTIONS_MAX = 5000;

/** A write with the row that it replaced. */
export interface Written {
  collection: string;
  id: string;
  /** Undefined for a new row. */
  before?: Row | undefined;
}

interface Transaction {
  /** Epoch ms. */
  at: number;
  /** The call's id in the journal. Null for changes that no call made. */
  call: string | null;
  written: readonly Written[];
}

export interface HistoryState {
  /** Oldest first. */
  transactions: readonly Transaction[];
  /** The instant of the latest transaction that is gone. Null when none is. */
  gone: number | null;
}

/** A row before and after one transaction, with everything that the transaction wrote. */
export interface Version<R extends Row = Row> extends Transaction {
  before: R | undefined;
  after: R;
}

/** The rows of a collection that differed at an instant, by id. Undefined stands for a row that did not exist. */
export type Differences = ReadonlyMap<string, ReadonlyMap<string, Row | undefined>>;

export class History {
  #transactions: Transaction[] = [];
  #gone: number | null = null;
  #isPaused = false;

  note(at: number, call: string | null, written: readonly Written[]): void {
    if (this.#isPaused) return;
    this.#transactions.push({ at, call, written });
    // Drops a tenth at once, because each drop moves all later ones.
    if (this.#transactions.length <= TRANSACTIONS_MAX * 1.1) return;
    const dropped = this.#transactions.splice(0, this.#transactions.length - TRANSACTIONS_MAX);
    this.#gone = Math.max(...dropped.map((one) => one.at), this.#gone ?? Number.NEGATIVE_INFINITY);
  }

  /** The writes of `change` have no instant: their rows count as if they had always been there. */
  pause<Result>(change: () => Result): Result {
    const before = this.#isPaused;
    this.#isPaused = true;
    try {
      return change();
    } finally {
      this.#isPaused = before;
    }
  }

  get state(): HistoryState {
    return { transactions: [...this.#transactions], gone: this.#gone };
  }

  set state({ transactions, gone }: HistoryState) {
    this.#transactions = [...transactions];
    this.#gone = gone;
  }

  /** What differed just after the writes of `instant`. Undefined when writes after it are gone. */
  at(instant: number): Differences | undefined {
    if (this.#gone !== null && instant < this.#gone) return undefined;
    const found = new Map<string, Map<string, Row | undefined>>();
    for (const { at, written } of this.#transactions) {
      if (at <= instant) continue;
      for (const { collection, id, before } of written) {
        const rows = getOrMake(found, collection, () => new Map<string, Row | undefined>());
        if (!rows.has(id)) rows.set(id, before);
      }
    }
    return found;
  }

  /** Oldest first. The first one is not the row's first when older ones are gone. */
  versionsOf(collection: string, present: Row | undefined): Version[] {
    const found: Version[] = [];
    let after = present;
    for (let i = this.#transactions.length - 1; i >= 0 && after; i--) {
      const transaction = this.#transactions[i] as Transaction;
      const id = after.id;
      // The first write of a row knows the row before the transaction.
      const first = transaction.written.find((one) => one.id === id && one.collection === collection);
      if (!first) continue;
      found.push({ ...transaction, before: first.before, after });
      after = first.before;
    }
    return found.reverse();
  }
}
