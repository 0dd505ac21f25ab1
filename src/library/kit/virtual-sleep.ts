/**
 * Virtual sleeps for a Node process. Each timer of the client becomes a sleep on docdouble's clock, and the client's own clock follows.
 * A timer also fires when its time has really passed, so a program ends without docdouble too.
 */
import { subscribe } from "node:diagnostics_channel";
import { threadId } from "node:worker_threads";
import { machineName } from "../../engine/jobs/program-state.ts";
import { type Asked, askSleep } from "./ask-sleep.ts";
import { FakeTimer, installTime } from "./fake-time.ts";
import { isOfClient } from "./timer-owner.ts";

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: Date.now,
  elapsed: performance.now.bind(performance),
  hrtime: process.hrtime,
};

/** Turns of the event loop without anything to do, after which the process counts as asleep. */
const QUIET_TURNS = 3;
/** A call that gets no answer holds a sleep for these real milliseconds. After them, docdouble decides. */
const CALL_MS_MAX = 200;
/** Kinds of work that Node reports while the process waits for them. Until this work ends, timers run in real time. */
const WORK = /^(FSReq|GetAddrInfo|GetNameInfo|QueryReq|TCPConnect|PipeConnect|Zlib|Brotli|ProcessWrap|.*Job$)/;

/** Milliseconds by which the client's clock is ahead of real time. */
let ahead = 0;
const pending = new Set<VirtualTimer>();
let inFlight = 0;
let asked: (Asked & { until: number }) | undefined;
let isChecking = false;
let place: { address: URL; key: string };
const name = `${process.pid}.${threadId}@${machineName()}`;

const now = () => real.elapsed() + ahead;

class VirtualTimer extends FakeTimer {
  due = 0;
  #backing: NodeJS.Timeout | undefined;

  constructor(run: () => void, ms: unknown, repeats: boolean) {
    super(run, ms, repeats);
    this.begin();
  }

  override begin(): void {
    this.due = now() + this.ms;
    pending.add(this);
    this.#backing = real.setTimeout(() => this.fire(), this.ms);
    // The sleep itself keeps the process alive.
    if (!this.hasRef()) this.#backing.unref();
    check();
  }

  override end(): void {
    pending.delete(this);
    real.clearTimeout(this.#backing);
    check();
  }

  fire(): void {
    if (!pending.has(this)) return;
    this.end();
    if (this.repeats) this.begin();
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
  return list.reduce<VirtualTimer | undefined>((found, one) => (!found || one.due < found.due ? one : found), undefined);
}

/** Asks docdouble to move time once the process has nothing else to do. */
function check(): void {
  const next = first();
  if (asked && asked.until !== next?.due) {
    asked.cancel();
    asked = undefined;
  }
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
    const isBusy =
      inFlight > 0 ? real.elapsed() - began < CALL_MS_MAX : process.getActiveResourcesInfo().some((name) => WORK.test(name));
    turns = isBusy ? 0 : turns + 1;
    if (isBusy) real.setTimeout(look, 1);
    else if (turns < QUIET_TURNS) real.setImmediate(look);
    else {
      isChecking = false;
      ask(one);
    }
  };
  real.setImmediate(look);
}

function ask(timer: VirtualTimer): void {
  const began = now();
  const by = Math.max(0, Math.ceil(timer.due - began));
  const request = askSleep(place, { by, process: name }, (slept) => {
    if (asked !== mine) return;
    asked = undefined;
    if (slept === undefined) return;
    // The clock of docdouble may have moved further.
    ahead = Math.max(ahead, began + slept - real.elapsed(), timer.due - real.elapsed());
    fireDue();
  });
  if (!timer.hasRef()) request.unref();
  const mine = { ...request, until: timer.due };
  asked = mine;
}

/** In the order of their times, with a turn of the event loop in between. */
function fireDue(): void {
  const [next] = [...pending].filter(({ due }) => due <= now()).sort((a, b) => a.due - b.due);
  if (!next) {
    check();
    return;
  }
  next.fire();
  real.setImmediate(fireDue);
}

function watchCalls(): void {
  const open = new WeakSet<object>();
  const begin = (message: unknown) => {
    const { request } = message as { request: object };
    if (open.has(request)) return;
    open.add(request);
    inFlight++;
    check();
  };
  const end = (message: unknown) => {
    const { request } = message as { request: object };
    if (!open.delete(request)) return;
    inFlight--;
    check();
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
    const total = seconds * 1e9 + nanoseconds + Math.round(ahead * 1e6);
    const from = since ? since[0] * 1e9 + since[1] : 0;
    return [Math.floor((total - from) / 1e9), Math.floor((total - from) % 1e9)];
  };
  process.hrtime = Object.assign(shifted, { bigint: () => real.hrtime.bigint() + BigInt(Math.round(ahead * 1e6)) });
}

export function installVirtualSleep(address: URL, key: string): void {
  place = { address, key };
  shiftHrtime();
  watchCalls();
  installTime({
    begin: (run, ms, repeats) => (isOfClient() ? new VirtualTimer(run, ms, repeats) : undefined),
    now: () => Math.floor(real.now() + ahead),
    elapsed: now,
  });
  // docdouble then knows that this process declares its sleeps.
  askSleep(place, { by: 0, process: name }, () => {}).unref();
}
