/** The state of a tenant outside the tables, saved as changes. Opening the data file folds them together. */
import type { Choice } from "../../assumptions/switches.ts";
import type { Readings } from "../../assumptions/readings.ts";
import type { Clock } from "../../core/tenant-clock.ts";
import type { ClockMode } from "../../core/clock-settings.ts";
import { isInClock, speedProblem } from "../../core/time-limits.ts";
import type { Ids, IdState } from "../../core/ids.ts";
import { plainCopy } from "../../core/lazy-list.ts";
import type { EngineWorld, Settings } from "../world.ts";
import { type JournalEntry, ENTRIES_MAX, type Journal } from "../../journal/journal.ts";
import type { AutoState } from "../../jobs/auto-time.ts";
import type { RateLimiter } from "../../jobs/rate-limit.ts";
import type { Scheduler } from "../../jobs/scheduler.ts";
import type { Scenario } from "../../scenario/load.ts";
import type { RunnerState, ScenarioRunner } from "../scenario-runs/scenario-runner.ts";
import type { RepeatedState } from "./repeated-answers.ts";
import type { ClockStart, IdSeed, TenantSnapshot } from "./snapshot.ts";
import type { Write } from "../../store/history.ts";
import type { Row } from "../../store/row.ts";

interface Pace {
  mode: ClockMode;
  speed: number;
}

interface Dropped {
  first: number;
  count: number;
}

/** Absent members are unchanged. */
export interface Change {
  clock?: { now: number } & Partial<Pace> & {
      /** The clock of the options at that time. Options that differ now replace the saved clock. */
      given?: Pace;
    };
  ids?: IdState;
  drawn?: IdSeed;
  requestIds?: IdState;
  jobs?: number;
  beyond?: RunnerState;
  readings?: Choice;
  limiter?: { isWhole: boolean; calls: Iterable<[key: string, times: number[]]> };
  journal?: {
    isWhole: boolean;
    from: number;
    entries: JournalEntry[];
    /** How many entries before the number `first` dropped. */
    dropped?: Dropped;
  };
  trimmedRows?: Readonly<Record<string, number>>;
  snapshots?: string[];
  snapshot?: {
    name: string;
    rest?: Omit<TenantSnapshot, "store">;
    entries?: JournalEntry[];
    rows?: [collection: string, row: Row][];
  };
  taken?: Map<string, TenantSnapshot>;
  /** Only in world files, as `past`. */
  world?: WorldState;
  /** The writes that reads of the past know, oldest first. */
  past?: Write[];
}

/** What a process takes from its options, and what a client in the middle of a wait depends on. A data file needs none of it. */
export interface WorldState {
  readings: Choice;
  settings: Pick<Settings, "webhookTimeout_ms" | "oauth">;
  auto: AutoState;
  repeated: RepeatedState;
  receivers: number;
  /** When the latest write was made that reads of the past no longer know. */
  pastGone: number | null;
}

interface PersistedTenant {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly requestIds: Ids;
  idSeed: IdSeed;
  readonly scheduler: Pick<Scheduler<EngineWorld>, "sequence">;
  readonly scenarioRunner: ScenarioRunner;
  readonly limiter: RateLimiter;
  readonly journal: Journal;
  trimmedRows: Readonly<Record<string, number>>;
  readonly snapshots: Map<string, TenantSnapshot>;
  readonly settings: Pick<Settings, "transitions">;
  readonly readings: Readings;
}

interface StartSettings {
  clock: Pace;
  scenarios: readonly Scenario[];
}

/** Limits of one record, because writing turns it into one string. */
const PART_ITEMS_MAX = 500;
const PART_CHARACTERS_MAX = 4 * 1024 * 1024;

export class TenantPersistence {
  readonly #tenant: PersistedTenant;
  readonly #options: () => StartSettings;
  #small = "";
  #revision = -1;
  #transitions: unknown;
  #readings = 0;
  #limits: number;
  #loads: number;
  #savedEntries: number;
  #trimmedRows: Readonly<Record<string, number>>;
  #snapshots: Map<string, TenantSnapshot>;

