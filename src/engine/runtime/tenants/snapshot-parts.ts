import type { Readings } from "../../assumptions/readings.ts";
import type { Ids } from "../../core/ids.ts";
import type { Clock } from "../../core/tenant-clock.ts";
import type { Settings, Tables } from "../world.ts";
import type { AutoTime } from "../../jobs/auto-time.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RateLimiter } from "../../jobs/rate-limit.ts";
import type { Scheduler } from "../../jobs/scheduler.ts";
import type { Store } from "../../store/store.ts";
import type { ScenarioRunner } from "../scenario-runs/scenario-runner.ts";
import type { IdSeed, TenantSnapshot } from "./snapshot.ts";

export interface SnapshotPart<State> {
  take(): State;
  put(state: State): void;
}

interface Parts {
  readonly clock: Clock;
  readonly auto: Pick<AutoTime, "reset">;
  readonly store: Store<Tables>;
  trimmedRows: Readonly<Record<string, number>>;
  readonly scheduler: Pick<Scheduler<never>, "sequence">;
  readonly ids: Ids;
  idSeed: IdSeed;
  readonly requestIds: Ids;
  readonly journal: Journal;
  readonly limiter: RateLimiter;
  readonly scenarioRunner: ScenarioRunner;
  readonly settings: Settings;
  readonly readings: Readings;
}

export function snapshotParts(tenant: Parts): { readonly [Name in keyof TenantSnapshot]: SnapshotPart<TenantSnapshot[Name]> } {
  return {
    clock: {
      take: () => ({ mode: tenant.clock.mode, now: tenant.clock.now(), speed: tenant.clock.speed }),
      put: (clock) => {
        tenant.clock.reset(clock);
        tenant.auto.reset();
      },
    },
    store: { take: () => tenant.store.snapshot(), put: (data) => tenant.store.restore(data) },
    trimmedRows: {
      take: () => tenant.trimmedRows,
      put: (rows: Readonly<Record<string, number>>) => {
        tenant.trimmedRows = rows;
      },
    },
    scheduler: { take: () => tenant.scheduler.sequence, put: (sequence) => Object.assign(tenant.scheduler, { sequence }) },
    ids: { take: () => tenant.ids.state, put: (state) => Object.assign(tenant.ids, { state }) },
    drawn: {
      take: () => tenant.idSeed,
      put: (idSeed) => Object.assign(tenant, { idSeed }),
    },
    requestIds: { take: () => tenant.requestIds.state, put: (state) => Object.assign(tenant.requestIds, { state }) },
    journal: { take: () => tenant.journal.snapshot(), put: (journal) => tenant.journal.load(journal) },
    limiter: { take: () => tenant.limiter.snapshot(), put: (limiter) => tenant.limiter.load(limiter) },
    player: { take: () => tenant.scenarioRunner.snapshot(), put: (runner) => tenant.scenarioRunner.restore(runner) },
    settings: {
      take: () => tenant.settings,
      // A snapshot from a data file keeps this process's addresses.
      put: ({ addressPolicy, publicUrl, ...settings }) => Object.assign(tenant.settings, settings),
    },
    readings: {
      take: () => tenant.readings.changes,
      put: (changes) => {
        tenant.readings.changes = changes;
      },
    },
  };
}
