/**
 * The latest writes of a store with their instants, so that a read can answer as the store was some time ago. Rows are never changed in
 * place, so a replaced row costs a reference and no copy.
 */
import type { Row } from "./row.ts";

/** More writes than this let the oldest go. A later question about that time has no answer. */
const WRITES_MAX = 5000;

export interface Write {
  /** Epoch ms. */
  at: number;
  collection: string;
  id: string;
  /** The row that the write replaced. Undefined for a new row. */
  before?: Row | undefined;
}

export interface HistoryState {
  writes: readonly Write[];
  /** The instant of the latest write that is gone. Null when none is. */
  gone: number | null;
}

/** The rows of a collection that differed at an instant, by id. Undefined stands for a row that did not exist. */
export type Differences = ReadonlyMap<string, ReadonlyMap<string, Row | undefined>>;

export class History {
  readonly #now: () => number;
  #writes: Write[] = [];
  /** Rows that were written at the latest instant. Only the first write of an instant counts. */
  readonly #latest = new Set<string>();
  #latestAt: number | undefined;
  #isPaused = false;
  /** The instant of the latest write that is gone. */
  #gone = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(collection: string, id: string, before: Row | undefined): void {
    if (this.#isPaused) return;
    const at = this.#now();
    // Only a question about an earlier instant needs this write, and that one has no answer. So a frozen clock keeps no endless list.
    if (at <= this.#gone) return;
    if (at !== this.#latestAt) {
      this.#latest.clear();
      this.#latestAt = at;
    }
    const key = `${collection} ${id}`;
    if (this.#latest.has(key)) return;
    this.#latest.add(key);
    this.#writes.push({ at, collection, id, before });
    // Drops a tenth at once, because each drop moves all later writes.
    if (this.#writes.length <= WRITES_MAX + WRITES_MAX / 10) return;
    const dropped = this.#writes.splice(0, this.#writes.length - WRITES_MAX);
    this.#gone = Math.max(this.#gone, ...dropped.map((one) => one.at));
    if (at > this.#gone) return;
    this.#writes = [];
    this.#latest.clear();
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

  clear(): void {
    this.#writes = [];
    this.#latest.clear();
    this.#latestAt = undefined;
    this.#gone = Number.NEGATIVE_INFINITY;
  }

  get state(): HistoryState {
    return { writes: this.#writes, gone: Number.isFinite(this.#gone) ? this.#gone : null };
  }

  set state({ writes, gone }: HistoryState) {
    this.clear();
    this.#writes = [...writes];
    this.#gone = gone ?? Number.NEGATIVE_INFINITY;
    this.#latestAt = writes.at(-1)?.at;
    for (const { at, collection, id } of writes) if (at === this.#latestAt) this.#latest.add(`${collection} ${id}`);
  }

  /** What differed just after the writes of `instant`. Undefined when writes after it are gone. */
  at(instant: number): Differences | undefined {
    if (instant < this.#gone) return undefined;
    const found = new Map<string, Map<string, Row | undefined>>();
    for (const { at, collection, id, before } of this.#writes) {
      if (at <= instant) continue;
      let rows = found.get(collection);
      if (!rows) {
        rows = new Map();
        found.set(collection, rows);
      }
      if (!rows.has(id)) rows.set(id, before);
    }
    return found;
  }
}
