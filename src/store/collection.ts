/**
 * One kind of row, kept in a plain record by id (JSON as it stands) with declared indexes beside it.
 * A row is never changed in place: `put({ ...row, status })`. Reads therefore hand out rows without copying.
 */
import { lowerBound, OrderedLists, type OrderKey, type SortKey } from "./ordered.ts";
import { TextIndex } from "./text-index.ts";

export interface Row {
  readonly id: string;
}

/** A function from a row to the keys it is found by. */
export type IndexKey<R> = (row: R) => string | null | undefined | readonly string[];

export interface Table<R extends Row, I extends string = string, O extends string = string> {
  readonly indexes: { readonly [K in I]: IndexKey<R> };
  readonly orders: { readonly [K in O]: OrderKey<R> };
  readonly text: ((row: R) => string) | undefined;
}

/** Declares a collection: its row type and the indexes it is searched by. */
export function table<R extends Row>() {
  return <const I extends string = never, const O extends string = never>(
    options: {
      indexes?: { readonly [K in I]: IndexKey<R> };
      /** Orders that pages are asked for in. */
      orders?: { readonly [K in O]: OrderKey<R> };
      /** The text that is searched for parts, in lower case. */
      text?: (row: R) => string;
    } = {},
  ): Table<R, I, O> => ({
    indexes: options.indexes ?? ({} as { readonly [K in I]: IndexKey<R> }),
    orders: options.orders ?? ({} as { readonly [K in O]: OrderKey<R> }),
    text: options.text,
  });
}

/** Records how to take a change back. */
export type Undo = (revert: () => void) => void;

const NONE: ReadonlySet<string> = new Set();

export class Collection<R extends Row, I extends string = string, O extends string = string> {
  readonly name: string;
  #rows: Record<string, R>;
  #count = 0;
  readonly #keys: [I, IndexKey<R>][];
  readonly #indexes = new Map<I, Map<string, Set<string>>>();
  readonly #orders: { readonly [K in O]: OrderKey<R> };
  readonly #lists = new OrderedLists<R>();
  readonly #textOf: ((row: R) => string) | undefined;
  #texts: TextIndex | undefined;
  readonly #undo: Undo;
  readonly #freeze: boolean;

  constructor(name: string, definition: Table<R, I, O>, rows: Record<string, R>, undo: Undo, freeze: boolean) {
    this.name = name;
    this.#rows = rows;
    this.#undo = undo;
    this.#freeze = freeze;
    this.#keys = Object.entries(definition.indexes) as [I, IndexKey<R>][];
    this.#orders = definition.orders;
    this.#textOf = definition.text;
    this.load(rows);
  }

  /** Replaces all rows without undo: for opening, restore and reset. */
  load(rows: Record<string, R>): void {
    this.#rows = rows;
    this.#count = 0;
    this.#indexes.clear();
    this.#lists.clear();
    this.#texts = undefined;
    for (const [name] of this.#keys) this.#indexes.set(name, new Map());
    for (const id in rows) {
      const row = rows[id] as R;
      if (this.#freeze) deepFreeze(row);
      this.#file(id, undefined, row);
      this.#count++;
    }
  }

  get size(): number {
    return this.#count;
  }

  get(id: string): R | undefined {
    return this.#rows[id];
  }

  /** Adds the row or replaces the one of its id. */
  put(row: R): R {
    if (this.#freeze) deepFreeze(row);
    const before = this.#rows[row.id];
    this.#write(row.id, row);
    this.#undo(() => this.#write(row.id, before));
    return row;
  }

  delete(id: string): boolean {
    const before = this.#rows[id];
    if (!before) return false;
    this.#write(id, undefined);
    this.#undo(() => this.#write(id, before));
    return true;
  }

  /** The rows that a declared index files under `key`, in the order in which they came to it. */
  where(index: I, key: string): R[] {
    const rows: R[] = [];
    for (const id of this.keys(index, key)) rows.push(this.#rows[id] as R);
    return rows;
  }

  /** The ids that a declared index files under `key`. */
  keys(index: I, key: string): ReadonlySet<string> {
    const entries = this.#indexes.get(index);
    if (!entries) throw new Error(`collection ${this.name} declares no index ${index}`);
    return entries.get(key) ?? NONE;
  }

  /** The rows that a declared index files under `key`, in a declared order. The list is the collection's own: read it at once. */
  ordered(index: I, key: string, order: O): readonly R[] {
    return this.#lists.get(placeOf(index, key), order, this.#orders[order], () => this.where(index, key));
  }

  /** The stretch of `ordered` whose first sort key is at least `from` and below `to`. */
  range(index: I, key: string, order: O, from: SortKey, to: SortKey): { rows: readonly R[]; start: number; end: number } {
    const rows = this.ordered(index, key, order);
    const start = lowerBound(rows, this.#orders[order], from);
    return { rows, start, end: Math.max(start, lowerBound(rows, this.#orders[order], to)) };
  }

  /** The rows whose text holds `part`, or undefined when it is too short or too common for that to be worth while. */
  containing(part: string): R[] | undefined {
    const textOf = this.#textOf;
    if (!textOf) throw new Error(`collection ${this.name} declares no text`);
    if (!this.#texts) {
      this.#texts = new TextIndex();
      for (const id in this.#rows) this.#texts.set(id, textOf(this.#rows[id] as R));
    }
    return this.#texts.containing(part)?.map((id) => this.#rows[id] as R);
  }

  /** Every row. A scan is always spelt `all()`, so that its cost is seen. */
  all(): R[] {
    return Object.values(this.#rows);
  }

  #write(id: string, row: R | undefined): void {
    const before = this.#rows[id];
    if (row) this.#rows[id] = row;
    else delete this.#rows[id];
    this.#file(id, before, row);
    this.#count += (row ? 1 : 0) - (before ? 1 : 0);
  }

  /** Moves a row from its old keys to its new ones. Under a key that it keeps it also keeps its place. */
  #file(id: string, before: R | undefined, after: R | undefined): void {
    for (const [name, keyOf] of this.#keys) {
      const entries = this.#indexes.get(name) as Map<string, Set<string>>;
      const old = before ? keysOf(keyOf(before)) : NO_KEYS;
      const fresh = after ? keysOf(keyOf(after)) : NO_KEYS;
      for (const key of old) {
        this.#lists.replace(placeOf(name, key), before, fresh.includes(key) ? after : undefined);
        if (fresh.includes(key)) continue;
        const ids = entries.get(key);
        ids?.delete(id);
        if (ids?.size === 0) entries.delete(key);
      }
      for (const key of fresh) {
        const ids = entries.get(key);
        if (ids) ids.add(id);
        else entries.set(key, new Set([id]));
        if (!old.includes(key)) this.#lists.replace(placeOf(name, key), undefined, after);
      }
    }
    if (this.#texts && this.#textOf) {
      const text = after && this.#textOf(after);
      if (text === undefined) this.#texts.delete(id);
      else if (!before || this.#textOf(before) !== text) this.#texts.set(id, text);
    }
  }
}

function placeOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}

const NO_KEYS: readonly string[] = [];

function keysOf(key: string | null | undefined | readonly string[]): readonly string[] {
  if (key === null || key === undefined) return NO_KEYS;
  if (typeof key === "string") return [key];
  return key.length < 2 ? key : [...new Set(key)];
}

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}
