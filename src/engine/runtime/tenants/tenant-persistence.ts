/** The state of a tenant beside its rows, as the data file and a world file keep it. */
import type { Choice } from "../../assumptions/switches.ts";
import type { Readings } from "../../assumptions/readings.ts";
import type { Clock } from "../../core/tenant-clock.ts";
import type { ClockMode } from "../../core/clock-settings.ts";
import { isInClock, speedProblem } from "../../core/time-limits.ts";
import type { Ids, IdState } from "../../core/ids.ts";
import type { EngineWorld, Settings } from "../world.ts";
import type { Journal, JournalEntry } from "../../journal/journal.ts";
import type { RateLimiter } from "../../jobs/rate-limit.ts";
import type { Scheduler } from "../../jobs/scheduler.ts";
import type { Scenario } from "../../scenario/load.ts";
import type { Put } from "../../store/database.ts";
import type { RunnerState, ScenarioRunner } from "../scenario-runs/scenario-runner.ts";
import type { ClockStart, IdSeed, TenantSnapshot } from "./snapshot.ts";

interface Pace {
  mode: ClockMode;
  speed: number;
}

export interface SavedClock extends Pace {
  now: number;
  /** The clock of the options at that time. Options that differ now replace the saved clock. */
  given: Pace;
}

interface KeptState {
  clock: SavedClock;
  ids: { rows: IdState; drawn: IdSeed; requests: IdState; jobs: number };
  scenarios: RunnerState;
  readings: Choice;
  limiter: [key: string, times: number[]][];
  trimmedRows: Readonly<Record<string, number>>;
  journal: { total: number; dropped: number };
  /** The names of the snapshots, oldest first. A record would have numeric names first. */
  snapshots: string[];
}

