/**
 * The only owner of time: each tenant has one clock, and nothing else in `src/` uses `Date`, `setTimeout` or `setInterval`.
 *
 * Timers run in order of due time, then of creation. While a timer runs, `now()` is its due time. `advance` waits for every
 * promise that the timers of one instant return before it moves to the next instant. So slow webhook receivers run in parallel,
 * and each sees its own instant.
 */

import {
  type Checked,
  EARLIEST_WRITTEN,
  instantProblem,
  LATEST,
  moved,
  NEVER,
  parseDuration,
  readDuration,
  requireGoal,
  requireLimits,
  WALL_MS_MAX,
} from "./time-limits.ts";
import { type Outcome, type Task, type Timer, TimerQueue } from "./timers.ts";

export type ClockMode = "real" | "frozen";

export interface ClockSettings {
  /** Whether time flows by itself. Default `real`. */
  mode?: ClockMode;
  /** Epoch milliseconds to start from. Default: the wall clock's time. */
  now?: number;
  /** How many times faster than the wall a real clock runs. Default 1. */
  speed?: number;
  /** Receives errors that timers throw. Default: writes them to standard error. */
  onError?: (error: unknown) => void;
}

/** One `advance` runs at most this many timers. More suggest that a timer reschedules itself without end. */
export const TIMERS_MAX = 100_000;

/** A real clock runs this many timers, then yields to the event loop. */
const BURST_MAX = 100;

export class ClockError extends Error {
  override readonly name = "ClockError";
}

export class EndlessClockError extends ClockError {}

export class Clock {
  #mode: ClockMode;
  #speed: number;
  /** Clock time and wall time of the last change; a real clock counts from there. */
  #base: number;
  #wallBase: number;
  readonly #timers = new TimerQueue();
  #seq = 0;
  #running = new Set<Promise<void>>();
  #advancing = false;
  /** Counts resets, so that work begun before a reset cannot affect the clock after it. */
  #generation = 0;
  #wake: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #stopped = false;
  readonly #onError: (error: unknown) => void;

