/**
 * A tenant's state: a record of rows for each declared collection. Changes are grouped by `transaction`: when it throws,
 * all that it wrote is taken back. Where it is kept is the database's matter, which is told of each row that has changed.
 */
import { Collection, type Table, type Undo } from "./collection.ts";
import type { Row } from "./row.ts";

/** The tables a store is opened with; it knows nothing of what they hold. */
// biome-ignore lint/suspicious/noExplicitAny: a table is invariant in its row type, and the store is generic over all of them
export type Tables = { readonly [name: string]: Table<any, any, any> };

export type Collections<T extends Tables> = {
  readonly [K in keyof T]: T[K] extends Table<infer R, infer I, infer O> ? Collection<R, I, O> : never;
};

export type StoreData = Record<string, Record<string, Row>>;

export type Store<T extends Tables> = Collections<T> & StoreControls;

export interface StoreControls {
  /** Runs `change`; a throw takes back all that it wrote. Nested calls join the outer one. */
  transaction<Result>(change: () => Result): Result;
  /** As `transaction`, but inside a running one a throw takes back only what `change` itself wrote. */
  savepoint<Result>(change: () => Result): Result;
  /** Calls `run` when the running transaction has held, or now when there is none. */
  afterCommit(run: () => void): void;
  /** A deep copy of all rows. */
  snapshot(): StoreData;
  /** Replaces all rows by a copy of `data`. */
  restore(data: StoreData): void;
}

export interface StoreOptions {
  /** Freeze every row deeply, so that a stray mutation throws. For tests. */
  freeze?: boolean;
  /** Told after each transaction that wrote something. */
  onChange?: () => void;
  /** Told how many rows a collection has let go, as it holds no more than it is bound to. */
  onTrim?: (collection: string, count: number) => void;
  /** Told what a callback threw once a transaction had held. Default: written to standard error. */
  onError?: (error: unknown) => void;
  /** Told of what a transaction has written, before `onChange`. */
  log?: WriteLog;
}

/** Who wants to know which rows have changed. */
export interface WriteLog {
  wrote(collection: string, id: string): void;
  /** Everything was replaced. */
  replaced(): void;
}

/** How to take back a write, and what it wrote. */
interface Written {
  revert: () => void;
  collection: string;
  id: string;
}

/** Opens a store over `data`, which it keeps and fills in place. */
export function openStore<const T extends Tables>(tables: T, data: StoreData, options: StoreOptions = {}): Store<T> {
  let undo: Written[] | undefined;
  let committed: (() => void)[] = [];
  const collections: Record<string, Collection<Row>> = {};
  for (const [name, definition] of Object.entries(tables)) {
    data[name] = records(data[name]);
    const remember: Undo = (revert, id) => {
      if (undo) {
        undo.push({ revert, collection: name, id });
        return;
      }
      options.log?.wrote(name, id);
      options.onChange?.();
    };
    collections[name] = new Collection(name, definition, data[name] as Record<string, Row>, remember, options.freeze ?? false);
  }
  const bounded = Object.entries(tables).flatMap(([name, { bound }]) => (bound ? [{ name, ...bound }] : []));
  const trim = () => {
    for (const { name, maxRows, isEvictable } of bounded) {
      const collection = collections[name] as Collection<Row>;
      // A tenth at once, as finding the oldest looks at all.
      if (collection.size <= maxRows + Math.ceil(maxRows / 10)) continue;
      const before = collection.size;
      for (const row of collection.all()) {
        if (collection.size <= maxRows) break;
        if (isEvictable?.(row) ?? true) collection.delete(row.id);
      }
      options.onTrim?.(name, before - collection.size);
    }
  };
  /** What has held cannot fail any more, whatever a callback throws. */
  const guarded = (run: () => void) => {
    try {
      run();
    } catch (error) {
      (options.onError ?? console.error)(error);
    }
  };
  const controls: StoreControls = {
    transaction(change) {
      if (undo) return change();
      undo = [];
      let result: ReturnType<typeof change>;
      try {
        result = change();
        if (undo.length > 0) trim();
      } catch (error) {
        for (const { revert } of undo.reverse()) revert();
        undo = undefined;
        committed = [];
        throw error;
      }
      const written = undo;
      undo = undefined;
      if (options.log) for (const { collection, id } of written) options.log.wrote(collection, id);
      const after = committed;
      committed = [];
      for (const run of after) guarded(run);
      if (written.length > 0) guarded(() => options.onChange?.());
      return result;
    },
    savepoint(change) {
      if (!undo) return controls.transaction(change);
      const written = undo.length;
      const waiting = committed.length;
      try {
        return change();
      } catch (error) {
        for (const { revert } of undo.splice(written).reverse()) revert();
        committed.length = waiting;
        throw error;
      }
    },
    afterCommit(run) {
      if (undo) committed.push(run);
      else run();
    },
    snapshot: () => structuredClone(data),
    restore(copy) {
      const fresh = structuredClone(copy);
      for (const [name, collection] of Object.entries(collections)) {
        data[name] = records(fresh[name]);
        collection.load(data[name] as Record<string, Row>);
      }
      options.log?.replaced();
      options.onChange?.();
    },
  };
  return { ...collections, ...controls } as unknown as Store<T>;
}

/** A record without a prototype, so that an id such as `__proto__` is an id like any other. */
export function records<V>(entries?: Record<string, V>): Record<string, V> {
  return Object.assign(Object.create(null) as Record<string, V>, entries);
}
