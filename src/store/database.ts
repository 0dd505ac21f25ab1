/**
 * The rows of all tenants: lowdb over memory or over the data file. Changes of one turn of the event loop are written at its end,
 * before an answer leaves. No caller awaits the database.
 */
import { Low, Memory } from "lowdb";
import { type DataHealth, LogFile, type LogContent, type LogOptions } from "./log-file.ts";
import { records, type StoreData, type WriteLog } from "./store.ts";
import type { Row } from "./row.ts";

export interface Database {
  /** The rows of one tenant; empty for a new tenant. */
  part(tenant: string): StoreData;
  drop(tenant: string): void;
  tenants(): string[];
  /** Returns and forgets what an earlier process saved beside a tenant's rows. From then on the tenant owns it. */
  takeSavedState(tenant: string): unknown;
  /** Registers the log of a tenant's state outside its rows, so that the database saves that state too. */
  attachLog(tenant: string, keeper: TenantLog): void;
  /** Receives the writes of a tenant; undefined in memory. */
  log(tenant: string): WriteLog | undefined;
  /** Schedules a write at the end of this turn: state outside the rows may have changed. */
  changed(tenant: string): void;
  /** The health of the data file; undefined in memory. */
  health(): DataHealth | undefined;
  /** Writes and syncs everything. @throws when that fails */
  flush(): Promise<void>;
  /** Flushes and closes the file in any case. @throws when the last changes could not be written */
  close(): Promise<void>;
}

/** A tenant's state outside its rows, as changes that a `Fold` joins. */
export interface TenantLog {
  /** Changes since the last call, in parts. */
  changes(): Iterable<unknown>;
  /** The whole state, in parts. */
  whole(): Iterable<unknown>;
}

/** Joins a change with the saved state. The result is a change too. */
export type Fold = (before: unknown, change: unknown) => unknown;

interface Data {
  tenants: Record<string, StoreData>;
  kept: Record<string, unknown>;
}

/** One record of the data file: rows of a tenant (a removed row as its id), and its state outside the rows. */
interface Record_ {
  t: string;
  /** Forget the tenant's earlier state first. */
  drop?: true;
  rows?: (readonly [collection: string, row: Row | string])[];
  kept?: unknown;
}

/** The changes of one tenant in one turn. */
interface Touched {
  isDropped: boolean;
  isWhole: boolean;
  rows: Map<string, Set<string>>;
}

/** Longer content is split into several records. */
const RECORD_CHARACTERS = 1024 * 1024;

export interface DatabaseOptions extends LogOptions {
  fold?: Fold;
}

/** Opens or creates the data file. @throws when its content is foreign, or another process holds it */
export async function openDatabase(file: string, options: DatabaseOptions = {}): Promise<Database> {
  const content = new Content(options.fold);
  const log = new LogFile<Data>(file, content, options);
  const low = new Low<Data>(log, content.empty());
  await low.read();
  content.data = low.data;
  let isWaiting = false;
  const settle = () => {
    if (!isWaiting) return;
    isWaiting = false;
    void low.write();
  };
  const soon = () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(settle);
  };
  return {
    ...content.controls(soon),
    health: () => log.health,
    flush: () => log.flush(),
    close: () => log.close(),
  };
}

/** A database in memory, which needs no asynchronous opening. */
export function memoryDatabase(): Database {
  const content = new Content();
  const low = new Low<Data>(new Memory<Data>(), content.empty());
  content.data = low.data;
  const nothing = async (): Promise<void> => {};
  return {
    ...content.controls(undefined),
    log: () => undefined,
    health: () => undefined,
    flush: nothing,
    close: nothing,
  };
}

class Content implements LogContent<Data> {
  data: Data = this.empty();
  readonly #fold: Fold;
  readonly #keepers = new Map<string, TenantLog>();
  readonly #touched = new Map<string, Touched>();

  constructor(fold: Fold = (_, change) => change) {
    this.#fold = fold;
  }

  /** @param soon schedules a write; undefined in memory */
  controls(soon: (() => void) | undefined): Omit<Database, "health" | "flush" | "close"> {
    const touch = (tenant: string): Touched => {
      soon?.();
      let touched = this.#touched.get(tenant);
      if (!touched) {
        touched = { isDropped: false, isWhole: false, rows: new Map() };
        this.#touched.set(tenant, touched);
      }
      return touched;
    };
    return {
      part: (tenant) => {
        this.data.tenants[tenant] ??= {};
        return this.data.tenants[tenant];
      },
      drop: (tenant) => {
        delete this.data.tenants[tenant];
        delete this.data.kept[tenant];
        this.#keepers.delete(tenant);
        if (soon) Object.assign(touch(tenant), { isDropped: true, isWhole: false, rows: new Map() });
      },
      tenants: () => Object.keys(this.data.tenants),
      takeSavedState: (tenant) => {
        const kept = this.data.kept[tenant];
        delete this.data.kept[tenant];
        return kept;
      },
      attachLog: (tenant, keeper) => {
        this.#keepers.set(tenant, keeper);
      },
      log: (tenant) => ({
        wrote: (collection, id) => {
          const { rows } = touch(tenant);
          const ids = rows.get(collection);
          if (ids) ids.add(id);
          else rows.set(collection, new Set([id]));
        },
        replaced: () => {
          Object.assign(touch(tenant), { isDropped: true, isWhole: true, rows: new Map() });
        },
      }),
      changed: (tenant) => {
        if (soon) touch(tenant);
      },
    };
  }

