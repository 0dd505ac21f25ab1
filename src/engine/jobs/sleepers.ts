/**
 * Sleeps that clients declare, and answers that a rule holds back. They tell automatic time how far it may move: to the earliest end of a
 * sleep, and never past a delay, which takes its real time.
 */
import type { Clock } from "../core/tenant-clock.ts";

/** All threads of a program sleep, and no other program does. So nobody has anything else to do, and time moves after these real milliseconds. */
const ALONE_MS = 2;
/** A client that woke, or that called while another slept, will sleep or call again. It gets so many idle times. */
const STIRRED = 4;

export interface SleepRequest {
  /** Milliseconds. Undefined waits for an event, without an end. */
  by: number | undefined;
  /** The program declares the earliest of its sleeps. True: all its threads wait. False: one is busy, or waits for an answer. */
  alone?: boolean | undefined;
}

export interface Sleep {
  /** Resolves once the clock has moved far enough. Never resolves for a wait without an end. */
  over: Promise<void>;
  /** The client waits no longer. */
  cancel(): void;
}

interface Sleeper {
  wake(): void;
  until: number;
  isAlone: boolean;
  isBusy: boolean;
}

export class Sleepers {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #sleeping = new Set<Sleeper>();
  readonly #holds = new Set<{ until: number }>();
  #isStirred = false;
  #looks: { since: number; at: number; count: number } | undefined;
  /** Counts sleeps that ended. The repeated calls of a client that slept in between move no time. */
  wakes = 0;
  /** The client has declared a sleep, so its silence says little. */
  isKnown = false;
  onWait: (from: number, to: number) => void = () => {};

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get size(): number {
    return this.#sleeping.size;
  }

  /** Answers that a rule holds back. They never end a sleep that is shorter. */
  get held(): number {
    return this.#holds.size;
  }

  /** The earliest end of a sleep, epoch ms on the clock. */
  get next(): number | undefined {
    return earliest(this.#sleeping);
  }

  /** The earliest end of a delay, if the clock moved as real time does. */
  get heldUntil(): number {
    return earliest(this.#holds) ?? Number.POSITIVE_INFINITY;
  }

  /** Every sleeper waits for an event, and no answer is due. */
  get waitsForEvents(): boolean {
    return this.#sleeping.size > 0 && this.next === undefined && this.#holds.size === 0;
  }

  /** Real milliseconds without a sign of the client, after which time may move. */
  grace(idle_ms: number): number {
    const all = [...this.#sleeping];
    if (all.every(({ isAlone }) => isAlone)) return Math.min(ALONE_MS, idle_ms);
    return this.#isStirred || all.some(({ isBusy }) => isBusy) ? STIRRED * idle_ms : idle_ms;
  }

  sleep({ by, alone }: SleepRequest): Sleep {
    const from = this.#clock.now();
    this.isKnown = true;
    this.#looks = undefined;
    this.#isStirred = false;
    for (const other of this.#sleeping) other.isAlone = false;
    const until = by === undefined ? Number.POSITIVE_INFINITY : from + by;
    const isAlone = alone === true && this.#sleeping.size === 0;
    const sleeper: Sleeper = { until, isAlone, isBusy: alone === false, wake: () => woken() };
    this.#sleeping.add(sleeper);
    const end = () => {
      if (!this.#sleeping.delete(sleeper)) return false;
      this.wakes++;
      this.stir();
      const now = this.#clock.now();
      if (now > from) this.onWait(from, now);
      return true;
    };
    let resolve = () => {};
    const over = new Promise<void>((done) => {
      resolve = done;
    });
    const woken = () => {
      if (!end()) return;
      resolve();
      // A sleep may also end without a move of automatic time, which then looks for the next one.
      this.#changed();
    };
    const timer = this.#clock.at(until, woken, { skipped: true });
    this.#changed();
    return {
      over,
      cancel: () => {
        if (!end()) return;
        this.#clock.cancel(timer);
        this.#changed();
      },
    };
  }

  /** Counts an answer that a rule holds back for `ms` real milliseconds. Returns the function that ends this. */
  hold(ms: number): () => void {
    const hold = { until: this.#clock.now() + ms };
    this.#holds.add(hold);
    this.#changed();
    return () => {
      if (this.#holds.delete(hold)) this.#changed();
    };
  }

  /**
   * A client looks at the clock. From the third look on, without a call in between, it waits for the clock to move.
   * @returns how far the clock may move now: as far as it has moved since the first look, and at least by `least_ms`
   */
  look(least_ms: number): number | undefined {
    const now = this.#clock.now();
    const looks = this.#looks;
    if (!looks) {
      this.#looks = { since: now, at: now, count: 1 };
      return undefined;
    }
    looks.count++;
    return looks.count > 2 ? now + Math.max(least_ms, now - looks.since) : undefined;
  }

  /** The look is answered. */
  looked(): void {
    const now = this.#clock.now();
    if (!this.#looks) return;
    if (now > this.#looks.at) this.onWait(this.#looks.at, now);
    this.#looks.at = now;
  }

  called(): void {
    this.#looks = undefined;
    this.stir();
  }

  /** Somebody is awake while others sleep. */
  stir(): void {
    if (this.#sleeping.size === 0) return;
    this.#isStirred = true;
    for (const one of this.#sleeping) one.isAlone = false;
  }

  /** A reset of the clock drops its timers, so nobody may go on sleeping. */
  clear(): void {
    for (const sleeper of [...this.#sleeping]) sleeper.wake();
    this.#looks = undefined;
  }
}

function earliest(all: Iterable<{ until: number }>): number | undefined {
  const first = Math.min(...[...all].map(({ until }) => until));
  return Number.isFinite(first) ? first : undefined;
}
