/** Limits of real time on a busy machine. */
import { availableParallelism, loadavg } from "node:os";

/** Limit for npm and other programs in milliseconds. On a slow machine they take minutes. Only a program that hangs reaches it. */
export const PROGRAM_MS = 480_000;

/** Runnable tasks per processor: 1 on a quiet machine. Windows reports no load, so there it is 1. */
export function load(): number {
  return Math.max(1, (loadavg()[0] as number) / availableParallelism());
}

/**
 * A limit of real time for this machine, in whole milliseconds. `ms` is the limit on a quiet machine.
 * It doubles in CI, where tests run side by side, and grows with the load. It still catches work that takes minutes or never ends.
 */
export function within(ms: number): number {
  return Math.ceil(ms * load() * (process.env.CI ? 2 : 1));
}
