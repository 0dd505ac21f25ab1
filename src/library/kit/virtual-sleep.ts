/**
 * Virtual sleeps for a Node process. Each timer of the client becomes a sleep on docdouble's clock, and the client's own clock follows.
 * A timer also fires when its time has really passed, so a program ends without docdouble too.
 */
import { subscribe } from "node:diagnostics_channel";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import { threadId } from "node:worker_threads";
import { machineName } from "../../engine/jobs/program-state.ts";
import { type Asked, askSleep } from "./ask-sleep.ts";
import { isOfClient } from "./timer-owner.ts";

const require = createRequire(import.meta.url);
const timers = require("node:timers") as typeof import("node:timers");
const promises = require("node:timers/promises") as typeof import("node:timers/promises");

const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  now: Date.now,
  elapsed: performance.now.bind(performance),
  sleep: promises.setTimeout,
  interval: promises.setInterval,
  wait: promises.scheduler.wait.bind(promises.scheduler),
  abortTimeout: AbortSignal.timeout.bind(AbortSignal),
  hrtime: process.hrtime,
};

/** The longest wait of a Node timer. A longer wait ends at once. */
const WAIT_MS_MAX = 2_147_483_647;
/** Turns of the event loop without anything to do, after which the process counts as asleep. */
const QUIET_TURNS = 3;
/** A call that gets no answer holds a sleep for these real milliseconds. After them, docdouble decides. */
const CALL_MS_MAX = 200;
/** Kinds of work that Node reports while the process waits for them. Until this work ends, timers run in real time. */
const WORK = /^(FSReq|GetAddrInfo|GetNameInfo|QueryReq|TCPConnect|PipeConnect|Zlib|Brotli|ProcessWrap|.*Job$)/;

type Run = (...args: unknown[]) => void;

/** Milliseconds by which the client's clock is ahead of real time. */
let ahead = 0;
const pending = new Set<VirtualTimer>();
let inFlight = 0;
let asked: (Asked & { until: number }) | undefined;
let isChecking = false;
let place: { address: URL; key: string };
const name = `${process.pid}.${threadId}@${machineName()}`;

const now = () => real.elapsed() + ahead;

class VirtualTimer {
  due = 0;
  #isRef = true;
  #backing: NodeJS.Timeout | undefined;
  readonly #ms: number;
  readonly #run: () => void;
  readonly #repeats: boolean;

  constructor(run: () => void, ms: unknown, repeats: boolean) {
    const wait = Number(ms);
    this.#ms = wait >= 1 && wait <= WAIT_MS_MAX ? Math.trunc(wait) : 1;
    this.#run = run;
    this.#repeats = repeats;
    this.#begin();
  }

  #begin(): void {
    this.due = now() + this.#ms;
    pending.add(this);
    this.#backing = real.setTimeout(() => this.fire(), this.#ms);
    // The sleep itself keeps the process alive.
    if (!this.#isRef) this.#backing.unref();
    check();
  }

  #end(): void {
    pending.delete(this);
    real.clearTimeout(this.#backing);
    check();
  }

  fire(): void {
    if (!pending.has(this)) return;
    this.#end();
    if (this.#repeats) this.#begin();
    this.#run();
  }

  get isRef(): boolean {
    return this.#isRef;
  }

  close(): this {
    this.#end();
    return this;
  }

  ref(): this {
    this.#isRef = true;
    this.#backing?.ref();
    check();
    return this;
  }

  unref(): this {
    this.#isRef = false;
    this.#backing?.unref();
    check();
    return this;
  }

  hasRef(): boolean {
    return this.#isRef;
  }

  refresh(): this {
    this.#end();
    this.#begin();
    return this;
  }

  [Symbol.toPrimitive](): number {
    const id = Number(this.#backing?.[Symbol.toPrimitive]());
    byId.set(id, this);
    return id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const byId = new Map<number, VirtualTimer>();

/** A timer that keeps no process alive counts only while something else does. */
function first(): VirtualTimer | undefined {
  const list = [...pending];
  if (inFlight === 0 && !list.some((one) => one.isRef)) return undefined;
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
  if (!timer.isRef) request.unref();
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

function start(name: "setTimeout" | "setInterval") {
  return Object.assign(
    (run: Run, ms?: number, ...args: unknown[]) => {
      if (typeof run !== "function" || !isOfClient()) return (real[name] as typeof setTimeout)(run, ms, ...args);
      return new VirtualTimer(() => run(...args), ms, name === "setInterval");
    },
    { [promisify.custom]: sleep },
  );
}

const stop =
  (name: "clearTimeout" | "clearInterval") =>
  (timer: unknown): void => {
    const known = typeof timer === "number" || typeof timer === "string" ? byId.get(Number(timer)) : timer;
    if (!(known instanceof VirtualTimer)) {
      real[name](timer as NodeJS.Timeout);
      return;
    }
    known.close();
    byId.delete(Number(timer));
  };

function sleep<T>(ms?: number, value?: T, options: { signal?: AbortSignal; ref?: boolean } = {}): Promise<T> {
  const { signal, ref = true } = options;
  if (!isOfClient()) return real.sleep(ms, value, options) as Promise<T>;
  return new Promise((resolve, reject) => {
    const abort = () => {
      timer.close();
      reject(Object.assign(new DOMException("The operation was aborted", "AbortError"), { cause: signal?.reason }));
    };
    if (signal?.aborted) return reject(new DOMException("The operation was aborted", "AbortError"));
    const timer = new VirtualTimer(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve(value as T);
      },
      ms,
      false,
    );
    if (!ref) timer.unref();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

async function* interval<T>(ms?: number, value?: T, options: { signal?: AbortSignal } = {}): AsyncGenerator<T> {
  for (;;) yield await sleep(ms, value as T, options);
}

function shiftClocks(): void {
  const RealDate = globalThis.Date;
  const wall = () => Math.floor(real.now() + ahead);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [wall()] : args, self) as object,
    apply: () => new RealDate(wall()).toString(),
    get: (target, name, self) => (name === "now" ? wall : Reflect.get(target, name, self)),
  });
  performance.now = now;
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
  const fakes = {
    setTimeout: start("setTimeout"),
    setInterval: start("setInterval"),
    clearTimeout: stop("clearTimeout"),
    clearInterval: stop("clearInterval"),
  };
  Object.assign(globalThis, fakes);
  Object.assign(timers, fakes);
  Object.assign(promises, { setTimeout: sleep, setInterval: interval });
  promises.scheduler.wait = (ms, options) => sleep(ms, undefined, options);
  AbortSignal.timeout = (ms) => {
    if (!isOfClient()) return real.abortTimeout(ms);
    const controller = new AbortController();
    const end = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    // Such a limit keeps no process alive, but it counts while a call is open.
    new VirtualTimer(end, ms, false).unref();
    return controller.signal;
  };
  shiftClocks();
  watchCalls();
  syncBuiltinESMExports();
  // docdouble then knows that this process declares its sleeps.
  askSleep(place, { by: 0, process: name }, () => {}).unref();
}
