/** Puts timers and dates of another clock in the place of Node's, for the code of a client. */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";

const require = createRequire(import.meta.url);

/** The longest wait of a Node timer. A longer wait ends at once. */
const WAIT_MS_MAX = 2_147_483_647;

export interface FakeTime {
  /** Undefined for code that keeps its real timers. */
  begin(run: () => void, ms: unknown, repeats: boolean): FakeTimer | undefined;
  /** For `Date`, in epoch ms. Undefined for code that keeps real dates. */
  now(): number | undefined;
  /** For `performance.now`. */
  elapsed(): number | undefined;
}

/** What a fake `setTimeout` returns, with the members of Node's timers. */
export abstract class FakeTimer {
  readonly ms: number;
  readonly run: () => void;
  readonly repeats: boolean;
  #isRef = true;
  #id: number | undefined;

  constructor(run: () => void, ms: unknown, repeats: boolean) {
    const wait = Number(ms);
    this.ms = wait >= 1 && wait <= WAIT_MS_MAX ? Math.trunc(wait) : 1;
    this.run = run;
    this.repeats = repeats;
  }

  abstract begin(): void;
  abstract end(): void;

  close(): this {
    this.end();
    if (this.#id !== undefined) byId.delete(this.#id);
    return this;
  }

  ref(): this {
    this.#isRef = true;
    return this;
  }

  unref(): this {
    this.#isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isRef;
  }

  refresh(): this {
    this.end();
    this.begin();
    return this;
  }

  [Symbol.toPrimitive](): number {
    this.#id ??= ++lastId;
    byId.set(this.#id, this);
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const byId = new Map<number, FakeTimer>();
/** No id of a real timer is so large. */
let lastId = 2 ** 40;

type Callback = (...args: unknown[]) => void;

/** Returns a function that puts everything back. */
export function installTime(fake: FakeTime): () => void {
  const timers = require("node:timers") as typeof import("node:timers");
  const promises = require("node:timers/promises") as typeof import("node:timers/promises");
  const { setTimeout, setInterval, clearTimeout, clearInterval, Date: RealDate, performance } = globalThis;
  const real = { setTimeout, setInterval, clearTimeout, clearInterval };
  const realPromises = { setTimeout: promises.setTimeout, setInterval: promises.setInterval };
  const { wait } = promises.scheduler;
  const elapsed = performance.now;
  const abortTimeout = AbortSignal.timeout;

  const start = (name: "setTimeout" | "setInterval") =>
    Object.assign(
      (run: Callback, ms?: number, ...args: unknown[]) =>
        (typeof run === "function" ? fake.begin(() => run(...args), ms, name === "setInterval") : undefined) ??
        (real[name] as typeof setTimeout)(run, ms, ...args),
      { [promisify.custom]: sleep },
    );
  const stop = (name: "clearTimeout" | "clearInterval") => (timer: unknown) => {
    const known = typeof timer === "number" || typeof timer === "string" ? byId.get(Number(timer)) : timer;
    if (known instanceof FakeTimer) known.close();
    else real[name](timer as NodeJS.Timeout);
  };
  function sleep<T>(ms?: number, value?: T, options: { signal?: AbortSignal; ref?: boolean } = {}): Promise<T> {
    const { signal, ref = true } = options;
    let woken = () => {};
    const timer = fake.begin(() => woken(), ms, false);
    if (!timer) return realPromises.setTimeout(ms, value, options) as Promise<T>;
    if (!ref) timer.unref();
    return new Promise((resolve, reject) => {
      const abort = () => {
        timer.close();
        reject(Object.assign(new DOMException("The operation was aborted", "AbortError"), { cause: signal?.reason }));
      };
      woken = () => {
        signal?.removeEventListener("abort", abort);
        resolve(value as T);
      };
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort, { once: true });
    });
  }
  async function* interval<T>(ms?: number, value?: T, options: { signal?: AbortSignal } = {}): AsyncGenerator<T> {
    if (fake.now() === undefined) yield* realPromises.setInterval(ms, value, options) as AsyncIterable<T>;
    else for (;;) yield await sleep(ms, value as T, options);
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
      const now = args.length === 0 ? fake.now() : undefined;
      return Reflect.construct(target, now === undefined ? args : [now], self) as object;
    },
    apply(target, self, args) {
      const now = fake.now();
      return now === undefined ? Reflect.apply(target, self, args) : new target(now).toString();
    },
    get: (target, name, self) => (name === "now" ? () => fake.now() ?? target.now() : Reflect.get(target, name, self)),
  });
  performance.now = () => fake.elapsed() ?? elapsed.call(performance);
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    const abort = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    // Such a limit keeps no process alive.
    const timer = fake.begin(abort, ms, false)?.unref();
    return timer ? controller.signal : abortTimeout.call(AbortSignal, ms);
  };
  syncBuiltinESMExports();

  return () => {
    Object.assign(globalThis, real, { Date: RealDate });
    Object.assign(timers, real);
    Object.assign(promises, realPromises);
    promises.scheduler.wait = wait;
    performance.now = elapsed;
    AbortSignal.timeout = abortTimeout;
    byId.clear();
    syncBuiltinESMExports();
  };
}
