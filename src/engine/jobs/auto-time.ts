/**
 * Automatic time moves an `auto` clock only while a client waits. docs/tests/time.md gives the rules.
 *
 * - A repeated poll moves time before its answer, independently of real time.
 * - A declared wait is an open `inbox.next`, or a delay that an answer named. It moves time after the idle time: real milliseconds
 *   without a call or delivery in progress.
 * - Silence counts as waiting after ten times the idle time, and reaches less far.
 * - A client that declares its sleeps moves time by them alone. Its silence and its repeated calls then say little.
 */
import { type Stopwatch, systemClock } from "../core/clock.ts";
import type { Clock } from "../core/tenant-clock.ts";
import { DAY_MS } from "../core/time-limits.ts";
import { type Answered, type Asked, ClientWaits, type WaitsState } from "./client-waits.ts";
import { Sleepers } from "./sleepers.ts";

export interface AutoSettings {
  /** Real ms without a call until time moves for a client that waits. */
  idle_ms: number;
  poll_ms: number;
}

export const AUTO_DEFAULTS: AutoSettings = { idle_ms: 25, poll_ms: 1000 };

/**
 * How far time may move after the last act. One limit is for silence, one for silence while a client listens to events, and one for a
 * wait for a deadline.
 */
const QUIET_REACH_MS = 60_000;
const EVENTS_REACH_MS = 30 * DAY_MS;
const DEADLINE_REACH_MS = DAY_MS;
/** The real milliseconds that a poll waits for deliveries. Without the limit, a receiver that polls would wait for itself. */
const DELIVERY_WAIT_MS = 250;
/** A client that declares its sleeps must be silent for this many times as long before the clock moves without a declaration. */
const DECLARED_PATIENCE = 4;

export interface AutoState {
  waits: WaitsState;
  /** Epoch ms, as all instants here. */
  lastCall: number;
  lastAct: number;
  stopAt?: number | undefined;
}

export interface AutoHooks {
  isListening(): boolean;
  ends(now: number): Iterable<number>;
  moved(): void;
}

export class AutoTime {
  readonly #clock: Clock;
  readonly #settings: AutoSettings;
  readonly #hooks: AutoHooks;
  readonly #waits = new ClientWaits();
  readonly sleepers: Sleepers;
  #inProgress = 0;
  #waiters = 0;
  #lastSign = 0;
  #waitUntil = 0;
  #lastCall: number;
  #lastAct: number;
  #stopAt: number | undefined;
  #cancel: (() => void) | undefined;
  #isEnded = false;
  isResting = false;
  /** Silence counts as waiting after this many idle times. */
  silence = 10;
  hasMovedInSilence = false;
  #time: Stopwatch = systemClock;

  constructor(clock: Clock, settings: AutoSettings, hooks: AutoHooks) {
    this.#clock = clock;
    this.#settings = settings;
    this.#hooks = hooks;
    this.#lastCall = this.#lastAct = clock.now();
    this.sleepers = new Sleepers(clock, () => this.#sleepChanged());
    // A delivery in progress counts as a call, so its start and end are activity.
    clock.onChange = () => this.touch();
  }

  measureWith(time: Stopwatch): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#time = time;
    this.touch();
  }

