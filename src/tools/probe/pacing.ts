/** Time as the probe sees it. The command line uses the wall clock; tests drive their own. */
export interface PacingClock {
  now(): number;
  wait(ms: number): Promise<void>;
}

/** A second more than a minute, because calls travel for different times. */
const WINDOW_MS = 61_000;

export class Pacing {
  readonly #clock: PacingClock;
  readonly #perMinute: number;
  #times: number[] = [];

  constructor(clock: PacingClock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  /** Waits until `count` calls may follow each other without a pause. */
  async room(count: number): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      this.#times = this.#times.filter((time) => time > now - WINDOW_MS);
      const surplus = this.#times.length + Math.min(count, this.#perMinute) - this.#perMinute;
      if (surplus <= 0) return;
      await this.#clock.wait((this.#times[surplus - 1] as number) + WINDOW_MS - now);
    }
  }

  async turn(): Promise<void> {
    await this.room(1);
    this.#times.push(this.#clock.now());
  }

  now(): number {
    return this.#clock.now();
  }

  wait(ms: number): Promise<void> {
    return this.#clock.wait(ms);
  }
}
