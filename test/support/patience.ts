/** Limits of real time on a busy machine. */
import { availableParallelism, loadavg } from "node:os";

/** Limit for npm and other programs in milliseconds. On a slow machine they take minutes. Only a program that hangs reaches it. */
export const PROGRAM_MS = 480_000;

/** Runnable tasks per processor: 1 on a quiet machine. Windows reports no load, so there it is 1. */
export function load(): number {
  return Math.max(1, (loadavg()[0] as number) / availableParallelism());
}

/** Beyond this factor a limit would catch nothing. */
const FACTOR_MAX = 8;

/**
 * A limit of real time for this machine, in whole milliseconds. `ms` is the limit on a quiet machine.
 * It doubles in CI, where tests run side by side, and grows with the load, up to the eightfold limit.
 */
export function within(ms: number): number {
  return Math.ceil(ms * Math.min(FACTOR_MAX, load() * (process.env.CI ? 2 : 1)));
}

const LOOKS_MAX = 50_000;

/** Looks again and again until something is so, with a turn of the event loop in between. A wait for what never happens fails here. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks++) {
    if (looks === LOOKS_MAX) throw new Error(`it is never so: ${isSo}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
