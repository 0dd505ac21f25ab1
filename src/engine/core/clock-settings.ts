import type { TimeSource } from "./clock.ts";
import type { CLOCK_MODES } from "./time-limits.ts";

/** `real` flows by itself, `frozen` moves only by `advance`, and `auto` moves while a client waits. */
export type ClockMode = (typeof CLOCK_MODES)[number];

/**
 * Default: `real` at speed 1, from the wall clock's time. `now` is in epoch ms. A real clock counts from `source`. Errors go to standard
 * error.
 */
export interface ClockSettings {
  mode?: ClockMode;
  now?: number;
  speed?: number;
  onError?: (error: unknown) => void;
  source?: TimeSource;
}

/** One `advance` runs at most this many timers. More timers suggest that a timer schedules itself without end. */
export const TIMERS_MAX = 100_000;

export class ClockError extends Error {
  override readonly name = "ClockError";
}

export class EndlessClockError extends ClockError {}

export type Goal = { by: number } | { to: number } | { until: "next" | "idle" };
