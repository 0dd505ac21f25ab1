/**
 * Lists of rows kept in order, one for each key of an index and each declared order that somebody has asked for. A list
 * is sorted when it is first asked for and kept right from then on, so that a page costs what the page holds.
 */
import { compareText } from "../core/text.ts";
import type { Row } from "./collection.ts";

export type SortKey = string | number | null;

/** What rows are ordered by, most significant first; the id comes last by itself. */
export type OrderKey<R> = (row: R) => readonly SortKey[];

/** How many lists are kept at once; beyond it the one that was not used for longest goes. */
const LISTS_MAX = 64;

interface List<R> {
  keyOf: OrderKey<R>;
  rows: R[];
}

export class OrderedLists<R extends Row> {
  /** By index and key, then by order. */
  readonly #lists = new Map<string, Map<string, List<R>>>();
  #count = 0;

  clear(): void {
    this.#lists.clear();
    this.#count = 0;
  }

  /** The rows under `place` in the order called `name`; `rows` gives them when they are not listed yet. */
  get(place: string, name: string, keyOf: OrderKey<R>, rows: () => R[]): readonly R[] {
    const byOrder = this.#lists.get(place) ?? new Map<string, List<R>>();
    let list = byOrder.get(name);
    if (!list) {
      list = { keyOf, rows: sorted(rows(), keyOf) };
      byOrder.set(name, list);
      this.#count++;
    }
    // Last in the map is what was used last.
    this.#lists.delete(place);
    this.#lists.set(place, byOrder);
    while (this.#count > LISTS_MAX && this.#lists.size > 1) {
      const [oldest, lists] = this.#lists.entries().next().value as [string, Map<string, List<R>>];
      this.#lists.delete(oldest);
      this.#count -= lists.size;
    }
    return list.rows;
  }

  /** Tells that under `place` the row `before` has become `after`. */
  replace(place: string, before: R | undefined, after: R | undefined): void {
    for (const list of this.#lists.get(place)?.values() ?? []) {
      if (before) {
        const at = position(list, list.keyOf(before), before.id);
        if (list.rows[at]?.id !== before.id) throw new Error(`the list of ${place} has lost ${before.id}`);
        list.rows.splice(at, 1);
      }
      if (after) list.rows.splice(position(list, list.keyOf(after), after.id), 0, after);
    }
  }
}

/** The first position whose first key is not below `value`. */
export function lowerBound<R>(rows: readonly R[], keyOf: OrderKey<R>, value: SortKey): number {
  return search(rows, (row) => compareKeys(keyOf(row)[0] as SortKey, value));
}

function position<R extends Row>(list: List<R>, key: readonly SortKey[], id: string): number {
  return search(list.rows, (row) => compareAll(list.keyOf(row), key) || compareText(row.id, id));
}

function search<R>(rows: readonly R[], compare: (row: R) => number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle] as R) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A sorted copy; keys are worked out once for each row. */
function sorted<R extends Row>(rows: readonly R[], keyOf: OrderKey<R>): R[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort(compareKeyed)
    .map(({ row }) => row);
}

/** The first `count` rows of the order, or of its reverse, without sorting all the others. */
export function firstSorted<R extends Row>(rows: Iterable<R>, keyOf: OrderKey<R>, count: number, isReverse: boolean): R[] {
  const compare = isReverse ? compareReversed : compareKeyed;
  let best: Keyed<R>[] = [];
  let worst: Keyed<R> | undefined;
  for (const row of rows) {
    const keyed = { row, key: keyOf(row) };
    if (worst && compare(keyed, worst) > 0) continue;
    best.push(keyed);
    if (best.length < 4 * count) continue;
    best = best.sort(compare).slice(0, count);
    worst = best[count - 1];
  }
  return best
    .sort(compare)
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

/** assumed: what has no value comes last in this direction too; rows that the first key does not tell apart keep their order. */
function compareReversed<R extends Row>(a: Keyed<R>, b: Keyed<R>): number {
  const [left = null] = a.key;
  const [right = null] = b.key;
  const difference = left === null || right === null ? compareKeys(left, right) : compareKeys(right, left);
  return difference || compareKeyed(a, b);
}

/** The rows from `start` to `end` of an ordered list, in its order or in the reverse of it. */
export function* inOrder<R>(
  rows: readonly R[],
  keyOf: OrderKey<R>,
  start: number,
  end: number,
  isReverse: boolean,
): Generator<R, void, undefined> {
  const firstOf = (at: number) => keyOf(rows[at] as R)[0] as SortKey;
  const empty = isReverse ? Math.min(end, Math.max(start, lowerBound(rows, keyOf, null))) : start;
  for (let groupEnd = empty; groupEnd > start; ) {
    const key = firstOf(groupEnd - 1);
    const isAlone = groupEnd - 2 < start || compareKeys(firstOf(groupEnd - 2), key) !== 0;
    const groupStart = isAlone ? groupEnd - 1 : Math.max(start, lowerBound(rows, keyOf, key));
    for (let i = groupStart; i < groupEnd; i++) yield rows[i] as R;
    groupEnd = groupStart;
  }
  for (let i = empty; i < end; i++) yield rows[i] as R;
}

function compareAll(a: readonly SortKey[], b: readonly SortKey[]): number {
  for (let i = 0; i < a.length; i++) {
    const difference = compareKeys(a[i] as SortKey, b[i] as SortKey);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Nothing comes last, as in the order of a database. */
function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return compareText(String(a), String(b));
}