  #sleepChanged(): void {
    this.#lastSign = this.#time.elapsed();
    this.#arm(true);
  }

  /** Calls that are being answered. An answer that a rule holds back counts only while nobody sleeps. */
  get #open(): number {
    return this.#inProgress - (this.sleepers.size > 0 ? this.sleepers.held : 0);
  }

  /** Nothing more will happen: all that the client waits for are events, and nothing is due. */
  get isStuck(): boolean {
    return this.#isOn && this.sleepers.waitsForEvents && this.#open === 0 && !this.#clock.isBusy && this.#plan() === undefined;
  }

  get stopAt(): number | undefined {
    return this.#stopAt;
  }

  set stopAt(instant: number | undefined) {
    this.#stopAt = instant;
    this.#arm();
  }

  get #isOn(): boolean {
    return this.#clock.mode === "auto" && !this.#isEnded && !this.isResting;
  }

  /** Moves time for a client that looks at the clock again and again. Returns a promise when the look must wait. */
  looks(): undefined | Promise<void> {
    if (!this.#isOn) return undefined;
    const far = this.sleepers.look(this.#settings.poll_ms);
    if (far === undefined || this.#open > 0) {
      this.sleepers.looked();
      return undefined;
    }
    const to = this.#limited(least([far, this.#clock.nextFor("work")]) as number);
    this.#inProgress++;
    return this.#pass(to).finally(() => {
      this.#inProgress--;
      this.sleepers.looked();
    });
  }

  reset(): void {
    this.#waits.clear();
    this.sleepers.clear();
    this.#waitUntil = 0;
    this.#stopAt = undefined;
    this.#lastCall = this.#lastAct = this.#clock.now();
    this.touch();
  }

  /** What clients wait for, and how far time may move for them. It holds no real time. */
  get state(): AutoState {
    return { waits: this.#waits.state, lastCall: this.#lastCall, lastAct: this.#lastAct, stopAt: this.#stopAt };
  }

  set state({ waits, lastCall, lastAct, stopAt }: AutoState) {
    this.reset();
    this.#waits.state = waits;
    this.#lastCall = lastCall;
    this.#lastAct = lastAct;
    this.#stopAt = stopAt;
    this.touch();
  }

  end(): void {
    this.#isEnded = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  touch(): void {
    if (this.#clock.mode !== "auto" && !this.#cancel) return;
    this.#lastSign = this.#time.elapsed();
    this.#arm();
  }

  wait(): () => void {
    this.#waiters++;
    this.#lastSign = this.#time.elapsed();
    this.#arm(true);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#waiters--;
    };
  }

  /** Moves time when the call is a poll. Returns a promise when the call must wait. */
  arrives(call: Asked): undefined | Promise<void> {
    if (!this.#isOn) return undefined;
    this.sleepers.called();
    const poll = this.#waits.arrives(call, this.sleepers.wakes);
    if (!poll) return undefined;
    const earliest = poll.last + this.#settings.poll_ms;
    // A second repetition proves that the client waits for any change.
    const next = poll.repeats > 1 && !poll.isDelayed ? this.#nextForPoll() : undefined;
    const to = this.#limited(Math.max(earliest, next ?? earliest));
    if (to <= this.#clock.now() && !this.#clock.isBusy) return undefined;
    this.#inProgress++;
    return this.#pass(to).finally(() => {
      this.#inProgress--;
    });
  }

  opened(): void {
    this.#inProgress++;
  }

  /** An open call waits for another call, so it no longer stops time. Returns the function that ends this. */
  setAside(): () => void {
    this.#inProgress--;
    this.touch();
    return () => {
      this.#inProgress++;
    };
  }

  closed(call: () => Answered): void {
    this.#inProgress--;
    if (this.#clock.mode !== "auto") return;
    this.sleepers.stir();
    const now = this.#clock.now();
    const answered = call();
    this.#waits.answered(answered, now, this.sleepers.wakes);
    this.#lastCall = now;
    if (answered.method !== "GET" && answered.method !== "HEAD") this.#lastAct = now;
    this.#lastSign = this.#time.elapsed();
    const hasDelay = answered.retry_ms !== undefined;
    if (hasDelay) this.#waitUntil = Math.max(this.#waitUntil, this.#lastSign + (answered.retry_ms ?? 0));
    this.#arm(hasDelay);
  }

  async #pass(to: number): Promise<void> {
    const deadline = this.#time.elapsed() + DELIVERY_WAIT_MS;
    const clock = this.#clock;
    for (;;) {
      await settled(clock, deadline - this.#time.elapsed(), this.#time);
      if (clock.isBusy || !this.#isOn) return;
      const next = clock.next();
      if (next === undefined || next > to) break;
      clock.jump(next, this.#hooks.moved);
    }
    clock.jump(to, this.#hooks.moved);
    await settled(clock, deadline - this.#time.elapsed(), this.#time);
  }

  /** Nobody sleeps longer than they asked for. */
  #limited(instant: number): number {
    return Math.min(instant, this.#stopAt ?? instant, this.sleepers.next ?? instant);
  }

  #nextForPoll(): number | undefined {
    const now = this.#clock.now();
    return least([this.#clock.nextFor("work"), this.#nextDeadline(now), this.#waits.nextLockEnd(now)]);
  }

  #nextDeadline(now: number): number | undefined {
    const next = least([this.#clock.nextFor("work"), this.#clock.nextFor("deadline"), ...this.#hooks.ends(now)]);
    return next !== undefined && next <= this.#lastAct + DEADLINE_REACH_MS ? next : undefined;
  }

  #plan(): { to: number; after_ms: number; isSilence?: true } | undefined {
    const now = this.#clock.now();
    const { idle_ms } = this.#settings;
    const work = this.#clock.nextFor("work");
    const { sleepers } = this;
    if (sleepers.size > 0 && !sleepers.waitsForEvents) {
      const to = least([work, sleepers.next]);
      // A delay takes its real time, also beside a longer sleep.
      return to === undefined || to > sleepers.heldUntil ? undefined : { to, after_ms: sleepers.grace(idle_ms) };
    }
    if (this.#waiters > 0 || sleepers.size > 0) {
      const to = least([work, this.#waits.nextRetry(now), this.#waits.nextLockEnd(now), this.#nextDeadline(now)]);
      return to === undefined ? undefined : { to, after_ms: this.#waiters > 0 ? idle_ms : sleepers.grace(idle_ms) };
    }
    const retry = this.#waits.nextRetry(now);
    // A client that declares its sleeps would say that it waits.
    const patience = sleepers.isKnown ? this.silence * DECLARED_PATIENCE : 1;
    if (retry !== undefined) return { to: least([work, retry]) as number, after_ms: patience * idle_ms };
    const reach = this.#hooks.isListening() ? EVENTS_REACH_MS : QUIET_REACH_MS;
    if (work === undefined || work > this.#lastCall + reach) return undefined;
    const remaining = this.#waitUntil - this.#lastSign;
    const silence = sleepers.isKnown ? patience : this.silence;
    return { to: work, after_ms: Math.max(silence * idle_ms, remaining), isSilence: true };
  }

  /** Plans the next move. It happens after at least `grace_ms` real milliseconds. */
  #arm(isSooner = false, grace_ms = 0): void {
    if (this.#cancel && isSooner) {
      this.#cancel();
      this.#cancel = undefined;
    }
    if (this.#cancel || !this.#isOn || this.#open > 0 || this.#clock.isBusy) return;
    const plan = this.#plan();
    if (!plan || this.#limited(plan.to) <= this.#clock.now()) return;
    const began = this.#time.elapsed();
    const wait_ms = Math.max(1, grace_ms, Math.ceil(this.#lastSign + plan.after_ms - began));
    const run = () => {
      this.#cancel = undefined;
      const isLate = this.#time.elapsed() - began - wait_ms > this.#settings.idle_ms;
      // The machine is busy. A call may have arrived that docdouble has not read yet, or the client could not run either.
      if (isLate && plan.isSilence && grace_ms === 0) this.#arm(false, Math.max(1, this.#settings.idle_ms));
      else if (this.sleepers.size === 0 || !this.#time.afterArrivals) this.#move();
      else {
        this.#cancel = this.#time.afterArrivals(() => {
          this.#cancel = undefined;
          this.#move();
        });
      }
    };
    this.#cancel = this.#time.after(wait_ms, run);
  }

  #move(): void {
    if (!this.#isOn || this.#open > 0 || this.#clock.isBusy) return;
    const plan = this.#plan();
    if (!plan) return;
    const to = this.#limited(plan.to);
    if (this.#time.elapsed() - this.#lastSign >= plan.after_ms && to > this.#clock.now()) {
      this.#lastSign = this.#time.elapsed();
      if (plan.isSilence) this.hasMovedInSilence = true;
      // Earlier deadlines run at their own instants.
      this.#clock.jump(Math.min(to, this.#clock.next() ?? to), this.#hooks.moved);
    }
    this.#arm();
  }
}

function least(instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

async function settled(clock: Clock, ms: number, time: Stopwatch): Promise<void> {
  if (!clock.isBusy) return;
  let cancel = () => {};
  const limit = new Promise<void>((resolve) => {
    cancel = time.after(Math.max(0, ms), resolve);
  });
  await Promise.race([clock.settle(), limit]);
  cancel();
}
