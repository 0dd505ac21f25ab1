/** Limits of real time on a busy machine. */
import { availableParallelism, loadavg } from "node:os";

/** The tasks that want each processor right now: 1 on a quiet machine. Windows tells no load, so there it is 1. */
export function load(): number {
  return Math.max(1, (loadavg()[0] as number) / availableParallelism());
}

/**
 * A limit of real time for this machine. `ms` is the limit on a quiet machine. It doubles in CI, where other tests run side by side, and grows with
 * the load. It is whole, as limits of Node must be. It still catches what it guards against: work that takes minutes, or does not end.
 */
export function within(ms: number): number {
  return Math.ceil(ms * load() * (process.env.CI ? 2 : 1));
}
