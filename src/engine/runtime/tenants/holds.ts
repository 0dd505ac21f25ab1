/** Calls that a rule holds until another call arrives. They belong to the process, and not to the state of a tenant. */
import { systemClock } from "../../core/clock.ts";
import type { Clock } from "../../core/tenant-clock.ts";

export class Holds {
  readonly #released = new Map<string, Set<() => void>>();

  /** Resolves at the next `release` of the rule. `cancel` forgets the wait. */
  wait(rule: string): { until: Promise<void>; cancel: () => void } {
    let cancel = () => {};
    const until = new Promise<void>((resolve) => {
      const waiting = this.#released.get(rule) ?? new Set();
      this.#released.set(rule, waiting.add(resolve));
      cancel = () => {
        waiting.delete(resolve);
        if (waiting.size === 0 && this.#released.get(rule) === waiting) this.#released.delete(rule);
      };
    });
    return { until, cancel };
  }

  /** Calls that are held now. */
  get open(): number {
    return [...this.#released.values()].reduce((sum, waiting) => sum + waiting.size, 0);
  }

  releaseAll(): void {
    for (const rule of [...this.#released.keys()]) this.release(rule);
  }

  release(rule: string): void {
    const waiting = this.#released.get(rule);
    this.#released.delete(rule);
    for (const resolve of waiting ?? []) resolve();
  }
}

/**
 * Waits for `until`, at most `ms`: real milliseconds where the clock is real. Elsewhere the first of the two clocks ends the wait, so that
 * a call also ends with a frozen clock.
 */
export function untilOrLate(clock: Clock, ms: number, until: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      if (timer) clock.cancel(timer);
      resolve();
    };
    const cancel = systemClock.deadline(ms, end);
    const timer = clock.mode === "real" ? undefined : clock.at(clock.now() + ms, end);
    void until.then(end);
  });
}
