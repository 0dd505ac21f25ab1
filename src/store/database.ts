/**
 * Where the rows of all tenants are kept: lowdb over memory, or over the data file. What a turn of the event loop has
 * changed is written at the end of it, before an answer leaves: nothing awaits the database.
 */
import { Low, Memory } from "lowdb";
import { type DataHealth, LogFile, type Logged, type LogOptions } from "./log-file.ts";
import { records, type StoreData, type WriteLog } from "./store.ts";
import type { Row } from "./row.ts";

export interface Database {
  /** The part that belongs to one tenant, made empty when new. */
  part(tenant: string): StoreData;
  drop(tenant: string): void;
  tenants(): string[];
  /** What an earlier process kept beside a tenant's rows. Asked once, then it is the tenant's own. */
  kept(tenant: string): unknown;
  /** Who tells what of a tenant is no row but must outlive the process. */
  keep(tenant: string, keeper: TenantLog): void;
  /** Where a tenant tells which rows have changed; undefined when nothing is kept. */
  log(tenant: string): WriteLog | undefined;
  /** Something of a tenant may have changed: it is written at the end of this turn. */
  changed(tenant: string): void;
  /** How the data file stands; undefined in memory. */
  health(): DataHealth | undefined;
  /** Writes what is not written yet, onto the device. @throws when that fails */
  flush(): Promise<void>;
  /** Flushes and lets the file go. @throws when its last changes could not be written; it is let go all the same */
  close(): Promise<void>;
}

/** What of a tenant is no row, as changes that a `fold` puts together again. */
export interface TenantLog {
  /** What has changed since this was last asked, in parts. */
  changes(): Iterable<unknown>;
  /** All of it, in parts. */
  whole(): Iterable<unknown>;
}

/** Puts a change to what was kept before; what it gives is a change too. */
export type Fold = (before: unknown, change: unknown) => unknown;

interface Data {
  tenants: Record<string, StoreData>;
  kept: Record<string, unknown>;
}

/** One record: rows of a tenant, a removed one as its id alone; what is kept beside them. */
interface Record_ {
  t: string;
  /** The tenant is forgotten first. */
  drop?: true;
  rows?: (readonly [collection: string, row: Row | string])[];
  kept?: unknown;
}

/** What a turn has changed of one tenant. */
interface Touched {
  isDropped: boolean;
  isWhole: boolean;
  rows: Map<string, Set<string>>;
}

/** A record of more is written as several. */
const RECORD_CHARACTERS = 1024 * 1024;

export interface DatabaseOptions extends LogOptions {
  fold?: Fold;
}

/** Opens the data file, and makes it when there is none. @throws when it is not one of ours, or another process holds it */
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

/** A database that needs no waiting to open, for worlds that live in memory. */
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

class Content implements Logged<Data> {
  data: Data = this.empty();
  readonly #fold: Fold;
  readonly #keepers = new Map<string, TenantLog>();
  readonly #touched = new Map<string, Touched>();

  constructor(fold: Fold = (_, change) => change) {
    this.#fold = fold;
  }

  /** @param soon asks for a write; none where nothing is kept */
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
      kept: (tenant) => {
        const kept = this.data.kept[tenant];
        delete this.data.kept[tenant];
        return kept;
      },
      keep: (tenant, keeper) => {
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

  /** The one JSON value that was written before version 2. */
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
      // What a tenant still does after it was dropped is nobody's.
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

/** One change as records of bounded size, all but the last marked `more`. */
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
