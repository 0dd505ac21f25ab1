/** An engine without a service: a frozen clock, a store with the engine's tables, and the jobs of the test. */
import { onTestFinished } from "vitest";
import { Clock } from "../../src/engine/core/tenant-clock.ts";
import { type JobHandlers, Scheduler } from "../../src/engine/jobs/scheduler.ts";
import { engineTables } from "../../src/engine/jobs/rows.ts";
import { openStore } from "../../src/engine/store/store.ts";

export const START = Date.UTC(2026, 2, 2, 9);

export function engine(handlers: JobHandlers<null>) {
  const errors: string[] = [];
  const clock = new Clock({ mode: "frozen", now: START, onError: (error) => errors.push((error as Error).message) });
  onTestFinished(() => clock.stop());
  const store = openStore(engineTables, new Map(), { freeze: true });
  const scheduler = new Scheduler<null>(clock, store, handlers, () => null);
  return { clock, store, scheduler, errors, advance: (ms: number) => clock.advance({ to: clock.now() + ms }) };
}
