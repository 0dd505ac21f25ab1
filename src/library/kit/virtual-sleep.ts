/**
 * Virtual sleeps for a Node process. Each timer of the client ends at an instant of docdouble's clock, and the client's own clock follows.
 * A timer also fires when its time has really passed and docdouble does not answer, so a program ends without docdouble too.
 */
import { subscribe } from "node:diagnostics_channel";
import { isMainThread } from "node:worker_threads";
import { type Asked, askSleep } from "./ask-sleep.ts";
import { FakeTimer, installTime } from "./fake-time.ts";
import { countThreads, threads } from "./sleep-threads.ts";
import { isOfClient } from "./timer-owner.ts";

const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: Date.now,
  elapsed: performance.now.bind(performance),
  hrtime: process.hrtime,
};

/** Turns of the event loop without anything to do, after which the thread counts as asleep. */
const QUIET_TURNS = 3;
/** A call that gets no answer holds a sleep for these real milliseconds. After them, docdouble decides. */
const CALL_MS_MAX = 200;
/** Another thread that does not sleep holds a sleep for these real milliseconds. From then on it counts as asleep, until it does something. */
const THREAD_MS_MAX = 2000;
/** Several threads look at each other after these real milliseconds. */
const LOOK_MS = 3;
/** A thread that did nothing in so many looks waits for others. Each look is a turn of its event loop, and a new thread loads its code first. */
const IDLE_LOOKS = 20;
/** A timer of at most this length gives way to other work, and is no wait. */
const YIELD_MS = 1;
/** A timer fires by itself so many real milliseconds after its time. */
const LATE_MS = 1000;
/** Kinds of work that Node reports while the process waits for them. Until this work ends, time stands. */
const WORK = /^(FSReq|GetAddrInfo|GetNameInfo|QueryReq|TCPConnect|PipeConnect|Zlib|Brotli|ProcessWrap|.*Job$)/;
/** A call that sleeps by itself waits as a sleep does. */
const SLEEP_PATH = "/__admin/clock/sleep";

const pending = new Set<VirtualTimer>();
let inFlight = 0;
let asked: (Asked & { end: number }) | undefined;
let isChecking = false;
/** Counts what this thread did. Without any of it between two looks, the thread waits for others. */
let acts = 0;
let place: { address: URL; key: string };

const now = () => real.elapsed() + threads.ahead;

class VirtualTimer extends FakeTimer {
  due = 0;
  /** On docdouble's clock, as `threads.declared` counts. */
  end_ms = 0;
  #backing: NodeJS.Timeout | undefined;

  constructor(run: () => void, ms: unknown, repeats: boolean) {
    super(run, ms, repeats);
    this.begin();
  }

  override begin(): void {
    this.due = now() + this.ms;
    this.end_ms = threads.declared + this.ms;
    pending.add(this);
    this.backBy(this.ms + LATE_MS);
    wake();
  }