  empty(): Data {
    return { tenants: records(), kept: records() };
  }

  /** Reads version 1 of the data file, one JSON value. */
  convert(value: unknown): Data | undefined {
    const { version, tenants, kept } = (value ?? {}) as { version?: unknown } & Partial<Data>;
    if (version !== 1 || typeof tenants !== "object" || tenants === null) return undefined;
    const data = this.empty();
    for (const [tenant, part] of Object.entries(tenants)) {
      data.tenants[tenant] = records();
      for (const [name, rows] of Object.entries(part)) data.tenants[tenant][name] = records(rows);
      if (kept?.[tenant] !== undefined) data.kept[tenant] = this.#fold(undefined, kept[tenant]);
    }
    return data;
  }

  apply(data: Data, record: unknown): void {
    const { t, drop, rows = [], kept } = record as Record_;
    if (drop) {
      delete data.tenants[t];
      delete data.kept[t];
    }
    if (!drop || rows.length > 0 || kept !== undefined) data.tenants[t] ??= records();
    const part = data.tenants[t] ?? {};
    for (const [name, row] of rows) {
      part[name] ??= records();
      const collection = part[name];
      if (typeof row === "string") delete collection[row];
      else collection[row.id] = row;
    }
    if (kept !== undefined) data.kept[t] = this.#fold(data.kept[t], kept);
  }

  *changes(): Iterable<string> {
    for (const [tenant, touched] of this.#touched) {
      // Ignores changes of a tenant after its removal.
      if (this.data.tenants[tenant] === undefined) {
        if (touched.isDropped) yield* toRecords(tenant, true, [], []);
        continue;
      }
      const keeper = this.#keepers.get(tenant);
      const rows = touched.isWhole ? everyRow(this.data.tenants[tenant]) : this.#rowsOf(tenant, touched.rows);
      yield* toRecords(tenant, touched.isDropped, rows, (touched.isWhole ? keeper?.whole() : keeper?.changes()) ?? []);
    }
    this.#touched.clear();
  }

  *whole(data: Data): Iterable<string> {
    for (const [tenant, part] of Object.entries(data.tenants)) {
      const kept = data.kept[tenant];
      const keeper = this.#keepers.get(tenant);
      yield* toRecords(tenant, false, everyRow(part), keeper?.whole() ?? (kept === undefined ? [] : [kept]), true);
    }
  }

  *#rowsOf(tenant: string, touched: ReadonlyMap<string, ReadonlySet<string>>): Iterable<readonly [string, Row | string]> {
    const part = this.data.tenants[tenant] ?? {};
    for (const [name, ids] of touched) for (const id of ids) yield [name, part[name]?.[id] ?? id];
  }
}

function* everyRow(part: StoreData): Iterable<readonly [string, Row]> {
  for (const [name, rows] of Object.entries(part)) for (const id in rows) if (rows[id]) yield [name, rows[id]];
}

/** Splits one change into records of bounded size. All but the last are marked `more`. */
function* toRecords(
  tenant: string,
  isDropped: boolean,
  rows: Iterable<readonly [string, Row | string]>,
  kept: Iterable<unknown>,
  isAlways = false,
): Iterable<string> {
  const t = JSON.stringify(tenant);
  let next = isDropped ? '"drop":true,' : "";
  let waiting: string | undefined;
  let texts: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    texts.push(text);
    characters += text.length;
    if (characters < RECORD_CHARACTERS) continue;
    if (waiting !== undefined) yield more(waiting);
    waiting = `{"t":${t},${next}"rows":[${texts.join()}]}`;
    next = "";
    texts = [];
    characters = 0;
  }
  for (const part of kept) {
    if (waiting !== undefined) yield more(waiting);
    waiting = `{"t":${t},${next}${texts.length > 0 ? `"rows":[${texts.join()}],` : ""}"kept":${JSON.stringify(part)}}`;
    next = "";
    texts = [];
  }
  if (texts.length > 0 || next !== "" || (isAlways && waiting === undefined)) {
    if (waiting !== undefined) yield more(waiting);
    waiting = `{"t":${t}${next === "" ? "" : ',"drop":true'}${texts.length > 0 ? `,"rows":[${texts.join()}]` : ""}}`;
  }
  if (waiting !== undefined) yield waiting;
}

function more(record: string): string {
  return `${record.slice(0, -1)},"more":true}`;
}
