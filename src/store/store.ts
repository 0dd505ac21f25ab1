/**
 * A tenant's state: one lowdb document that holds a record of rows for each declared collection. Changes are grouped
 * by `transaction`: when it throws, all that it wrote is taken back. Writing to disk is coalesced and never awaited by a request.
 */
import { type Adapter, Low, Memory } from "lowdb";
import { JSONFile } from "lowdb/node";
import { wall } from "../core/clock.ts";
import { Collection, type Row, type Table } from "./collection.ts";

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
}

/** Opens a store over `data`, which it keeps and fills in place. */
export function openStore<const T extends Tables>(tables: T, data: StoreData, options: StoreOptions = {}): Store<T> {
  let undo: (() => void)[] | undefined;
  let committed: (() => void)[] = [];
  const collections: Record<string, Collection<Row>> = {};
  const remember = (revert: () => void) => {
    if (undo) undo.push(revert);
    else options.onChange?.();
  };
  for (const [name, definition] of Object.entries(tables)) {
    data[name] = records(data[name]);
    collections[name] = new Collection(name, definition, data[name] as Record<string, Row>, remember, options.freeze ?? false);
  }
  const controls: StoreControls = {
    transaction(change) {
      if (undo) return change();
      undo = [];
      let result: ReturnType<typeof change>;
      try {
        result = change();
      } catch (error) {
        for (const revert of undo.reverse()) revert();
        undo = undefined;
        committed = [];
        throw error;
      }
      const wrote = undo.length > 0;
      undo = undefined;
      const after = committed;
      committed = [];
      for (const run of after) run();
      if (wrote) options.onChange?.();
      return result;
    },
    savepoint(change) {
      if (!undo) return controls.transaction(change);
      const written = undo.length;
      const waiting = committed.length;
      try {
        return change();
      } catch (error) {
        for (const revert of undo.splice(written).reverse()) revert();
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
      options.onChange?.();
    },
  };
  return { ...collections, ...controls } as unknown as Store<T>;
}

/** A record without a prototype, so that an id such as `__proto__` is an id like any other. */
function records<V>(entries: Record<string, V> | undefined): Record<string, V> {
  return Object.assign(Object.create(null) as Record<string, V>, entries);
}

export interface Database {
  /** The part that belongs to one tenant, made empty when new. */
  part(tenant: string): StoreData;
  drop(tenant: string): void;
  tenants(): string[];
  /** What was kept beside a tenant's rows when the file was last written. */
  kept(tenant: string): unknown;
  /** Whenever the file is written, `read` says what to keep beside a tenant's rows: what is no row but must outlive the process. */
  keep(tenant: string, read: () => unknown): void;
  /** Asks for a write soon. */
  changed(): void;
  /** Writes what is not written yet. @throws when the last write failed */
  flush(): Promise<void>;
}

interface DatabaseFile {
  version: 1;
  tenants: Record<string, StoreData>;
  kept?: Record<string, unknown>;
}

/** Opens the database: in memory, or in a JSON file when `file` is given. @throws when the file is not one of ours */
export async function openDatabase(file?: string): Promise<Database> {
  const adapter: Adapter<DatabaseFile> = file ? new JSONFile<DatabaseFile>(file) : new Memory<DatabaseFile>();
  const low = new Low<DatabaseFile>(adapter, { version: 1, tenants: {} });
  const foreign = `${file} was not written by this version of docdouble; start with a fresh file`;
  try {
    await low.read();
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(foreign, { cause: error }) : error;
  }
  if (low.data.version !== 1 || typeof low.data.tenants !== "object" || low.data.tenants === null) throw new Error(foreign);
  return toDatabase(low, file !== undefined);
}

/** A database that needs no waiting to open, for worlds that live in memory. */
export function memoryDatabase(): Database {
  return toDatabase(new Low<DatabaseFile>(new Memory<DatabaseFile>(), { version: 1, tenants: {} }), false);
}

function toDatabase(low: Low<DatabaseFile>, persistent: boolean): Database {
  low.data.tenants = records(low.data.tenants);
  const kept = records(low.data.kept);
  const keepers = new Map<string, () => unknown>();
  let writing: Promise<void> | undefined;
  let dirty = false;
  /** Why the last write failed; told by the next flush. */
  let failure: unknown;
  const write = async (): Promise<void> => {
    while (dirty) {
      dirty = false;
      failure = undefined;
      for (const [tenant, read] of keepers) kept[tenant] = read();
      low.data.kept = kept;
      await low.write().catch((error: unknown) => {
        failure = error;
      });
    }
    writing = undefined;
  };
  return {
    part: (tenant) => {
      low.data.tenants[tenant] ??= {};
      return low.data.tenants[tenant];
    },
    drop: (tenant) => {
      delete low.data.tenants[tenant];
      delete kept[tenant];
      keepers.delete(tenant);
    },
    kept: (tenant) => kept[tenant],
    keep: (tenant, read) => {
      keepers.set(tenant, read);
    },
    tenants: () => Object.keys(low.data.tenants),
    changed: () => {
      if (!persistent) return;
      dirty = true;
      writing ??= wall.soon().then(write);
    },
    flush: async () => {
      await writing;
      if (failure !== undefined) throw failure;
    },
  };
}
