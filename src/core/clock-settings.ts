import type { TimeSource } from "./clock.ts";
import type { CLOCK_MODES } from "./time-limits.ts";

/** `real` flows by itself, `frozen` moves by `advance` alone, `auto` stands too and moves while a client waits. */
export type ClockMode = (typeof CLOCK_MODES)[number];

export interface ClockSettings {
  /** Whether time flows by itself. Default `real`. */
  mode?: ClockMode;
  /** Epoch milliseconds to start from. Default: the wall clock's time. */
  now?: number;
  /** How many times faster than the wall a real clock runs. Default 1. */
  speed?: number;
  /** Receives errors that timers throw. Default: writes them to standard error. */
  onError?: (error: unknown) => void;
  /** What a real clock counts from. Default: the wall clock. */
  source?: TimeSource;
}

/** One `advance` runs at most this many timers. More suggest that a timer reschedules itself without end. */
export const TIMERS_MAX = 100_000;

export class ClockError extends Error {
  override readonly name = "ClockError";
}

export class EndlessClockError extends ClockError {}

export type Goal = { by: number } | { to: number } | { until: "next" | "idle" };
