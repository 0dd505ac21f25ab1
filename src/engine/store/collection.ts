/**
 * One kind of row by id, in the order of creation, with declared indexes. Rows are never changed in place: `put({ ...row, status })` replaces
 * them. So reads return rows without copying.
 */
import type { IndexKey, Row } from "./row.ts";

export interface Table<R extends Row, I extends string = string> {
  readonly indexes: { readonly [K in I]: IndexKey<R> };
  readonly bound: Bound<R> | undefined;
}

export interface Bound<R> {
  readonly maxRows: number;
  readonly isEvictable?: (row: R) => boolean;
}

export function table<R extends Row>() {
  return <const I extends string = never>(
    options: { indexes?: { readonly [K in I]: IndexKey<R> }; bound?: Bound<R> } = {},
  ): Table<R, I> => ({
    indexes: options.indexes ?? ({} as { readonly [K in I]: IndexKey<R> }),
    bound: options.bound,
  });
}

/** Receives each write with the row that it replaced. */
export type Remember = (collection: string, id: string, before: Row | undefined) => void;

const NONE: ReadonlySet<string> = new Set();

export class Collection<R extends Row, I extends string = string> {
  readonly name: string;
  #rows: Map<string, R>;
  readonly #definition: Table<R, I>;
  /** Built on first use: a world never uses most indexes, and a server holds many worlds. */
  #indexes: Map<I, Map<string, Set<string>>> | undefined;
  readonly #remember: Remember;
  readonly #freeze: boolean;

  constructor(name: string, definition: Table<R, I>, rows: Map<string, R>, remember: Remember, freeze: boolean) {
    this.name = name;
    this.#rows = rows;
    this.#remember = remember;
    this.#freeze = freeze;
    this.#definition = definition;
    this.load(rows);
  }

  /** Replaces all rows without undo: for opening, restore and reset. */
  load(rows: Map<string, R>): void {
    this.#rows = rows;
    this.#indexes = undefined;
    if (this.#freeze) for (const row of rows.values()) deepFreeze(row);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  put(row: R): R {
    if (this.#freeze) deepFreeze(row);
    const before = this.#rows.get(row.id);
    this.#write(row.id, before, row);
    this.#remember(this.name, row.id, before);
    return row;
  }

  delete(id: string): boolean {
    const before = this.#rows.get(id);
    if (!before) return false;
    this.#write(id, before, undefined);
    this.#remember(this.name, id, before);
    return true;
  }

  /** Puts back what a write replaced. */
  revert(id: string, before: R | undefined): void {
    this.#write(id, this.#rows.get(id), before);
  }

  where(index: I, key: string): R[] {
    const rows: R[] = [];
    for (const id of this.keys(index, key)) rows.push(this.#rows.get(id) as R);
    return rows;
  }

  keys(index: I, key: string): ReadonlySet<string> {
    return (this.#indexes?.get(index) ?? this.#makeIndex(index)).get(key) ?? NONE;
  }

  #makeIndex(index: I): Map<string, Set<string>> {
    const { indexes } = this.#definition;
    if (!Object.hasOwn(indexes, index)) throw new Error(`collection ${this.name} declares no index ${index}`);
    const entries = new Map<string, Set<string>>();
    for (const [id, row] of this.#rows) for (const key of keysOf(indexes[index](row))) enter(entries, key, id);
    this.#indexes ??= new Map();
    this.#indexes.set(index, entries);
    return entries;
  }

  /** Every row. A scan is always spelled `all()`, so that its cost is visible. */
  all(): R[] {
    return [...this.#rows.values()];
  }

  /** The oldest row. */
  first(): R | undefined {
    return this.#rows.values().next().value;
  }

  #write(id: string, before: R | undefined, row: R | undefined): void {
    if (row) this.#rows.set(id, row);
    else this.#rows.delete(id);
    this.#file(id, before, row);
  }

  #file(id: string, before: R | undefined, after: R | undefined): void {
    if (!this.#indexes) return;
    for (const [index, entries] of this.#indexes) {
      const keyOf = this.#definition.indexes[index];
      const old = before ? keysOf(keyOf(before)) : NO_KEYS;
      const fresh = after ? keysOf(keyOf(after)) : NO_KEYS;
      for (const key of old) {
        if (fresh.includes(key)) continue;
        const ids = entries.get(key);
        ids?.delete(id);
        if (ids?.size === 0) entries.delete(key);
      }
      for (const key of fresh) enter(entries, key, id);
    }
  }
}

function enter(entries: Map<string, Set<string>>, key: string, id: string): void {
  const ids = entries.get(key);
  if (ids) ids.add(id);
  else entries.set(key, new Set([id]));
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
