import type { Choice } from "../../assumptions/switches.ts";
import type { ClockMode } from "../../core/clock-settings.ts";
import type { Rows } from "../../store/store.ts";
import type { IdState } from "../../core/ids.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RateLimiter } from "../../jobs/rate-limit.ts";
import type { ScenarioRunner } from "../scenario-runs/scenario-runner.ts";
import type { Settings } from "../world.ts";

export interface ClockStart {
  mode: ClockMode;
  /** Epoch ms. Undefined follows the wall clock, also after a reset. */
  now?: number;
  speed: number;
  /** No option gives `now`: it is the time at which the process began. */
  isUnset?: boolean;
}

export interface IdSeed {
  from: string;
  seeds: number;
  /** Seed and tenant of the process in which the world began, when it came from a file. Resets draw ids from it. */
  origin?: { seed: string; tenant: string };
}

export function idsFrom({ seed, tenant }: NonNullable<IdSeed["origin"]>): string {
  return `${seed}/${tenant}`;
}

export interface TenantSnapshot {
  clock: ClockStart;
  store: Rows;
  trimmedRows: Readonly<Record<string, number>>;
  scheduler: number;
  ids: IdState;
  drawn: IdSeed;
  requestIds: IdState;
  journal: ReturnType<Journal["snapshot"]>;
  limiter: ReturnType<RateLimiter["snapshot"]>;
  player: ReturnType<ScenarioRunner["snapshot"]>;
  settings: Settings;
  readings: Choice;
}

/** A copy of a snapshot. It shares journal entries, which never change. The store copies its rows itself, when it gives and takes them. */
export function isolated({ store, journal, ...others }: TenantSnapshot): TenantSnapshot {
  return { ...structuredClone(others), store, journal };
}
