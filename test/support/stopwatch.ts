import { systemClock } from "../../src/engine/core/clock.ts";
import { hostOf } from "../../src/library/sandbox.ts";
import type { Sandbox } from "../../src/library/types.ts";

/** Real time that passes only when a test moves it. Automatic time measures silence with it. */
export class ManualTime {
  #now = 0;
  readonly #timers = new Map<object, { due: number; run: () => void }>();

  elapsed(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = {};
    this.#timers.set(timer, { due: this.#now + ms, run });
    return () => this.#timers.delete(timer);
  }

  /** Moves real time by `ms`, and runs no timer meanwhile. That happens on a busy machine. */
  stall(ms: number): void {
    this.#now += ms;
  }

  /** Moves real time by `ms`. The effects of each timer finish before the next timer runs. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const [next] = [...this.#timers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due);
      if (!next) break;
      const [timer, { due, run }] = next;
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, due);
      run();
    }
    this.#now = end;
  }
}

/** Turns of the event loop in which deliveries to functions of this process end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await systemClock.soon();
}

/** Makes the tenants of the sandbox measure silence with the returned time, including tenants that open later. */
export function withManualTime(sandbox: Sandbox): ManualTime {
  const time = new ManualTime();
  hostOf(sandbox).eachTenant((tenant) => tenant.auto.measureWith(time));
  return time;
}
