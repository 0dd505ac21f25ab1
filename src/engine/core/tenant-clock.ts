/**
 * Timers run in order of due time, then of creation. While a timer runs, `now()` is its due time. `advance` waits for every promise of
 * the timers of one instant before it moves to the next instant. So slow webhook receivers run in parallel, and each sees its own
 * instant.
 */
import { systemClock, type TimeSource } from "./clock.ts";
import { ClockError, type ClockMode, type ClockSettings, EndlessClockError, type Goal, TIMERS_MAX } from "./clock-settings.ts";
import { LATEST, moved, NEVER, requireGoal, requireLimits, WALL_MS_MAX } from "./time-limits.ts";
import { type Outcome, type Task, type Timer, TimerQueue } from "./timers.ts";

const BURST_MAX = 100;

export class Clock {
  #mode: ClockMode;
  #speed: number;
  #base: number;
  #wallBase: number;
  readonly #timers = new TimerQueue();
  #seq = 0;
  #running = new Set<Promise<void>>();
  #advancing = false;
  /** Counts resets, so that earlier work cannot affect the clock after a reset. */
  #generation = 0;
  #wake: (() => void) | undefined;
  #immediate: (() => void) | undefined;
  #stopped = false;
  #source: TimeSource;
  #move: ((ms: number) => Promise<void>) | undefined;
  /** Runs when work starts or ends, and when the clock is set. Automatic time then looks at the clock again. */
  onChange: () => void = () => {};
  readonly #onError: (error: unknown) => void;

  constructor(settings: ClockSettings = {}) {
    requireLimits(settings);
    this.#mode = settings.mode ?? "real";
    this.#speed = settings.speed ?? 1;
    this.#source = settings.source ?? systemClock;
    this.#wallBase = this.#source.now();
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

  get hasPendingWork(): boolean {
    return this.#advancing || this.#running.size > 0 || (this.#mode !== "frozen" && this.#timers.working > 0);
  }

  get isBusy(): boolean {
    return this.#advancing || this.#running.size > 0 || (this.next() ?? Number.POSITIVE_INFINITY) <= this.now();
  }

  get #flows(): boolean {
    return this.#mode === "real" || this.#move !== undefined;
  }

