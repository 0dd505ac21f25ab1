/**
 * The latest versions of the rows of some collections, so that a page can show a row before and after each change. Rows are never changed
 * in place, so a version costs a reference and no copy. Versions live in memory only.
 */
import type { Row } from "./row.ts";

/** One row keeps its latest versions, and a store keeps the latest of all. */
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

export class Versions {
  readonly #of = new Map<string, Version[]>();
  #count = 0;

  note(collection: string, version: Version): void {
    const key = `${collection} ${version.after.id}`;
    const known = this.#of.get(key) ?? [];
    // The row that changed last comes last in the map, so that the first one is the one to forget.
    this.#of.delete(key);
    this.#of.set(key, known);
    known.push(version);
    this.#count++;
    if (known.length > ROW_MAX) this.#count -= known.splice(0, ROW_MAX / 10).length;
    if (this.#count > ALL_MAX) this.#forgetOldest(key);
  }

  /** Oldest first. The first one is not the row's first when older ones are gone. */
  of(collection: string, id: string): readonly Version[] {
    return this.#of.get(`${collection} ${id}`) ?? [];
  }

  forget(collection: string, id: string): void {
    this.#drop(`${collection} ${id}`);
  }

  clear(): void {
    this.#of.clear();
    this.#count = 0;
  }

  /** Many at once, because each search for the oldest passes the places of those that are gone. */
  #forgetOldest(except: string): void {
    for (const key of this.#of.keys()) {
      if (this.#count <= ALL_MAX * 0.9) return;
      if (key !== except) this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#count -= this.#of.get(key)?.length ?? 0;
    this.#of.delete(key);
  }
}
