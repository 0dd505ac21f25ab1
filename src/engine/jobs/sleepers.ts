/**
 * Sleeps and waits that a client declares, and answers that a rule holds back. They tell automatic time how far it may move: to the
 * earliest end, and only while every process that is known sleeps.
 */
import { type Stopwatch, systemClock } from "../core/clock.ts";
import type { Clock } from "../core/tenant-clock.ts";

/** A process that sleeps alone has nothing else to do, so time moves after these real milliseconds. */
const ALONE_MS = 2;
/** A process that woke counts as busy until it sleeps again, or at most for these real milliseconds. */
const AWAKE_MS = 500;

export interface SleepRequest {
  /** Milliseconds. Undefined waits for an event, without an end. */
  by: number | undefined;
  /** A name for the process. Sleeps of one process belong together. */
  process?: string | undefined;
  /** How many other threads of the process may be busy. */
  others?: number | undefined;
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
  process: string;
  others: number;
}

export class Sleepers {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #sleeping = new Set<Sleeper>();
  readonly #holds = new Set<{ until: number }>();
  /** Threads that woke and have not slept again, by process. */
  readonly #awake = new Map<string, { threads: number; since: number }>();
  #looks: { since: number; at: number; count: number } | undefined;
  #time: Stopwatch = systemClock;
  /** Counts sleeps that ended. The repeated calls of a client that slept in between move no time. */
  wakes = 0;
  /** The client has declared a sleep, so its silence says little. */
  isKnown = false;
  onWait: (from: number, to: number) => void = () => {};

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  measureWith(time: Stopwatch): void {
    this.#time = time;
  }

  get size(): number {
    return this.#sleeping.size;
  }

  /** Answers that a rule holds back. They never end a wait of the client that is shorter. */
  get held(): number {
    return this.isKnown ? this.#holds.size : 0;
  }

  /** The earliest end, epoch ms on the clock. */
  get next(): number | undefined {
    const ends = [...this.#sleeping, ...(this.isKnown ? this.#holds : [])].map(({ until }) => until);
    const next = Math.min(...ends);
    return Number.isFinite(next) ? next : undefined;
  }

  /** Every sleeper waits for an event, and no answer is due. */
  get waitsForEvents(): boolean {
    return this.#sleeping.size > 0 && this.next === undefined;
  }

  /** Real milliseconds without a sign of the client, after which time may move. */
  grace(idle_ms: number): number {
    if (this.#awake.size > 0) return AWAKE_MS;
    const processes = new Set([...this.#sleeping].map(({ process }) => process));
    const isAlone = processes.size === 1 && [...this.#sleeping].every(({ process, others }) => process !== "" && others === 0);
    return isAlone && this.#holds.size === 0 ? Math.min(ALONE_MS, idle_ms) : idle_ms;
  }

  sleep({ by, process = "", others = 0 }: SleepRequest): Sleep {
    const from = this.#clock.now();
    this.isKnown = true;
    this.#looks = undefined;
    this.#sleptAgain(process);
    const until = by === undefined ? Number.POSITIVE_INFINITY : from + by;
    const sleeper: Sleeper = { until, process, others, wake: () => woken() };
    this.#sleeping.add(sleeper);
    let isOver = false;
    const end = () => {
      if (isOver) return false;
      isOver = true;
      this.#sleeping.delete(sleeper);
      this.wakes++;
      const now = this.#clock.now();
      if (now > from) this.onWait(from, now);
      return true;
    };
    const timer = this.#clock.at(sleeper.until, () => woken(), { deadline: true, skipped: true });
    let resolve = () => {};
    const woken = () => {
      if (!end()) return;
      if (process !== "" && (by ?? 1) > 0) this.#woke(process);
      resolve();
    };
    const over = new Promise<void>((done) => {
      resolve = done;
    });
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

  /** Counts an answer that a rule holds back until the clock has moved by `ms`, or until `over` is called. */
  hold(ms: number): { reached: Promise<void>; over(): void } {
    const hold = { until: this.#clock.now() + ms };
    this.#holds.add(hold);
    let resolve = () => {};
    const reached = new Promise<void>((done) => {
      resolve = done;
    });
    const timer = this.#clock.at(hold.until, () => (this.isKnown ? resolve() : undefined), { deadline: true, skipped: true });
    this.#changed();
    return {
      reached,
      over: () => {
        if (!this.#holds.delete(hold)) return;
        this.#clock.cancel(timer);
        this.#changed();
      },
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

  /** A call shows that the client is busy with something else. */
  called(): void {
    this.#looks = undefined;
  }

  /** Nothing came from a process that woke. It ended, or it waits for something that docdouble does not know. */
  forgetAwake(): void {
    const now = this.#time.elapsed();
    for (const [process, { since }] of this.#awake) if (now - since >= AWAKE_MS) this.#awake.delete(process);
  }

  /** A reset of the clock drops its timers, so nobody may go on sleeping. */
  clear(): void {
    for (const sleeper of [...this.#sleeping]) sleeper.wake();
    this.#awake.clear();
    this.#looks = undefined;
  }

  #woke(process: string): void {
    const threads = (this.#awake.get(process)?.threads ?? 0) + 1;
    this.#awake.set(process, { threads, since: this.#time.elapsed() });
  }

  #sleptAgain(process: string): void {
    const awake = this.#awake.get(process);
    if (!awake) return;
    if (awake.threads <= 1) this.#awake.delete(process);
    else this.#awake.set(process, { threads: awake.threads - 1, since: this.#time.elapsed() });
  }
}