  /** @throws TimeLimitError */
  constructor(settings: ClockSettings = {}) {
    requireLimits(settings);
    this.#mode = settings.mode ?? "real";
    this.#speed = settings.speed ?? 1;
    this.#wallBase = systemClock.now();
    this.#base = settings.now ?? this.#wallBase;
    this.#onError = settings.onError ?? ((error) => console.error(error));
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  get speed(): number {
    return this.#speed;
  }

  get advancing(): boolean {
    return this.#advancing;
  }

  /** Whether work runs or will run without a call to `advance`. Deadlines do not count. */
  get hasPendingWork(): boolean {
    return this.#advancing || this.#running.size > 0 || (this.#mode === "real" && this.#timers.working > 0);
  }

  /** Epoch milliseconds. */
  now(): number {
    if (this.#mode === "frozen" || this.#advancing) return this.#base;
    return Math.min(LATEST, Math.floor(this.#base + (systemClock.now() - this.#wallBase) * this.#speed));
  }

  /** The instant `ms` from now, at most the clock's last instant. */
  after(ms: number): number {
    return moved(this.now(), ms);
  }

  /** The instant `ms` ago, at least the clock's first instant. */
  before(ms: number): number {
    return moved(this.now(), -ms);
  }

  /** By how many milliseconds a clock of speed 1 is ahead of the wall clock. */
  get ahead(): number {
    return this.#base - this.#wallBase;
  }

  /**
   * Calls `run` once the clock reaches `due` (epoch ms), and always after this call returns. A timer beyond the last instant
   * never runs. Returns a function that cancels the timer.
   */
  at(due: number, run: Task, options: { deadline?: boolean } = {}): () => void {
    const timer: Timer = { due: due <= LATEST ? due : NEVER, seq: this.#seq++, run, deadline: options.deadline ?? false, at: 0 };
    this.#timers.add(timer);
    if (this.#timers.first() === timer) this.#arm();
    return () => this.#timers.remove(timer);
  }

  /** The due time of the next timer (epoch ms); undefined when no timer will run. */
  next(): number | undefined {
    const due = this.#timers.first()?.due;
    return due === NEVER ? undefined : due;
  }

  /**
   * Changes mode, instant or speed. Only `reset` moves a clock back.
   * @throws ClockError when the instant is earlier or the clock is advancing; TimeLimitError for a value outside the clock's
   * limits
   */
  set(change: { mode?: ClockMode; now?: number; speed?: number }): void {
    requireLimits(change);
    if (this.#advancing) throw new ClockError("the clock is being advanced");
    const now = this.now();
    if (change.now !== undefined && change.now < now) throw new ClockError("the clock cannot go back; reset it instead");
    this.#rebase(change.now ?? now);
    if (change.mode) this.#mode = change.mode;
    if (change.speed !== undefined) this.#speed = change.speed;
    this.#arm();
  }

  /** Sets the clock to any instant and drops all timers. Only reset and restore use it. @throws TimeLimitError */
  reset(settings: { mode: ClockMode; now?: number; speed: number }): void {
    requireLimits(settings);
    this.#generation++;
    this.#advancing = false;
    this.#running.clear();
    this.#timers.clear();
    this.#rebase(settings.now ?? systemClock.now());
    this.#mode = settings.mode;
    this.#speed = settings.speed;
    this.#arm();
  }

  /**
   * Moves time forward and runs each due timer at its own instant. The goal is `by` milliseconds from now, `to` an instant,
   * `until: "next"` timer, or `until: "idle"`: until only deadlines wait.
   * @throws ClockError for an earlier instant, when the clock is already advancing, when it is reset meanwhile, or after
   * `TIMERS_MAX` timers; TimeLimitError when the goal lies outside the clock's years
   */
  async advance(goal: { by: number } | { to: number } | { until: "next" | "idle" }): Promise<void> {
    if (this.#advancing)
      throw new ClockError(
        "the clock is already being advanced; a receiver that calls advance would wait for itself: let it answer first, and advance outside of it",
      );
    const start = this.now();
    requireGoal(start, goal);
    const to = "by" in goal ? start + goal.by : "to" in goal ? goal.to : undefined;
    if (to !== undefined && to < start) throw new ClockError("the clock cannot go back; reset it instead");
    this.#rebase(start);
    this.#advancing = true;
    const generation = this.#generation;
    try {
      await this.settleRunning();
      this.#requireGeneration(generation);
      if (to !== undefined) {
        await this.#runUntil(() => to);
        this.#base = Math.max(this.#base, to);
      } else if ("until" in goal && goal.until === "next") {
        const next = this.next();
        if (next !== undefined) await this.#runUntil(() => Math.max(next, start));
      } else {
        await this.#runUntil(() => (this.#timers.working > 0 ? Number.POSITIVE_INFINITY : this.#base));
      }
    } finally {
      if (generation === this.#generation) {
        this.#rebase(this.#base);
        this.#advancing = false;
        this.#arm();
      }
    }
  }

  /** @throws ClockError */
  #requireGeneration(generation: number): void {
    if (generation !== this.#generation)
      throw new ClockError("the clock was reset, or a snapshot restored, while it was being advanced");
  }

  /** Waits until no timer is due or running. Does not move time. */
  async settle(): Promise<void> {
    while (!this.#advancing && (this.#running.size > 0 || (this.next() ?? Number.POSITIVE_INFINITY) <= this.now())) {
      if (this.#running.size > 0) await this.settleRunning();
      else await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  private async settleRunning(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  stop(): void {
    this.#stopped = true;
    this.#timers.clear();
    clearTimeout(this.#wake);
    clearImmediate(this.#immediate);
  }

  async #runUntil(limit: () => number): Promise<void> {
    let runs = 0;
    const generation = this.#generation;
    for (let next = this.next(); next !== undefined && next <= limit(); next = this.next()) {
      this.#base = Math.max(this.#base, next);
      const started: (Promise<Outcome> | undefined)[] = [];
      for (let timer = this.#take(next); timer; timer = this.#take(next)) {
        if (++runs > TIMERS_MAX) throw new EndlessClockError(`stopped after ${TIMERS_MAX} timers: assuming an endless loop`);
        started.push(this.#start(timer.run));
      }
      const outcomes = await Promise.all(started);
      this.#requireGeneration(generation);
      for (const outcome of outcomes) if (outcome) this.#try(outcome);
    }
  }

  #drain(): void {
    if (this.#advancing || this.#stopped) return;
    const now = this.now();
    const generation = this.#generation;
    let runs = 0;
    for (let timer = this.#take(now); timer; timer = ++runs < BURST_MAX ? this.#take(now) : undefined) {
      const started = this.#start(timer.run);
      if (!started) continue;
      const done = started.then((outcome) => {
        this.#running.delete(done);
        if (outcome && generation === this.#generation) this.#try(outcome);
      });
      this.#running.add(done);
    }
    this.#arm();
  }

  #start(run: Task): Promise<Outcome> | undefined {
    try {
      const result = run();
      if (!result) return undefined;
      if (typeof result === "function") {
        this.#try(result);
        return undefined;
      }
      return result.catch((error: unknown) => {
        this.#onError(error);
      });
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  #try(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#onError(error);
    }
  }

  #take(due: number): Timer | undefined {
    const first = this.#timers.first();
    if (!first || first.due > due) return undefined;
    this.#timers.remove(first);
    return first;
  }

  #rebase(now: number): void {
    this.#base = now;
    this.#wallBase = systemClock.now();
  }

  #arm(): void {
    clearTimeout(this.#wake);
    this.#wake = undefined;
    const next = this.next();
    if (next === undefined || this.#advancing || this.#stopped) return;
    const wait = next - this.now();
    if (wait <= 0) {
      this.#immediate ??= setImmediate(() => {
        this.#immediate = undefined;
        this.#drain();
      });
      return;
    }
    if (this.#mode === "frozen") return;
    this.#wake = setTimeout(() => this.#drain(), Math.min(Math.ceil(wait / this.#speed), WALL_MS_MAX));
    this.#wake.unref();
  }
}

/** The wall clock, for work that must not follow a tenant's time: socket limits, injected delays, disk writes. */
export const systemClock = {
  /** Epoch milliseconds. */
  now: (): number => Date.now(),
  /** Milliseconds from an arbitrary start, with a fraction. Measures durations. */
  elapsed: (): number => performance.now(),
  timeout: (ms: number): AbortSignal => AbortSignal.timeout(ms),
  soon: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  sleep: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms)),
  /** Calls `run` after `ms`, and keeps the process alive until then. Returns a function that cancels the call. */
  deadline: (ms: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  /** Calls `run` after `ms` and does not keep the process alive. Returns a function that cancels the call. */
  after: (ms: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Clamps to the years 0 to 9999, which have four digits. */
function dateOf(instant: number): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST_WRITTEN, instant)));
}

/** The service's form: UTC with microseconds, `2024-07-02T16:21:35.770000Z`. */
export function iso(instant: number): string {
  let text = written.get(instant);
  if (text === undefined) {
    text = `${dateOf(instant).toISOString().slice(0, -1)}000Z`;
    if (written.size >= WRITTEN_MAX) written.clear();
    written.set(instant, text);
  }
  return text;
}

/** Recently formatted instants: lists and details format the same ones again and again. */
const written = new Map<number, string>();
const WRITTEN_MAX = 10_000;

export function isoOrNull(instant: number | null): string | null {
  return instant === null ? null : iso(instant);
}

/** To the second, `2024-07-02T16:21:35Z`. The examples of audit trails, sent reminders, opt-outs and searches use this form. */
export function isoSeconds(instant: number, zone: "Z" | "+00:00" = "Z"): string {
  return iso(instant).slice(0, 19) + zone;
}

/** Without a zone, `2024-07-02T16:21:35.770000`. The product catalog uses this form. */
export function isoZoneless(instant: number): string {
  return iso(instant).slice(0, -1);
}

/** With milliseconds, `2024-07-02T16:21:35.770Z`. The admin API and docdouble's pages use this form. */
export function isoMillis(instant: number): string {
  return dateOf(instant).toISOString();
}

/** A `Date` for libraries that need one, clamped to the years 0 to 9999. */
export function toDate(instant: number): Date {
  return dateOf(instant);
}

export function httpDate(instant: number): string {
  const second = Math.floor(instant / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastDate = dateOf(instant).toUTCString();
  }
  return lastDate;
}

let lastSecond = Number.NaN;
let lastDate = "";

/** Epoch milliseconds of an ISO 8601 text in the years 0 to 9999, undefined for any other text. A text without a zone is UTC. */
export function parseInstant(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text);
  if (!match) return undefined;
  const [, date, time, zone] = match;
  const instant = Date.parse(`${date}T${time ?? "00:00:00"}${(zone ?? "Z").toUpperCase()}`);
  return !(instant >= EARLIEST_WRITTEN && instant <= LATEST) ||
    new Date(Date.parse(`${date}T00:00:00Z`)).toISOString().slice(0, 10) !== date
    ? undefined
    : instant;
}

export function readInstant(text: string): Checked {
  const value = parseInstant(text);
  const problem = instantProblem(value, text);
  return problem === undefined ? { value: value as number } : { problem };
}

export function readMoment(text: string, now: number): Checked {
  if (parseDuration(text) === undefined) return readInstant(text);
  const wait = readDuration(text);
  return wait.problem === undefined ? { value: now + wait.value } : wait;
}
