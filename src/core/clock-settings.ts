import type { TimeSource } from "./clock.ts";
import type { CLOCK_MODES } from "./time-limits.ts";

/** `real` flows by itself; `frozen` moves by `advance` alone; `auto` moves while a client waits. */
export type ClockMode = (typeof CLOCK_MODES)[number];

/**
 * Default: `real`, from the wall clock's time (`now` in epoch ms), at speed 1. Errors go to standard error. A real clock counts from
 * `source`.
 */
export interface ClockSettings {
  mode?: ClockMode;
  now?: number;
  speed?: number;
  onError?: (error: unknown) => void;
  source?: TimeSource;
}

/** One `advance` runs at most this many timers. More suggest that a timer reschedules itself without end. */
export const TIMERS_MAX = 100_000;

export class ClockError extends Error {
  override readonly name = "ClockError";
}

export class EndlessClockError extends ClockError {}

export type Goal = { by: number } | { to: number } | { until: "next" | "idle" };
