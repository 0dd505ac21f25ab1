/**
 * Time for client code in this process. Its timers, `Date` and random numbers follow a clock instead of the wall clock. Only code that
 * `ClientTime.run` starts is affected.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import { Ids } from "./ids.ts";

type Run = () => void;

interface Timer {
  due: number;
  seq: number;
  run: Run;
  every: number | undefined;
}

const current = new AsyncLocalStorage<{ time: ClientTime; note: unknown }>();

/** The longest wait of a Node timer. A longer wait ends at once. */
const WAIT_MS_MAX = 2_147_483_647;

export class ClientTime {
  readonly #now: () => number;
  readonly #chance: Ids;
  readonly #timers = new Map<number, Timer>();
  #seq = 0;
  #isEnded = false;
  activity = 0;

  constructor(now: () => number, seed: string) {
    this.#now = now;
    this.#chance = new Ids(`${seed}/client`);
  }

  /** Runs client code, and everything that it starts, in this time. `clientNote` returns `note`. */
  run<T>(code: () => T, note?: unknown): T {
    return current.run({ time: this, note }, code);
  }

  end(): void {
    this.#isEnded = true;
    this.#timers.clear();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  now(): number {
    return this.#now();
  }

  random(): number {
    return this.#chance.between(0, 2 ** 31 - 1) / 2 ** 31;
  }

  next(): number | undefined {
    return this.#first()?.[1].due;
  }

  fire(): void {
    const first = this.#first();
    if (!first) return;
    const [id, timer] = first;
    this.activity++;
    if (timer.every === undefined) this.#timers.delete(id);
    else this.#timers.set(id, { ...timer, due: this.#now() + timer.every, seq: ++this.#seq });
    timer.run();
  }

  waits(): number[] {
    return [...this.#timers.values()].map((timer) => timer.due - this.#now());
  }

  add(run: Run, ms: unknown, repeats = false): number {
    this.activity++;
    const wait = Number(ms);
    const clamped = wait >= 1 && wait <= WAIT_MS_MAX ? Math.trunc(wait) : 1;
    const seq = ++this.#seq;
    if (!this.#isEnded) this.#timers.set(seq, { due: this.#now() + clamped, seq, run, every: repeats ? clamped : undefined });
    return seq;
  }

  remove(id: number): void {
    if (this.#timers.delete(id)) this.activity++;
  }

  #first(): [number, Timer] | undefined {
    let first: [number, Timer] | undefined;
    for (const one of this.#timers)
      if (!first || one[1].due < first[1].due || (one[1].due === first[1].due && one[1].seq < first[1].seq)) first = one;
    return first;
  }
}

export function clientTime(): ClientTime | undefined {
  return current.getStore()?.time;
}

export function clientNote(): unknown {
  return current.getStore()?.note;
}

/** `run` in the context of this call. `AsyncLocalStorage.bind` also does this, but takes 30 times as long. */
function inContext(run: Run): Run {
  const context = new AsyncResource("docdouble timer");
  return () => context.runInAsyncScope(run);
}

class Handle {
  readonly #time: ClientTime;
  readonly #again: () => number;
  #id: number;

  constructor(time: ClientTime, again: () => number) {
    this.#time = time;
    this.#again = again;
    this.#id = again();
  }

  close(): this {
    this.#time.remove(this.#id);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.close();
    this.#id = this.#again();
    return this;
  }

  [Symbol.toPrimitive](): number {
    handles.set(this.#id, this);
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const handles = new Map<number, Handle>();

const require = createRequire(import.meta.url);
const timers = require("node:timers") as typeof import("node:timers");

type Callback = (...args: unknown[]) => void;
const NAMES = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;

let installs = 0;
let uninstall = () => {};

export function installClientTime(): () => void {
  if (installs++ === 0) uninstall = install();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (--installs === 0) uninstall();
  };
}

function install(): () => void {
  const real = Object.fromEntries(NAMES.map((name) => [name, globalThis[name]])) as Pick<
    typeof globalThis,
    (typeof NAMES)[number]
  >;
  const promises = require("node:timers/promises") as typeof import("node:timers/promises");
  const realPromises = { setTimeout: promises.setTimeout, setInterval: promises.setInterval, wait: promises.scheduler.wait };
  const RealDate = globalThis.Date;
  const { random } = Math;
  const { performance } = globalThis;
  const elapsed = performance.now;
  const abortTimeout = AbortSignal.timeout;

  const start = (name: "setTimeout" | "setInterval") =>
    Object.assign(
      (run: Callback, ms?: number, ...args: unknown[]) => {
        const time = clientTime();
        if (!time) return (real[name] as typeof setTimeout)(run, ms, ...args);
        if (typeof run !== "function") throw new TypeError("The callback of a timer must be a function");
        const bound = inContext(() => run(...args));
        return new Handle(time, () => time.add(bound, ms, name === "setInterval"));
      },
      { [promisify.custom]: sleep },
    );
  const stop = (name: "clearTimeout" | "clearInterval") => (timer: unknown) => {
    const handle = typeof timer === "number" || typeof timer === "string" ? handles.get(Number(timer)) : timer;
    if (!(handle instanceof Handle)) return real[name](timer as NodeJS.Timeout);
    handle.close();
    handles.delete(Number(handle));
  };
  function sleep<T>(ms?: number, value?: T, options: { signal?: AbortSignal } = {}): Promise<T> {
    const time = clientTime();
    if (!time) return realPromises.setTimeout(ms, value, options) as Promise<T>;
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const abort = () => {
        time.remove(id);
        reject(new DOMException("The operation was aborted", "AbortError"));
      };
      const id = time.add(
        inContext(() => {
          signal?.removeEventListener("abort", abort);
          resolve(value as T);
        }),
        ms,
      );
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort, { once: true });
    });
  }
  async function* interval<T>(ms?: number, value?: T, options: { signal?: AbortSignal } = {}): AsyncGenerator<T> {
    if (!clientTime()) {
      yield* realPromises.setInterval(ms, value, options) as AsyncIterable<T>;
      return;
    }
    for (;;) yield await sleep(ms, value as T, options);
  }

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
  globalThis.Date = new Proxy(RealDate, {
    construct(target, args, self) {
      const time = args.length === 0 ? clientTime() : undefined;
      return Reflect.construct(target, time ? [time.now()] : args, self) as object;
    },
    apply: (target, self, args) => {
      const time = clientTime();
      return time ? new target(time.now()).toString() : Reflect.apply(target, self, args);
    },
    get: (target, name, self) => (name === "now" ? () => clientTime()?.now() ?? target.now() : Reflect.get(target, name, self)),
  });
  performance.now = () => clientTime()?.now() ?? elapsed.call(performance);
  Math.random = () => clientTime()?.random() ?? random();
  AbortSignal.timeout = (ms) => {
    const time = clientTime();
    if (!time) return abortTimeout.call(AbortSignal, ms);
    const controller = new AbortController();
    const abort = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    time.add(inContext(abort), ms);
    return controller.signal;
  };
  syncBuiltinESMExports();

  return () => {
    Object.assign(globalThis, real);
    Object.assign(timers, real);
    Object.assign(promises, { setTimeout: realPromises.setTimeout, setInterval: realPromises.setInterval });
    promises.scheduler.wait = realPromises.wait;
    globalThis.Date = RealDate;
    performance.now = elapsed;
    Math.random = random;
    AbortSignal.timeout = abortTimeout;
    handles.clear();
    syncBuiltinESMExports();
  };
}
