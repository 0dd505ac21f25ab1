/** The public types of clocks. */

/** How far to advance: milliseconds, a duration such as `3d`, an instant, the next timer, or until no timer is left. */
export type AdvanceGoal = number | string | { by: string | number } | { to: string | number } | { until: "next" | "idle" };

/** How time passes. `real` flows, `frozen` stands until `clock.advance`, `auto` moves while the client waits. */
export type ClockMode = "real" | "frozen" | "auto";

/** A clock mode with settings of automatic time. */
export interface AutoClock {
  /** How time passes. */
  mode: ClockMode;
  /** Real milliseconds without a call before time moves for a waiting client. Default: 25. */
  idle?: number;
  /** How far the clock moves between two polls, as a duration. Default: `1s`. */
  poll?: string;
}

/** Fake timers: `vi` of Vitest, `jest` of Jest, `mock.timers` of node:test, or a clock of `@sinonjs/fake-timers`. */
export type FakeTimers =
  | { advanceTimersByTimeAsync(ms: number): Promise<unknown>; useFakeTimers(...options: never[]): unknown }
  | { tick(ms: number): void; runAll(): void; enable(...options: never[]): void }
  | { readonly now: number; tickAsync(ms: number): Promise<unknown> };

/** A job that ran because time moved. */
export interface Fired {
  /** The kind of job. Example: `expire_document`. */
  kind: string;
  /** When the job was due, in epoch ms. */
  at: number;
  /** The data of the job, such as a document's id. */
  payload: Record<string, unknown>;
  /** Why the service refused the step of an actor. */
  refused?: string;
}