/** By collection and id. A fresh tenant has none of it. */
export interface Kept {
  state?: Partial<KeptState>;
  /** By number. */
  calls?: Record<string, JournalEntry>;
  snapshots?: Record<string, TenantSnapshot>;
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

/** A part of the state. It is written when its version differs from the version that was written last. */
interface Part<Value> {
  version(): unknown;
  value(): Value;
}

type Parts = { readonly [Name in keyof KeptState]: Part<KeptState[Name]> };

function partsOf(tenant: PersistedTenant, options: () => StartSettings): Parts {
  const { clock, ids, requestIds, scheduler, scenarioRunner, limiter, journal, snapshots, settings, readings } = tenant;
  const pace = () => ({ mode: clock.mode, speed: clock.speed, given: paceOf(options().clock) });
  const drawn = () => ({ rows: ids.state, drawn: tenant.idSeed, requests: requestIds.state, jobs: scheduler.sequence });
  return {
    clock: {
      // A clock that flows as the wall clock does has a new time at any instant.
      version: () => JSON.stringify([pace(), clock.mode !== "real" || clock.speed !== 1 ? clock.now() : clock.ahead]),
      value: () => ({ ...pace(), now: clock.now() }),
    },
    ids: { version: () => JSON.stringify(drawn()), value: drawn },
    scenarios: {
      version: () => `${scenarioRunner.revision} ${JSON.stringify(settings.transitions)}`,
      value: () => scenarioRunner.runtimeState(options().scenarios),
    },
    readings: { version: () => readings.revision, value: () => readings.changes },
    limiter: { version: () => limiter.revision, value: () => limiter.snapshot() },
    trimmedRows: { version: () => tenant.trimmedRows, value: () => tenant.trimmedRows },
    journal: {
      version: () => `${journal.loads} ${journal.total} ${journal.dropped}`,
      value: () => ({ total: journal.total, dropped: journal.dropped }),
    },
    snapshots: { version: () => JSON.stringify([...snapshots.keys()]), value: () => [...snapshots.keys()] },
  };
}

function paceOf({ mode, speed }: Pace): Pace {
  return { mode, speed };
}

function firstNumber({ total, size }: Journal): number {
  return total - size + 1;
}

function numbered(journal: Journal): Record<string, JournalEntry> {
  return Object.fromEntries(journal.all().map((entry, i) => [firstNumber(journal) + i, entry]));
}

export function keptOf(tenant: PersistedTenant, options: StartSettings): Kept & { state: KeptState } {
  const parts = Object.entries(partsOf(tenant, () => options)).map(([name, { value }]) => [name, value()]);
  return {
    state: Object.fromEntries(parts) as KeptState,
    calls: numbered(tenant.journal),
    snapshots: Object.fromEntries(tenant.snapshots),
  };
}

/** Puts what changed since the last call. Counts calls and snapshots of this instant as saved. */
export function saverOf(tenant: PersistedTenant, saved: Kept, options: () => StartSettings): (put: Put) => void {
  const { journal, snapshots } = tenant;
  const parts = Object.entries(partsOf(tenant, options));
  const versions = new Map<string, unknown>();
  let { loads, total } = journal;
  let first = Number(Object.keys(saved.calls ?? {})[0] ?? firstNumber(journal));
  let taken = new Map(snapshots);
  return (put) => {
    for (const [name, { version, value }] of parts) {
      const now = version();
      if (versions.get(name) === now) continue;
      versions.set(name, now);
      put(value(), "state", name);
    }
    if (journal.loads !== loads) put(numbered(journal), "calls");
    else {
      for (const [i, entry] of journal.since(total).entries())
        put(entry, "calls", String(Math.max(total + 1, firstNumber(journal)) + i));
      for (; first < firstNumber(journal); first++) if (first <= total) put(undefined, "calls", String(first));
    }
    [loads, total, first] = [journal.loads, journal.total, firstNumber(journal)];
    for (const [name, one] of snapshots) if (taken.get(name) !== one) put(one, "snapshots", name);
    for (const name of taken.keys()) if (!snapshots.has(name)) put(undefined, "snapshots", name);
    taken = new Map(snapshots);
  };
}

export function restoreTenant(
  tenant: PersistedTenant,
  { state = {}, calls = {}, snapshots = {} }: Kept,
  options: StartSettings,
): void {
  const { clock, ids, scenarios, readings, limiter, trimmedRows, journal } = state;
  if (ids) {
    tenant.ids.state = ids.rows;
    tenant.idSeed = ids.drawn;
    tenant.requestIds.state = ids.requests;
    tenant.scheduler.sequence = ids.jobs;
  }
  if (clock) resumeClock(tenant, clock, options.clock);
  if (scenarios) tenant.scenarioRunner.resume(scenarios, options.scenarios);
  if (readings) tenant.readings.changes = readings;
  if (trimmedRows) tenant.trimmedRows = trimmedRows;
  if (limiter) tenant.limiter.load(limiter);
  if (journal) tenant.journal.load({ entries: Object.values(calls), dropped: journal.dropped }, journal.total);
  for (const name of state.snapshots ?? []) {
    const one = snapshots[name];
    if (one) tenant.snapshots.set(name, one);
  }
}

/** A saved clock that does not flow continues where it stood. A start time of the options counts only when it is later. */
export function resumedStart({ state }: Kept, configured: ClockStart): ClockStart {
  const clock = state?.clock;
  if (!clock || (configured.now !== undefined && !configured.isUnset) || !isInClock(clock.now)) return configured;
  const { mode, speed } = isPaceKept(clock, configured) ? clock : configured;
  return mode === "real" ? configured : { mode, speed, now: clock.now };
}

function isPaceKept({ given, speed }: SavedClock, configured: Pace): boolean {
  return given.mode === configured.mode && given.speed === configured.speed && speedProblem(speed) === undefined;
}

function resumeClock(tenant: PersistedTenant, clock: SavedClock, configured: Pace): void {
  if (isPaceKept(clock, configured)) tenant.clock.set(paceOf(clock));
  if (isInClock(clock.now) && clock.now > tenant.clock.now()) tenant.clock.set({ now: clock.now });
}
