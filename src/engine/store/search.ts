/**
 * Pages of a collection, at a cost that depends on the page size and little on the number of rows. Each condition becomes a bit
 * set with one bit per row. A page walks a sorted list and tests the bits of its rows. Lists and sets are built on first use and
 * updated from then on.
 */
import { firstSorted, OrderedList, type OrderKey } from "./ordered.ts";
import { countBits, hasBit, intersect, setBit, SlotSet, slotsOf } from "./slot-set.ts";
import { TextIndex } from "./text-index.ts";
import type { Row } from "./row.ts";

export type Place<I> = readonly [index: I, key: string];

export interface Query<I, O> {
  /** The place that contains every possible match. The page walks its lists. */
  within: Place<I>;
  id?: string;
  /** Conditions: a match is in at least one place of each entry of `all`, in none of `none`, and in all `ranges`. */
  all: readonly (readonly Place<I>[])[];
  none: readonly Place<I>[];
  ranges: readonly { order: O; from: number; to: number }[];
  text: string;
  order: O;
  isReverse: boolean;
  first: number;
  count: number;
}

export interface Searchable<R, I, O extends string> {
  get(id: string): R | undefined;
  keys(index: I, key: string): ReadonlySet<string>;
  readonly orders: { readonly [K in O]: OrderKey<R> };
  readonly textOf: ((row: R) => string) | undefined;
}

export interface Move<I> {
  index: I;
  old: readonly string[];
  fresh: readonly string[];
}

const SCAN_MAX = 200;
/** Testing one row costs about as much as skipping this many entries of a list. */
const INDEX_COST = 100;
/** The cache holds at most this many lists and sets. Beyond them the least recently used place is dropped. */
const CACHE_MAX = 128;

interface CacheEntry<R extends Row> {
  lists: Map<string, OrderedList<R>>;
  set?: SlotSet;
}

export class Search<R extends Row, I extends string, O extends string> {
  readonly #source: Searchable<R, I, O>;
  readonly #slots = new Map<string, number>();
  readonly #rows: (R | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #cache = new Map<string, CacheEntry<R>>();
  #cacheSize = 0;
  #texts: TextIndex | undefined;

  constructor(source: Searchable<R, I, O>, rows: Iterable<R>) {
    this.#source = source;
    for (const row of rows) this.#slots.set(row.id, this.#rows.push(row) - 1);
  }

