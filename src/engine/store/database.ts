/**
 * The state of all tenants. lowdb holds it and writes it through an adapter: lowdb's adapter for memory, or the data file's adapter, which
 * appends the changes. All changes of a turn of the event loop are written at its end, before an answer leaves. No caller awaits the
 * database.
 */
import { Low, LowSync, MemorySync } from "lowdb";
import { type DataHealth, LogFile, type LogContent, type LogOptions } from "./log-file.ts";
import type { RecordText } from "./records.ts";
import { records, type StoreData, type WriteLog } from "./store.ts";
import type { Row } from "./row.ts";

export interface Database {
  part(tenant: string): StoreData;
  drop(tenant: string): void;
  tenants(): string[];
  takeSavedState(tenant: string): unknown;
  attachLog(tenant: string, log: TenantLog): void;
  log(tenant: string): WriteLog | undefined;
  changed(tenant: string): void;
  health(): DataHealth | undefined;
  flush(): Promise<void>;
  /** Flushes and closes the file in any case. @throws when the last changes could not be written */
  close(): Promise<void>;
}

/** A tenant's state outside its rows. `changes` lists what changed since the last call; a `Fold` joins changes. */
export interface TenantLog {
  changes(): Iterable<unknown>;
  whole(): Iterable<unknown>;
}

/** Joins a change with the saved state. The result is a change too. */
export type Fold = (before: unknown, change: unknown) => unknown;

interface Data {
  tenants: Record<string, StoreData>;
  kept: Record<string, unknown>;
}

interface Record_ {
  t: string;
  drop?: true;
  rows?: (readonly [collection: string, row: Row | string])[];
  kept?: unknown;
}

interface Touched {
  isDropped: boolean;
  isWhole: boolean;
  rows: Map<string, Set<string>>;
}

const RECORD_CHARACTERS = 1024 * 1024;
/** The end of a record that another record of the same change follows. */
const MORE = ',"more":true}';

export interface DatabaseOptions extends LogOptions {
  fold?: Fold;
}

/** Opens or creates the data file. @throws when its content is foreign, or another process holds it */
export async function openDatabase(file: string, options: DatabaseOptions = {}): Promise<Database> {
  const content = new StateLog(options.fold);
  const adapter = new LogFile<Data>(file, content, options);
  const low = new Low<Data>(adapter, content.empty());
  await low.read();
  let isWaiting = false;
  const writeSoon = () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      void low.write();
    });
  };
  return {
    ...accessTo(low, content, writeSoon),
    log: (tenant) => ({
      wrote: (collection, id) => {
        content.addRow(tenant, collection, id);
        writeSoon();
      },
      replaced: () => {
        content.addAll(tenant);
        writeSoon();
      },
    }),
    health: () => adapter.health,
    flush: () => adapter.flush(),
    close: () => adapter.close(),
  };
}

export function memoryDatabase(): Database {
  const content = new StateLog();
  const low = new LowSync<Data>(new MemorySync<Data>(), content.empty());
  const nothing = async (): Promise<void> => {};
  return {
    ...accessTo(low, undefined, () => low.write()),
    log: () => undefined,
    health: () => undefined,
    flush: nothing,
    close: nothing,
  };
}

/** Access to the state that lowdb holds. @param log notes what the next write appends; undefined in memory */
function accessTo(
  low: { readonly data: Data },
  log: StateLog | undefined,
  write: () => void,
): Pick<Database, "part" | "drop" | "tenants" | "takeSavedState" | "attachLog" | "changed"> {
  return {
    part: (tenant) => {
      low.data.tenants[tenant] ??= {};
      return low.data.tenants[tenant];
    },
    drop: (tenant) => {
      delete low.data.tenants[tenant];
      delete low.data.kept[tenant];
      log?.addDrop(tenant);
      write();
    },
    tenants: () => Object.keys(low.data.tenants),
    takeSavedState: (tenant) => {
      const saved = low.data.kept[tenant];
      delete low.data.kept[tenant];
      return saved;
    },
    attachLog: (tenant, tenantLog) => log?.attach(tenant, tenantLog),
    changed: (tenant) => {
      log?.add(tenant);
      write();
    },
  };
}

class StateLog implements LogContent<Data> {
  readonly #fold: Fold;
  readonly #tenantLogs = new Map<string, TenantLog>();
  readonly #touched = new Map<string, Touched>();

  constructor(fold: Fold = (_, change) => change) {
    this.#fold = fold;
  }

