/**
 * Sleeps and waits that a client declares, and answers that a rule holds back. They tell automatic time how far it may move: to the
 * earliest end, and only while every process that is known sleeps.
 */
import { type Stopwatch, systemClock } from "../core/clock.ts";
import type { Clock } from "../core/tenant-clock.ts";
import { isAtWork, isVisible } from "./program-state.ts";

/** A process that sleeps alone has nothing else to do, so time moves after these real milliseconds. */
const ALONE_MS = 2;
/** A thread that may be busy counts as busy until it sleeps or calls, or at most for these real milliseconds. */
const BUSY_MS = 500;
/** A program may compute in one thread while another sleeps. Then its work holds time for these real milliseconds. */
const WORK_MS = 10_000;

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
}

/** The threads of one process that do not sleep. */
interface Process {
  /** Threads that woke and have not slept again. */
  awake: number;
  since: number;
  /** Other threads, as its newest sleep counted them. */
  others: number;
  /** So many of these other threads gave no sign. They wait for something that docdouble does not know. */
  quiet: number;
}

export class Sleepers {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #sleeping = new Set<Sleeper>();
  readonly #holds = new Set<{ until: number }>();
  readonly #processes = new Map<string, Process>();
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
    // A look at a visible program tells more about its other threads than silence does.
    const isBusy = ([name, { awake, others, quiet }]: [string, Process]) => awake > 0 || (others > quiet && !isVisible(name));
    if ([...this.#processes].some(isBusy)) return BUSY_MS;
    const [name = "", ...others] = new Set([...this.#sleeping].map(({ process }) => process));
    const isAlone = others.length === 0 && this.#processes.get(name)?.others === 0;
    return isAlone && this.#holds.size === 0 ? Math.min(ALONE_MS, idle_ms) : idle_ms;
  }

  /** A program that sleeps has a thread at work, and the last sign of the client is `silent_ms` old. */
  isAtWork(silent_ms: number): boolean {
    return this.#sleeping.size > 0 && silent_ms < WORK_MS && [...this.#processes.keys()].some(isAtWork);
  }

  sleep({ by, process = "", others = 0 }: SleepRequest): Sleep {
    const from = this.#clock.now();
    this.isKnown = true;
    this.#looks = undefined;
    const isNamed = process !== "" && (by ?? 1) > 0;
    if (isNamed) this.#slept(process, others);
    const until = by === undefined ? Number.POSITIVE_INFINITY : from + by;
    const sleeper: Sleeper = { until, process, wake: () => woken() };
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
      if (isNamed) this.#woke(process, 1);
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
        // What the thread waited for came earlier, or another thread ended its wait.
        if (isNamed) this.#woke(process, this.#processes.get(process)?.awake ? 0 : 1);
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

  /** A call shows that the client is busy with something else. While everybody sleeps, it comes from a thread that was taken for quiet. */
  called(): void {
    this.#looks = undefined;
    const known = [...this.#processes.values()];
    if (known.every(({ awake }) => awake === 0)) for (const one of known) one.quiet = 0;
  }

  /** Nothing came from threads that may be busy. They ended, or they wait for something that docdouble does not know. */
  forgetBusy(): void {
    const now = this.#time.elapsed();
    for (const [name, one] of this.#processes) {
      if (now - one.since < BUSY_MS) continue;
      one.awake = 0;
      one.quiet = Math.max(one.quiet, one.others);
      if (![...this.#sleeping].some(({ process }) => process === name)) this.#processes.delete(name);
    }
  }

  /** A reset of the clock drops its timers, so nobody may go on sleeping. */
  clear(): void {
    for (const sleeper of [...this.#sleeping]) sleeper.wake();
    this.#processes.clear();
    this.#looks = undefined;
  }

  #woke(name: string, threads: number): void {
    const known = this.#processes.get(name);
    if (known) this.#processes.set(name, { ...known, awake: known.awake + threads, since: this.#time.elapsed() });
  }

  #slept(name: string, others: number): void {
    const { awake = 0, quiet = 0 } = this.#processes.get(name) ?? {};
    this.#processes.set(name, {
      awake: Math.max(0, awake - 1),
      others,
      quiet: Math.min(quiet, others),
      since: this.#time.elapsed(),
    });
  }
}
