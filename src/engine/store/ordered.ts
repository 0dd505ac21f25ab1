import { compareText } from "../core/text.ts";
import type { Row } from "./row.ts";

export type SortKey = string | number | null;

export type OrderKey<R> = (row: R) => readonly SortKey[];

export class OrderedList<R extends Row> {
  readonly slots: number[];
  readonly #rows: readonly (R | undefined)[];
  readonly #keyOf: OrderKey<R>;
  readonly #compare: (a: Keyed<R>, b: Keyed<R>) => number;
  readonly #isReverse: boolean;

  /** @param rows the rows by slot; the list reads them on every change */
  constructor(slots: readonly number[], rows: readonly (R | undefined)[], keyOf: OrderKey<R>, isReverse: boolean) {
    this.#rows = rows;
    this.#keyOf = keyOf;
    this.#isReverse = isReverse;
    this.#compare = isReverse ? compareReversed : compareKeyed;
    this.slots = slots
      .map((slot) => ({ slot, row: rows[slot] as R, key: keyOf(rows[slot] as R) }))
      .sort(this.#compare)
      .map(({ slot }) => slot);
  }

  isKept(before: R, after: R): boolean {
    return compareAll(this.#keyOf(before), this.#keyOf(after)) === 0;
  }

  add(slot: number): void {
    this.slots.splice(this.#position(this.#rows[slot] as R), 0, slot);
  }

  delete(slot: number): void {
    const at = this.#position(this.#rows[slot] as R);
    if (this.slots[at] !== slot) throw new Error(`a list has lost ${this.#rows[slot]?.id}`);
    this.slots.splice(at, 1);
  }

  range(from: number, to: number): { start: number; end: number } {
    const isBefore = this.#isReverse ? (key: number) => key >= to : (key: number) => key < from;
    const isWithin = this.#isReverse ? (key: number) => key >= from : (key: number) => key < to;
    const bound = (passes: (key: number) => boolean) =>
      this.#search((slot) => {
        const [key = null] = this.#keyOf(this.#rows[slot] as R);
        return key !== null && passes(key as number) ? -1 : 0;
      });
    const start = bound(isBefore);
    return { start, end: Math.max(start, bound(isWithin)) };
  }

  #position(row: R): number {
    const keyed = this.#keyed(row);
    const compare = (slot: number) => this.#compare(this.#keyed(this.#rows[slot] as R), keyed);
    const { slots } = this;
    // A new row usually has the latest date, so it belongs to one end of the list.
    if (slots.length > 0 && !this.#isReverse && compare(slots.at(-1) as number) < 0) return slots.length;
    if (slots.length > 0 && this.#isReverse && compare(slots[0] as number) >= 0) return 0;
    return this.#search(compare);
  }

  #keyed(row: R): Keyed<R> {
    return { row, key: this.#keyOf(row) };
  }

  #search(compare: (slot: number) => number): number {
    let low = 0;
    let high = this.slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.slots[middle] as number) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function firstSorted<R extends Row>(rows: readonly R[], keyOf: OrderKey<R>, count: number, isReverse: boolean): R[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort(isReverse ? compareReversed : compareKeyed)
    .slice(0, count)
    .map(({ row }) => row);
}

interface Keyed<R> {
  row: R;
  key: readonly SortKey[];
}

function compareKeyed<R extends Row>(a: Keyed<R>, b: Keyed<R>): number {
  return compareAll(a.key, b.key) || compareText(a.row.id, b.row.id);
}

/** A missing value is last in both directions. */
function compareReversed<R extends Row>(a: Keyed<R>, b: Keyed<R>): number {
  const [left = null] = a.key;
  const [right = null] = b.key;
  const difference = left === null || right === null ? compareKeys(left, right) : compareKeys(right, left);
  return difference || compareKeyed(a, b);
}

function compareAll(a: readonly SortKey[], b: readonly SortKey[]): number {
  for (let i = 0; i < a.length; i++) {
    const difference = compareKeys(a[i] as SortKey, b[i] as SortKey);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return compareText(String(a), String(b));
}