  replace(before: R | undefined, after: R | undefined, moves: readonly Move<I>[]): void {
    const id = (before ?? after)?.id as string;
    const slot = this.#slots.get(id) ?? this.#free.pop() ?? this.#rows.length;
    const isKept = (list: OrderedList<R>, move: Move<I>, key: string) =>
      before && after && move.old.includes(key) && move.fresh.includes(key) && list.isKept(before, after);
    const joins: OrderedList<R>[] = [];
    for (const move of moves) {
      for (const key of move.old) {
        const cached = this.#cache.get(nameOf(move.index, key));
        if (!move.fresh.includes(key)) cached?.set?.delete(slot);
        for (const list of cached?.lists.values() ?? []) if (!isKept(list, move, key)) list.delete(slot);
      }
      for (const key of move.fresh) {
        const cached = this.#cache.get(nameOf(move.index, key));
        if (!move.old.includes(key)) cached?.set?.add(slot);
        for (const list of cached?.lists.values() ?? []) if (!isKept(list, move, key)) joins.push(list);
      }
    }
    this.#rows[slot] = after;
    if (!before) this.#slots.set(id, slot);
    if (!after) {
      this.#slots.delete(id);
      this.#free.push(slot);
    }
    for (const list of joins) list.add(slot);
    if (this.#texts) this.#texts.replace(slot, before && this.#textOf(before), after && this.#textOf(after));
  }

  page(query: Query<I, O>): R[] {
    const few = this.#fewIn(query);
    if (few) return this.#sortedPage(few, query);
    const { slots, start, end } = this.#stretch(query);
    const bits = this.#bitsOf(query);
    if (!bits) {
      const first = start + query.first;
      const last = Math.min(end, first + query.count);
      const rows: R[] = [];
      for (let i = first; i < last; i++) rows.push(this.#rows[slots[i] as number] as R);
      return rows;
    }
    const found = countBits(bits);
    if (found <= SCAN_MAX && found * INDEX_COST < end - start) {
      return this.#sortedPage(
        slotsOf(bits).map((slot) => this.#rows[slot] as R),
        query,
      );
    }
    const page: R[] = [];
    let skipped = 0;
    for (let i = start; i < end && page.length < query.count; i++) {
      const slot = slots[i] as number;
      if (!hasBit(bits, slot)) continue;
      const row = this.#rows[slot] as R;
      if (query.text !== "" && !this.#textOf(row).includes(query.text)) continue;
      if (skipped < query.first) skipped++;
      else page.push(row);
    }
    return page;
  }

  #fewIn(query: Query<I, O>): readonly R[] | undefined {
    if (query.id !== undefined) {
      const row = this.#source.get(query.id);
      return row ? [row] : [];
    }
    // The list of all rows in this order stays sorted from page to page.
    if (query.all.length === 0 && query.text === "") return undefined;
    const [smallest] = [[query.within], ...query.all]
      .map((places) => places.map((place) => this.#source.keys(...place)))
      .map((sets) => ({ sets, size: sets.reduce((sum, set) => sum + set.size, 0) }))
      .sort((a, b) => a.size - b.size);
    if (smallest && smallest.size <= SCAN_MAX) {
      const ids = new Set(smallest.sets.flatMap((set) => [...set]));
      return Array.from(ids, (id) => this.#source.get(id) as R);
    }
    const [holding] = query.text === "" ? [] : this.#textIndex().holding(query.text);
    if (holding && holding.size <= SCAN_MAX) return holding.slots().map((slot) => this.#rows[slot] as R);
    return undefined;
  }

  #sortedPage(rows: readonly R[], query: Query<I, O>): R[] {
    const matching = rows.filter((row) => this.#matches(row, query));
    return firstSorted(matching, this.#source.orders[query.order], query.first + query.count, query.isReverse).slice(query.first);
  }

  #matches(row: R, query: Query<I, O>): boolean {
    const isIn = (place: Place<I>) => this.#source.keys(...place).has(row.id);
    return (
      isIn(query.within) &&
      query.all.every((places) => places.some(isIn)) &&
      !query.none.some(isIn) &&
      query.ranges.every(({ order, from, to }) => {
        const [key = null] = this.#source.orders[order](row);
        return key !== null && (key as number) >= from && (key as number) < to;
      }) &&
      (query.text === "" || this.#textOf(row).includes(query.text))
    );
  }

  #stretch(query: Query<I, O>): { slots: readonly number[]; start: number; end: number } {
    const list = this.#list(query.within, query.order, query.isReverse);
    let start = 0;
    let end = list.slots.length;
    for (const { order, from, to } of query.ranges) {
      if (order !== query.order) continue;
      const range = list.range(from, to);
      start = Math.max(start, range.start);
      end = Math.min(end, range.end);
    }
    return { slots: list.slots, start, end };
  }

  #bitsOf(query: Query<I, O>): Uint32Array | undefined {
    const length = (this.#rows.length + 31) >>> 5;
    let bits: Uint32Array | undefined;
    const narrow = (others: Uint32Array, isComplement = false) => {
      bits ??= new Uint32Array(length).fill(-1);
      intersect(bits, others, isComplement);
    };
    for (const places of query.all) {
      const [first = EMPTY, ...others] = places.map((place) => this.#set(place));
      narrow(others.length === 0 ? first.bits() : join([first, ...others], length));
    }
    for (const place of query.none) narrow(this.#set(place).bits(), true);
    for (const range of query.ranges) {
      if (range.order === query.order) continue;
      const list = this.#list(query.within, range.order, false);
      const { slots } = list;
      const { start, end } = list.range(range.from, range.to);
      const isComplement = end - start > slots.length / 2;
      const others = new Uint32Array(length);
      if (isComplement) {
        for (let i = 0; i < start; i++) setBit(others, slots[i] as number);
        for (let i = end; i < slots.length; i++) setBit(others, slots[i] as number);
      } else for (let i = start; i < end; i++) setBit(others, slots[i] as number);
      narrow(others, isComplement);
    }
    if (query.text !== "") for (const set of this.#textIndex().holding(query.text)) narrow(set.bits());
    return bits;
  }

  #list(place: Place<I>, order: O, isReverse: boolean): OrderedList<R> {
    const { lists } = this.#cached(place);
    const name = isReverse ? `-${order}` : order;
    let list = lists.get(name);
    if (!list) {
      list = new OrderedList(this.#slotsAt(place), this.#rows, this.#source.orders[order], isReverse);
      lists.set(name, list);
      this.#grow();
    }
    return list;
  }

  #set(place: Place<I>): SlotSet {
    const cached = this.#cached(place);
    if (!cached.set) {
      cached.set = new SlotSet();
      for (const slot of this.#slotsAt(place)) cached.set.add(slot);
      this.#grow();
    }
    return cached.set;
  }

  #slotsAt([index, key]: Place<I>): number[] {
    return Array.from(this.#source.keys(index, key), (id) => this.#slots.get(id) as number);
  }

  #cached([index, key]: Place<I>): CacheEntry<R> {
    const name = nameOf(index, key);
    const cached = this.#cache.get(name) ?? { lists: new Map() };
    this.#cache.delete(name);
    this.#cache.set(name, cached);
    return cached;
  }

  #grow(): void {
    this.#cacheSize++;
    while (this.#cacheSize > CACHE_MAX && this.#cache.size > 1) {
      const [oldest, { lists, set }] = this.#cache.entries().next().value as [string, CacheEntry<R>];
      this.#cache.delete(oldest);
      this.#cacheSize -= lists.size + (set ? 1 : 0);
    }
  }

  #textIndex(): TextIndex {
    if (!this.#texts) {
      this.#texts = new TextIndex();
      for (const [slot, row] of this.#rows.entries()) if (row) this.#texts.replace(slot, undefined, this.#textOf(row));
    }
    return this.#texts;
  }

  #textOf(row: R): string {
    const { textOf } = this.#source;
    if (!textOf) throw new Error("this collection declares no text");
    return textOf(row);
  }
}

const EMPTY = new SlotSet();

function join(sets: readonly SlotSet[], length: number): Uint32Array {
  const bits = new Uint32Array(length);
  for (const set of sets) for (const [i, word] of set.bits().subarray(0, length).entries()) bits[i] = (bits[i] as number) | word;
  return bits;
}

function nameOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}