  attach(tenant: string, log: TenantLog): void {
    this.#tenantLogs.set(tenant, log);
  }

  add(tenant: string): Touched {
    let touched = this.#touched.get(tenant);
    if (!touched) {
      touched = { isDropped: false, isWhole: false, rows: new Map() };
      this.#touched.set(tenant, touched);
    }
    return touched;
  }

  addRow(tenant: string, collection: string, id: string): void {
    const { rows } = this.add(tenant);
    const ids = rows.get(collection);
    if (ids) ids.add(id);
    else rows.set(collection, new Set([id]));
  }

  addAll(tenant: string): void {
    this.#touched.set(tenant, { isDropped: true, isWhole: true, rows: new Map() });
  }

  addDrop(tenant: string): void {
    this.#tenantLogs.delete(tenant);
    this.#touched.set(tenant, { isDropped: true, isWhole: false, rows: new Map() });
  }

  empty(): Data {
    return { tenants: records(), kept: records() };
  }

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

  *changes(data: Data): Iterable<RecordText> {
    for (const [tenant, touched] of this.#touched) {
      const part = data.tenants[tenant];
      if (part === undefined) {
        if (touched.isDropped) yield* toRecords(tenant, true, [], []);
        continue;
      }
      const log = this.#tenantLogs.get(tenant);
      const rows = touched.isWhole ? everyRow(part) : rowsOf(part, touched.rows);
      yield* toRecords(tenant, touched.isDropped, rows, (touched.isWhole ? log?.whole() : log?.changes()) ?? []);
    }
    this.#touched.clear();
  }

  *whole(data: Data): Iterable<RecordText> {
    for (const [tenant, part] of Object.entries(data.tenants)) {
      const kept = data.kept[tenant];
      const log = this.#tenantLogs.get(tenant);
      yield* toRecords(tenant, false, everyRow(part), log?.whole() ?? (kept === undefined ? [] : [kept]), true);
    }
  }
}

/** The whole state of one tenant as records. @param kept its state outside the rows, as changes */
export function wholeRecords(tenant: string, rows: StoreData, kept: Iterable<unknown>): Iterable<RecordText> {
  return toRecords(tenant, false, everyRow(rows), kept, true);
}

/** Collects the records of a file as the states of tenants. */
export function stateReader(fold: Fold): { data: Data; apply(record: unknown): void } {
  const content = new StateLog(fold);
  const data = content.empty();
  return { data, apply: (record) => content.apply(data, record) };
}

function* rowsOf(part: StoreData, touched: ReadonlyMap<string, ReadonlySet<string>>): Iterable<readonly [string, Row | string]> {
  for (const [name, ids] of touched) for (const id of ids) yield [name, part[name]?.[id] ?? id];
}

function* everyRow(part: StoreData): Iterable<readonly [string, Row]> {
  for (const [name, rows] of Object.entries(part)) for (const id in rows) if (rows[id]) yield [name, rows[id]];
}

/** Splits one change into records of bounded size. All but the last are marked `more`. */
function* toRecords(...change: Parameters<typeof unfinishedRecords>): Iterable<RecordText> {
  let waiting: RecordText | undefined;
  for (const record of unfinishedRecords(...change)) {
    if (waiting !== undefined) yield [...waiting, MORE];
    waiting = record;
  }
  if (waiting !== undefined) yield [...waiting, "}"];
}

/** The records of a change without their ends: only the next record shows whether a record is marked `more`. */
function* unfinishedRecords(
  tenant: string,
  isDropped: boolean,
  rows: Iterable<readonly [string, Row | string]>,
  kept: Iterable<unknown>,
  isAlways = false,
): Iterable<RecordText> {
  const start = `{"t":${JSON.stringify(tenant)}`;
  let pieces = isDropped ? [start, ',"drop":true'] : [start];
  let isEmpty = !isDropped && !isAlways;
  let rowCharacters = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    pieces.push(rowCharacters === 0 ? ',"rows":[' : ",", text);
    rowCharacters += text.length;
    isEmpty = false;
    if (rowCharacters < RECORD_CHARACTERS) continue;
    yield [...pieces, "]"];
    pieces = [start];
    rowCharacters = 0;
    isEmpty = true;
  }
  if (rowCharacters > 0) pieces.push("]");
  for (const part of kept) {
    yield [...pieces, ',"kept":', JSON.stringify(part)];
    pieces = [start];
    isEmpty = true;
  }
  if (!isEmpty) yield pieces;
}