  get #pace(): number {
    return this.#move ? 1 : this.#speed;
  }

  now(): number {
    if (!this.#flows || (this.#advancing && !this.#move)) return this.#base;
    return Math.min(LATEST, Math.floor(this.#base + (this.#source.now() - this.#wallBase) * this.#pace));
  }

  after(ms: number): number {
    return moved(this.now(), ms);
  }

  before(ms: number): number {
    return moved(this.now(), -ms);
  }

  /** The milliseconds by which a clock of speed 1 is ahead of the wall clock. */
  get ahead(): number {
    return this.#base - this.#wallBase;
  }

  /** Runs `run` when the clock reaches `due` (epoch ms), but always after this call returns. A timer beyond the last instant never runs. */
  at(due: number, run: Task, options: { deadline?: boolean; skipped?: boolean } = {}): Timer {
    const kind = options.skipped ? "skipped" : options.deadline ? "deadline" : "work";
    const timer: Timer = { due: due <= LATEST ? due : NEVER, seq: this.#seq++, run, kind, at: 0 };
    this.#timers.add(timer);
    if (this.#timers.first() === timer) this.#arm();
    this.onChange();
    return timer;
  }

  cancel(timer: Timer): void {
    this.#timers.remove(timer);
  }

  next(): number | undefined {
    return dueOf(this.#timers.first());
  }

  nextFor(kind: "work" | "deadline"): number | undefined {
    return dueOf(this.#timers.firstOf(kind));
  }

  /**
   * Only `reset` moves a clock back.
   * @throws ClockError when the instant is earlier or the clock is advancing. TimeLimitError for a value outside the clock's limits
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
    this.onChange();
  }

  /**
   * Counts from `source` in every mode and at its speed, until the returned function runs. `advance` then moves the source.
   * @param move moves the source by milliseconds and waits for the timers that this runs
   * @throws ClockError while the clock is advancing or already follows
   */
  follow(source: TimeSource, move: (ms: number) => Promise<void>): () => void {
    if (this.#advancing) throw new ClockError("the clock is being advanced");
    if (this.#move) throw new ClockError("the clock follows fake timers already; stop that first");
    this.#switch(source, move);
    return () => {
      if (this.#move === move) this.#switch(systemClock, undefined);
    };
  }

  #switch(source: TimeSource, move: ((ms: number) => Promise<void>) | undefined): void {
    const now = this.now();
    this.#wake?.();
    this.#wake = undefined;
    this.#source = source;
    this.#move = move;
    this.#rebase(now);
    this.#arm();
    this.onChange();
  }

  async #advanceSource(move: (ms: number) => Promise<void>, goal: Goal): Promise<void> {
    const first = this.next();
    const limit =
      "by" in goal
        ? this.now() + goal.by
        : "to" in goal
          ? goal.to
          : goal.until === "next"
            ? Math.max(first ?? 0, this.now())
            : Number.POSITIVE_INFINITY;
    for (let runs = 0; ; runs++) {
      await this.#settleNow();
      const next = this.next();
      if (next === undefined || next > limit || ("until" in goal && goal.until === "idle" && this.#timers.working === 0)) break;
      if (runs > TIMERS_MAX) throw new EndlessClockError(`stopped after ${TIMERS_MAX} timers: assuming an endless loop`);
      const before = this.now();
      await move(next - before);
      if (this.now() === before) throw new ClockError("the fake timers do not move; are they still in place?");
    }
    if (!("until" in goal) && limit > this.now()) await move(limit - this.now());
    await this.#settleNow();
  }

  /** `onMove` hears of a new time before the timers of that time run. */
  jump(instant: number, onMove = () => {}): void {
    if (this.#mode !== "auto" || this.#advancing || this.#stopped) return;
    if (instant > this.#base) {
      this.#base = instant;
      onMove();
    }
    this.#drain();
  }

  /** Drops all timers. Only reset and restore use it. @throws TimeLimitError */
  reset(settings: { mode: ClockMode; now?: number; speed: number }): void {
    requireLimits(settings);
    this.#generation++;
    this.#advancing = false;
    this.#running.clear();
    this.#timers.clear();
    this.#rebase(settings.now ?? this.#source.now());
    this.#mode = settings.mode;
    this.#speed = settings.speed;
    this.#arm();
  }

  /**
   * Moves time forward and runs each due timer at its own instant. The goal is `by` milliseconds from now, `to` an instant, `until:
   * "next"` timer, or `until: "idle"`, when only deadlines wait.
   * @throws ClockError for an earlier instant, when the clock is already advancing, after a reset meanwhile, or after `TIMERS_MAX`
   * timers. TimeLimitError when the goal lies outside the clock's years
   */
  async advance(goal: Goal): Promise<void> {
    if (this.#advancing)
      throw new ClockError(
        "the clock is already being advanced; a receiver that calls advance would wait for itself: let it answer first, and advance outside of it",
      );
    const start = this.now();
    requireGoal(start, goal);
    const to = "by" in goal ? start + goal.by : "to" in goal ? goal.to : undefined;
    if (to !== undefined && to < start) throw new ClockError("the clock cannot go back; reset it instead");
    if (!this.#move) this.#rebase(start);
    this.#advancing = true;
    const generation = this.#generation;
    try {
      if (this.#move) {
        await this.#advanceSource(this.#move, goal);
        return;
      }
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
        if (!this.#move) this.#rebase(this.#base);
        this.#advancing = false;
        this.#arm();
        this.onChange();
      }
    }
  }

  #requireGeneration(generation: number): void {
    if (generation !== this.#generation)
      throw new ClockError("the clock was reset, or a snapshot restored, while it was being advanced");
  }

  async settle(): Promise<void> {
    if (!this.#advancing) await this.#settleNow();
  }

  async #settleNow(): Promise<void> {
    const isOver = () => this.#advancing && !this.#move;
    while (!isOver() && (this.#running.size > 0 || (this.next() ?? Number.POSITIVE_INFINITY) <= this.now())) {
      if (this.#running.size > 0) await this.settleRunning();
      else await systemClock.soon();
    }
  }

  private async settleRunning(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  stop(): void {
    this.#stopped = true;
    this.#timers.clear();
    this.#wake?.();
    this.#immediate?.();
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
        // A count and no time, so that the same advance makes the same pauses on each machine.
        if (runs % BURST_MAX === 0) await this.#letOthers(generation);
      }
      const outcomes = await Promise.all(started);
      this.#requireGeneration(generation);
      for (const outcome of outcomes) if (outcome) this.#try(outcome);
    }
  }

  /** One tenant that advances far must not hold up the calls of the others. */
  async #letOthers(generation: number): Promise<void> {
    await systemClock.soon();
    this.#requireGeneration(generation);
  }

  #drain(): void {
    if ((this.#advancing && !this.#move) || this.#stopped) return;
    const now = this.now();
    let runs = 0;
    const together: Promise<Outcome>[] = [];
    for (let timer = this.#take(now); timer; timer = ++runs < BURST_MAX ? this.#take(now) : undefined) {
      const started = this.#start(timer.run);
      if (!started) continue;
      if (this.#mode === "auto" || this.#move) together.push(started);
      else this.#finish(started.then((outcome) => [outcome]));
    }
    if (together.length > 0) this.#finish(Promise.all(together));
    this.#arm();
  }

  #finish(started: Promise<Outcome[]>): void {
    const generation = this.#generation;
    const done = started.then((outcomes) => {
      this.#running.delete(done);
      if (generation !== this.#generation) return;
      for (const outcome of outcomes) if (outcome) this.#try(outcome);
      this.onChange();
    });
    this.#running.add(done);
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
    this.#wallBase = this.#source.now();
  }

  #arm(): void {
    this.#wake?.();
    this.#wake = undefined;
    const next = this.next();
    if (next === undefined || (this.#advancing && !this.#move) || this.#stopped) return;
    const wait = next - this.now();
    if (wait <= 0) {
      this.#immediate ??= systemClock.immediate(() => {
        this.#immediate = undefined;
        this.#drain();
      });
      return;
    }
    if (!this.#flows) return;
    this.#wake = this.#source.after(Math.min(Math.ceil(wait / this.#pace), WALL_MS_MAX), () => this.#drain());
  }
}

function dueOf(timer: Timer | undefined): number | undefined {
  return timer?.due === NEVER ? undefined : timer?.due;
}
