/**
 * A tenant's rows, one map per collection. A `transaction` that throws is rolled back. The database receives every write
 * through `WriteLog`.
 */
import { getOrMake } from "../core/maps.ts";
import { Collection, type Remember, type Table } from "./collection.ts";
import { History, type HistoryState, type Version, type Written } from "./history.ts";
import type { Row } from "./row.ts";

// biome-ignore lint/suspicious/noExplicitAny: a table is invariant in its row type, and the store is generic over all of them
export type Tables = { readonly [name: string]: Table<any, any> };

export type Collections<T extends Tables> = {
  readonly [K in keyof T]: T[K] extends Table<infer R, infer I> ? Collection<R, I> : never;
};

/** Rows by collection and id. */
export type StoreData = Map<string, Map<string, Row>>;

/** Rows by collection, in the order of creation: a plain value. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

export type Store<T extends Tables> = Collections<T> & StoreControls;

export interface StoreControls {
  /** Runs `change` and rolls back when it throws. A nested call joins the outer transaction. */
  transaction<Result>(change: () => Result): Result;
  /** As `transaction`, but a throw inside an outer transaction rolls back only the writes of `change`. */
  savepoint<Result>(change: () => Result): Result;
  /** Calls `run` after the running transaction commits, or now outside a transaction. */
  afterCommit(run: () => void): void;
  /**
   * Runs `read` on the rows as they were at `instant`, epoch ms. Nothing that it writes remains.
   * Returns undefined when the store no longer knows that time. @throws what `read` throws
   */
  asOf<Result>(instant: number, read: () => Result): { result: Result } | undefined;
  /** The writes that `asOf` knows. */
  past(): HistoryState;
  putPast(state: HistoryState): void;
  /** The rows that `change` writes count for `asOf` as if they had always been there. */
  timeless<Result>(change: () => Result): Result;
  /** The versions of a row since the store opened, oldest first. */
  versionsOf(collection: string, id: string): readonly Version[];
  snapshot(): Rows;
  restore(rows: Rows): void;
}

export interface StoreOptions {
  freeze?: boolean;
  onChange?: () => void;
  onTrim?: (collection: string, deleted: readonly Row[]) => void;
  onError?: (error: unknown) => void;
  log?: WriteLog;
  /** The instant of a write, epoch ms. Without it, `asOf` knows only the present. */
  now?: () => number;
  /** The id of the call that changes rows now. */
  call?: () => string | null;
}

export interface WriteLog {
  wrote(collection: string, id: string): void;
  replaced(): void;
}

export function openStore<const T extends Tables>(tables: T, data: StoreData, options: StoreOptions = {}): Store<T> {
  let undo: Written[] | undefined;
  let committed: (() => void)[] = [];
  /** The writes of a read of the past. */
  let pastWrites: Written[] | undefined;
  const history = new History();
  const note = (written: readonly Written[]) => history.note(options.now?.() ?? 0, options.call?.() ?? null, written);
  const collections: Record<string, Collection<Row>> = {};
  const remember: Remember = (collection, id, before) => {
    const written = pastWrites ?? undo;
    if (written) {
      written.push({ collection, id, before });
      return;
    }
    note([{ collection, id, before }]);
    options.log?.wrote(collection, id);
    options.onChange?.();
  };
  for (const [name, definition] of Object.entries(tables)) {
    const rows = getOrMake(data, name, () => new Map<string, Row>());
    collections[name] = new Collection(name, definition, rows, remember, options.freeze ?? false);
  }
  const bounded = Object.entries(tables).flatMap(([name, { bound }]) => (bound ? [{ name, ...bound }] : []));
  const trim = () => {
    for (const { name, maxRows, isEvictable } of bounded) {
      const collection = collections[name] as Collection<Row>;
      // Drops a tenth at once: the search for the oldest rows visits every row.
      if (collection.size <= maxRows + Math.ceil(maxRows / 10)) continue;
      const deleted: Row[] = [];
      for (const row of collection.all()) {
        if (collection.size <= maxRows) break;
        if ((isEvictable?.(row) ?? true) && collection.delete(row.id)) deleted.push(row);
      }
      options.onTrim?.(name, deleted);
    }
  };
  const revert = (written: Written[]) => {
    for (const { collection, id, before } of written.reverse()) collections[collection]?.revert(id, before);
  };
  const guarded = (run: () => void) => {
    try {
      run();
    } catch (error) {
      (options.onError ?? console.error)(error);
    }
  };
  const controls: StoreControls = {
    transaction(change) {
      if (undo || pastWrites) return change();
      undo = [];
      let result: ReturnType<typeof change>;
      try {
        result = change();
        if (undo.length > 0) trim();
      } catch (error) {
        revert(undo);
        undo = undefined;
        committed = [];
        throw error;
      }
      const written = undo;
      undo = undefined;
      if (written.length > 0) note(written);
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
        revert(undo.splice(written));
        committed.length = waiting;
        throw error;
      }
    },
    afterCommit(run) {
      if (undo) committed.push(run);
      else if (!pastWrites) run();
    },
    asOf(instant, read) {
      if (undo || pastWrites) throw new Error("A transaction cannot read the past.");
      const differences = history.at(instant);
      if (!differences) return undefined;
      pastWrites = [];
      try {
        for (const [name, rows] of differences) collections[name]?.load(pastRows(data.get(name), rows));
        return { result: read() };
      } finally {
        const written = pastWrites;
        pastWrites = undefined;
        revert(written.filter(({ collection }) => !differences.has(collection)));
        for (const name of differences.keys()) collections[name]?.load(data.get(name) ?? new Map());
      }
    },
    past: () => history.state,
    putPast(state) {
      history.state = state;
    },
    timeless: (change) => history.pause(change),
    versionsOf: (collection, id) => history.versionsOf(collection, collections[collection]?.get(id)),
    // Rows are never changed in place, so the copies share them.
    snapshot: () => Object.fromEntries([...data].map(([name, rows]) => [name, [...rows.values()]])),
    restore(copy) {
      for (const [name, collection] of Object.entries(collections)) {
        const rows = new Map(copy[name]?.map((row) => [row.id, row]));
        data.set(name, rows);
        collection.load(rows);
      }
      history.state = { transactions: [], gone: null };
      options.log?.replaced();
      options.onChange?.();
    },
  };
  return { ...collections, ...controls } as unknown as Store<T>;
}

function pastRows(present: Map<string, Row> | undefined, differences: ReadonlyMap<string, Row | undefined>): Map<string, Row> {
  const past = new Map(present);
  for (const [id, row] of differences) {
    if (row) past.set(id, row);
    else past.delete(id);
  }
  return past;
}