  /** Counts the present state as saved, except clock, sequences and rules. */
  constructor(tenant: PersistedTenant, options: () => StartSettings) {
    this.#tenant = tenant;
    this.#options = options;
    this.#limits = tenant.limiter.loads;
    this.#loads = tenant.journal.loads;
    this.#savedEntries = tenant.journal.total;
    this.#trimmedRows = tenant.trimmedRows;
    this.#snapshots = new Map(tenant.snapshots);
  }

  *changes(): Iterable<Change> {
    const { scenarioRunner, limiter, journal, snapshots, settings } = this.#tenant;
    const change = this.#pace();
    if (scenarioRunner.revision !== this.#revision || settings.transitions !== this.#transitions) {
      change.beyond = scenarioRunner.runtimeState(this.#options().scenarios);
      this.#revision = scenarioRunner.revision;
      this.#transitions = settings.transitions;
    }
    const { readings } = this.#tenant;
    if (readings.revision !== this.#readings) {
      change.readings = readings.changes;
      this.#readings = readings.revision;
    }
    const { trimmedRows } = this.#tenant;
    if (trimmedRows !== this.#trimmedRows) {
      change.trimmedRows = trimmedRows;
      this.#trimmedRows = trimmedRows;
    }
    const calls = limiter.takeChanges();
    const isWhole = limiter.loads !== this.#limits;
    if (isWhole || calls.length > 0) change.limiter = { isWhole, calls: isWhole ? limiter.snapshot() : calls };
    this.#limits = limiter.loads;
    if (journal.loads !== this.#loads) {
      this.#loads = journal.loads;
      this.#savedEntries = journal.total;
      yield* inParts(journal, true);
    } else if (journal.total > this.#savedEntries) {
      const entries = journal.since(this.#savedEntries);
      const parts = [...journalParts(journal.total - entries.length + 1, entries, false, droppedFrom(journal))];
      this.#savedEntries = journal.total;
      Object.assign(change, parts.pop());
      yield* parts;
    }
    const fresh = [...snapshots].filter(([name, one]) => this.#snapshots.get(name) !== one);
    if (fresh.length > 0 || snapshots.size !== this.#snapshots.size) {
      for (const [name, one] of fresh) yield* snapshotParts(name, one);
      change.snapshots = [...snapshots.keys()];
      this.#snapshots = new Map(snapshots);
    }
    if (Object.keys(change).length > 0) yield change;
  }

  /** The state of this instant, which is read later. Leaves the next `changes` as it is. */
  whole(): Iterable<Change> {
    const { scenarioRunner, limiter, journal, snapshots, clock, ids, idSeed, requestIds, scheduler, readings, trimmedRows } =
      this.#tenant;
    const options = this.#options();
    const small = plainCopy({
      drawn: idSeed,
      clock: { mode: clock.mode, speed: clock.speed, now: clock.now(), given: paceOf(options.clock) },
      ids: ids.state,
      requestIds: requestIds.state,
      jobs: scheduler.sequence,
      beyond: scenarioRunner.runtimeState(options.scenarios),
      readings: readings.changes,
      trimmedRows,
      limiter: { isWhole: true, calls: limiter.snapshot() },
    });
    return allParts(small, inParts(journal, true), new Map(snapshots));
  }

  #pace(): Change {
    const { clock, ids, idSeed, requestIds, scheduler } = this.#tenant;
    const given = paceOf(this.#options().clock);
    const pace = { mode: clock.mode, speed: clock.speed, given };
    const small = { ids: ids.state, drawn: idSeed, requestIds: requestIds.state, jobs: scheduler.sequence };
    const text = JSON.stringify([pace, small, clock.mode !== "real" || clock.speed !== 1 ? clock.now() : clock.ahead]);
    if (text === this.#small) return {};
    this.#small = text;
    return { clock: { ...pace, now: clock.now() }, ...small };
  }
}

function paceOf({ mode, speed }: Pace): Pace {
  return { mode, speed };
}

function* allParts(small: Change, calls: Iterable<Change>, snapshots: ReadonlyMap<string, TenantSnapshot>): Iterable<Change> {
  yield small;
  yield* calls;
  for (const [name, one] of snapshots) yield* snapshotParts(name, one);
  yield { snapshots: [...snapshots.keys()] };
}

/** The entries of this instant. */
function inParts(journal: Journal, isWhole: boolean): Iterable<Change> {
  const entries = journal.all();
  return journalParts(journal.total - entries.length + 1, entries, isWhole, droppedFrom(journal));
}

function droppedFrom(journal: Journal): Dropped | undefined {
  if (journal.dropped === 0) return undefined;
  return { first: journal.total - journal.size + 1, count: journal.dropped };
}

function* journalParts(
  first: number,
  entries: readonly JournalEntry[],
  isWhole: boolean,
  dropped: Dropped | undefined,
): Iterable<Change> {
  let from = first;
  for (const part of inPieces(entries)) {
    const isFirst = from === first;
    yield { journal: { isWhole: isWhole && isFirst, from, entries: part, ...(dropped && isFirst ? { dropped } : {}) } };
    from += part.length;
  }
  if (isWhole && entries.length === 0) yield { journal: { isWhole, from, entries: [], ...(dropped ? { dropped } : {}) } };
}

export function* inPieces<Item>(items: Iterable<Item>): Iterable<Item[]> {
  let piece: Item[] = [];
  let characters = 0;
  for (const item of items) {
    const length = lengthOf(item);
    if (piece.length >= PART_ITEMS_MAX || (piece.length > 0 && characters + length > PART_CHARACTERS_MAX)) {
      yield piece;
      piece = [];
      characters = 0;
    }
    piece.push(item);
    characters += length;
  }
  if (piece.length > 0) yield piece;
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  let length = 2;
  for (const name in value) length += name.length + 4 + lengthOf((value as Record<string, unknown>)[name]);
  return length;
}

function* snapshotParts(name: string, { store, ...rest }: TenantSnapshot): Iterable<Change> {
  const { entries } = rest.journal;
  yield { snapshot: { name, rest: { ...rest, journal: { ...rest.journal, entries: [] } } } };
  for (const part of inPieces(entries)) yield { snapshot: { name, entries: part } };
  for (const rows of inPieces(rowsOf(store))) yield { snapshot: { name, rows } };
}

function* rowsOf(store: TenantSnapshot["store"]): Iterable<[collection: string, row: Row]> {
  for (const [collection, record] of Object.entries(store)) for (const row of Object.values(record)) yield [collection, row];
}

/** Folds `change` into `before`, and changes `before`. */
export function foldChange(before: unknown, change: unknown): Change {
  const folded = (before ?? {}) as Change;
  const { limiter, journal, snapshot, snapshots, past, ...rest } = change as Change & { now?: number };
  // Version 1 wrote the time beside the ids.
  if (rest.now !== undefined) rest.clock = { now: rest.now };
  delete rest.now;
  Object.assign(folded, rest);
  if (limiter) {
    const before = folded.limiter?.calls;
    const calls = limiter.isWhole || !(before instanceof Map) ? new Map<string, number[]>() : before;
    for (const [key, times] of limiter.calls) {
      calls.delete(key);
      calls.set(key, times);
    }
    folded.limiter = { isWhole: true, calls };
  }
  if (journal) folded.journal = foldJournal(folded.journal, journal);
  if (past) folded.past = [...(folded.past ?? []), ...past];
  if (snapshot) foldSnapshot(folded, snapshot);
  if (snapshots) {
    const { taken } = folded;
    // An object would sort numeric names first.
    folded.taken = new Map(
      snapshots.flatMap((name) => {
        const one = taken?.get(name);
        return one ? [[name, one] as const] : [];
      }),
    );
  }
  return folded;
}

function foldJournal(before: Change["journal"], change: NonNullable<Change["journal"]>): NonNullable<Change["journal"]> {
  if (!before || change.isWhole) return { ...change, isWhole: true };
  const total = before.from + before.entries.length - 1;
  // Entries that dropped before they were saved leave a gap, and then all earlier entries have dropped too.
  if (change.from > total + 1) return { ...change, isWhole: true };
  // A file that was rewritten during calls may hold entries twice.
  const fresh = change.entries.slice(Math.max(0, total + 1 - change.from));
  for (const one of fresh) before.entries.push(one);
  if (change.dropped) before.dropped = change.dropped;
  const surplus = (before.dropped?.first ?? before.from) - before.from;
  // Many entries leave at once, because each cut copies the others.
  if (surplus > ENTRIES_MAX) cutDropped(before);
  return before;
}

/** Removes the entries that count as dropped. */
function cutDropped(journal: NonNullable<Change["journal"]>): void {
  const surplus = (journal.dropped?.first ?? journal.from) - journal.from;
  if (surplus <= 0) return;
  journal.entries = journal.entries.slice(surplus);
  journal.from += surplus;
}

function foldSnapshot(folded: Change, { name, rest, entries = [], rows = [] }: NonNullable<Change["snapshot"]>): void {
  folded.taken ??= new Map();
  if (rest) folded.taken.set(name, { ...rest, store: {} });
  const taken = folded.taken.get(name);
  if (!taken) return;
  for (const entry of entries) taken.journal.entries.push(entry);
  const { store } = taken;
  for (const [collection, row] of rows) {
    // An id may be `__proto__`, so the object has no prototype.
    store[collection] ??= Object.create(null) as Record<string, Row>;
    store[collection][row.id] = row;
  }
}

export function restoreTenant(tenant: PersistedTenant, saved: unknown, options: StartSettings): void {
  const { clock, ids, drawn, requestIds, jobs, beyond, readings, trimmedRows, limiter, journal, taken } = (saved ?? {}) as Change;
  if (ids) tenant.ids.state = ids;
  if (drawn) tenant.idSeed = drawn;
  if (requestIds) tenant.requestIds.state = requestIds;
  if (jobs !== undefined) tenant.scheduler.sequence = jobs;
  if (clock) resumeClock(tenant, clock, options.clock);
  if (beyond) tenant.scenarioRunner.resume(beyond, options.scenarios);
  if (readings) tenant.readings.changes = readings;
  if (trimmedRows) tenant.trimmedRows = trimmedRows;
  if (limiter) tenant.limiter.load([...limiter.calls].filter(([, times]) => times.length > 0));
  if (journal) {
    cutDropped(journal);
    const { from, entries, dropped } = journal;
    tenant.journal.load({ entries, dropped: dropped?.count ?? 0 }, from + entries.length - 1);
  }
  for (const [name, one] of taken ?? []) tenant.snapshots.set(name, one);
}

/** A saved clock that does not flow continues where it stood. A start time of the options counts only when it is later. */
export function resumedStart(saved: unknown, configured: ClockStart): ClockStart {
  const { clock } = (saved ?? {}) as Change;
  if (!clock || (configured.now !== undefined && !configured.isUnset) || !isInClock(clock.now)) return configured;
  const { mode, speed } = isPaceKept(clock, configured) ? clock : configured;
  return mode === "real" ? configured : { mode, speed, now: clock.now };
}

function isPaceKept(clock: NonNullable<Change["clock"]>, configured: Pace): clock is { now: number } & Pace {
  const isConfigUnchanged = clock.given?.mode === configured.mode && clock.given.speed === configured.speed;
  return isConfigUnchanged && clock.mode !== undefined && clock.speed !== undefined && speedProblem(clock.speed) === undefined;
}

function resumeClock(tenant: PersistedTenant, clock: NonNullable<Change["clock"]>, configured: Pace): void {
  if (isPaceKept(clock, configured)) tenant.clock.set({ mode: clock.mode, speed: clock.speed });
  // Older versions saved instants outside the clock's range.
  if (isInClock(clock.now) && clock.now > tenant.clock.now()) tenant.clock.set({ now: clock.now });
}