  /** Fires after so many real milliseconds at the latest. */
  backBy(ms: number): void {
    real.clearTimeout(this.#backing);
    this.#backing = real.setTimeout(() => this.fire(), Math.min(ms, 2 ** 31 - 1));
    // The sleep itself keeps the process alive.
    if (!this.hasRef()) this.#backing.unref();
  }

  override end(): void {
    pending.delete(this);
    real.clearTimeout(this.#backing);
    check();
  }

  fire(): void {
    if (!pending.has(this)) return;
    threads.moveAhead(this.due - real.elapsed());
    this.end();
    if (this.repeats) this.begin();
    wake();
    this.run();
  }

  override ref(): this {
    this.#backing?.ref();
    super.ref();
    check();
    return this;
  }

  override unref(): this {
    this.#backing?.unref();
    super.unref();
    check();
    return this;
  }
}

/** A timer that keeps no process alive counts only while something else does. */
function first(): VirtualTimer | undefined {
  const list = [...pending];
  if (inFlight === 0 && !list.some((one) => one.hasRef())) return undefined;
  return list.reduce<VirtualTimer | undefined>((found, one) => (!found || one.end_ms < found.end_ms ? one : found), undefined);
}

/** This thread does something, so a sleep that it asked for is not the earliest any more. */
function wake(): void {
  acts++;
  threads.wakes();
  check();
}

/** Asks docdouble to move time once all threads have nothing else to do. */
function check(): void {
  const next = first();
  if (asked && asked.end !== next?.end_ms) stopAsking();
  if (!next || asked || isChecking) return;
  isChecking = true;
  const began = real.elapsed();
  let turns = 0;
  const look = () => {
    const one = first();
    if (!one) {
      isChecking = false;
      return;
    }
    const waited = real.elapsed() - began;
    const isBusy = (inFlight > 0 && waited < CALL_MS_MAX) || process.getActiveResourcesInfo().some((name) => WORK.test(name));
    turns = isBusy ? 0 : turns + 1;
    if (isBusy) real.setTimeout(look, 1);
    else if (turns < QUIET_TURNS) real.setImmediate(look);
    else {
      threads.sleeps(one.end_ms);
      const mayMove = threads.mayMoveTo(one.end_ms);
      if (one.end_ms <= threads.declared) {
        isChecking = false;
        fireDue();
      } else if (mayMove) {
        isChecking = false;
        ask(one, inFlight === 0);
      } else {
        if (waited > THREAD_MS_MAX) threads.forgetBusy();
        real.setTimeout(look, LOOK_MS);
      }
    }
  };
  real.setImmediate(look);
}

function stopAsking(): void {
  asked?.cancel();
  asked = undefined;
}

function ask(timer: VirtualTimer, alone: boolean): void {
  const [began, from] = [now(), threads.declared];
  const request = askSleep(place, { by: timer.end_ms - from, alone }, (slept) => {
    if (asked !== mine) return;
    asked = undefined;
    // docdouble does not answer, so real time counts.
    if (slept === undefined) return timer.backBy(Math.max(0, timer.due - now()));
    threads.moveTo(from + slept);
    threads.moveAhead(began + slept - real.elapsed());
    fireDue();
  });
  if (!timer.hasRef()) request.unref();
  const mine = { ...request, end: timer.end_ms };
  asked = mine;
}

/** In the order of their times, with a turn of the event loop in between. */
function fireDue(): void {
  const [next] = [...pending].filter(({ end_ms }) => end_ms <= threads.declared).sort((a, b) => a.end_ms - b.end_ms);
  if (!next) {
    check();
    return;
  }
  next.fire();
  real.setImmediate(fireDue);
}

/** Several threads watch each other. A thread that only waits for the others counts as asleep. */
function watchThreads(): void {
  let seen = acts;
  let idle = 0;
  const look = () => {
    if (threads.isOnly) return;
    if (asked && !threads.mayMoveTo(asked.end)) stopAsking();
    const isIdle = acts === seen && inFlight === 0 && !first();
    seen = acts;
    idle = isIdle ? idle + 1 : 0;
    if (idle === IDLE_LOOKS) threads.sleeps(Number.POSITIVE_INFINITY);
    check();
  };
  real.setInterval(look, LOOK_MS).unref();
}

function watchCalls(): void {
  const open = new WeakSet<object>();
  const begin = (message: unknown) => {
    const { request } = message as { request: { path?: string } };
    if (open.has(request) || request.path === SLEEP_PATH) return;
    open.add(request);
    inFlight++;
    wake();
  };
  const end = (message: unknown) => {
    const { request } = message as { request: object };
    if (!open.delete(request)) return;
    inFlight--;
    stopAsking();
    wake();
  };
  for (const name of ["http.client.request.start", "undici:request:create"]) subscribe(name, begin);
  for (const name of [
    "http.client.response.finish",
    "http.client.request.error",
    "undici:request:trailers",
    "undici:request:error",
  ])
    subscribe(name, end);
}

function shiftHrtime(): void {
  const shifted = (since?: [number, number]): [number, number] => {
    const [seconds, nanoseconds] = real.hrtime();
    const total = seconds * 1e9 + nanoseconds + Math.round(threads.ahead * 1e6);
    const from = since ? since[0] * 1e9 + since[1] : 0;
    return [Math.floor((total - from) / 1e9), Math.floor((total - from) % 1e9)];
  };
  process.hrtime = Object.assign(shifted, { bigint: () => real.hrtime.bigint() + BigInt(Math.round(threads.ahead * 1e6)) });
}

export function installVirtualSleep(address: URL, key: string): void {
  place = { address, key };
  shiftHrtime();
  watchCalls();
  let isWatching = false;
  const watch = () => {
    if (!isWatching) watchThreads();
    isWatching = true;
    wake();
  };
  countThreads(watch);
  if (!isMainThread) watch();
  installTime({
    begin: (run, ms, repeats) => (Number(ms) > YIELD_MS && isOfClient() ? new VirtualTimer(run, ms, repeats) : undefined),
    now: () => Math.floor(real.now() + threads.ahead),
    elapsed: now,
  });
  // docdouble then knows that this process declares its sleeps.
  askSleep(place, { by: 0 }, () => {}).unref();
}
