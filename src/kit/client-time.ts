/**
 * Puts a client in this process on a tenant's clock: its timers wait on that clock, and its dates show it. With `clock: "auto"`
 * an honest wait of the client then costs no real time. @internal
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import nodeTimers from "node:timers";
import timersPromises from "node:timers/promises";
import { promisify } from "node:util";
import type { Tenant } from "../admin/tenants/tenant.ts";

type Run = (...args: unknown[]) => unknown;

/** The clocks of the clients that run now, by async context. */
const clients = new AsyncLocalStorage<ClientTimers>();
let running = 0;
let restore = () => {};

/**
 * Runs `client` with the globals `setTimeout`, `setInterval`, `Date` and `performance.now`, and `setTimeout` of
 * `node:timers/promises`, on the tenant's clock. Only what `client` starts is affected, so several may run at once. Timers that
 * are left over are dropped at the end.
 */
export async function withClientTime<T>(tenant: Tenant, client: () => Promise<T>): Promise<T> {
  const timers = new ClientTimers(tenant);
  if (running++ === 0) restore = patch();
  try {
    return await clients.run(timers, client);
  } finally {
    timers.clear();
    if (--running === 0) restore();
  }
}

class ClientTimers {
  readonly #tenant: Tenant;
  readonly #timers = new Set<ClientTimer>();
  readonly #start: number;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    this.#start = tenant.clock.now();
  }

  now(): number {
    return this.#tenant.clock.now();
  }

  /** Milliseconds since the client began. */
  elapsed(): number {
    return this.now() - this.#start;
  }

  add(run: Run, ms: unknown, args: unknown[], isRepeated: boolean): ClientTimer {
    const timer = new ClientTimer(this.#tenant, AsyncResource.bind(run), delayOf(ms), args, isRepeated, () =>
      this.#timers.delete(timer),
    );
    this.#timers.add(timer);
    return timer;
  }

  clear(): void {
    for (const timer of this.#timers) timer.close();
  }
}

function delayOf(ms: unknown): number {
  const delay = Math.trunc(Number(ms));
  // As timers of Node do.
  return delay >= 1 && delay <= 2_147_483_647 ? delay : 1;
}

/** Has the methods of a Node `Timeout`. */
class ClientTimer {
  readonly #arm: () => void;
  readonly #forget: () => void;
  #cancel = () => {};
  /** The client waits while a timer is armed, unless it said `unref`. */
  #over = () => {};
  readonly #wait: () => () => void;
  #hasRef = true;

  constructor(tenant: Tenant, run: Run, ms: number, args: unknown[], isRepeated: boolean, forget: () => void) {
    this.#forget = forget;
    this.#wait = () => tenant.auto.wait();
    this.#arm = () => {
      this.#over();
      this.#over = this.#hasRef ? this.#wait() : () => {};
      this.#cancel = tenant.clock.at(tenant.clock.after(ms), () => {
        if (isRepeated) this.#arm();
        else this.close();
        run(...args);
      });
    };
    this.#arm();
  }

  close(): this {
    this.#cancel();
    this.#over();
    this.#forget();
    return this;
  }

  ref(): this {
    if (!this.#hasRef) this.#over = this.#wait();
    this.#hasRef = true;
    return this;
  }

  unref(): this {
    this.#hasRef = false;
    this.#over();
    return this;
  }

  hasRef(): boolean {
    return this.#hasRef;
  }

  refresh(): this {
    this.#cancel();
    this.#arm();
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Timers of HTTP clients themselves, such as undici's own limits, stay real. */
const MACHINERY = /node:internal\/|[\\/]undici[\\/]|[\\/]@mswjs[\\/]/;
/** The lines of a stack down to the caller of a patched function. */
const CALLER = 3;

function clientOf(): ClientTimers | undefined {
  const timers = clients.getStore();
  if (!timers) return undefined;
  const caller = new Error("where").stack?.split("\n")[CALLER] ?? "";
  return MACHINERY.test(caller) ? undefined : timers;
}

/** Patches the globals. Returns what puts them back. */
function patch(): () => void {
  const real = {
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    Date: globalThis.Date,
  };
  const { now } = performance;
  const promised = timersPromises.setTimeout;
  const starter = (start: unknown, isRepeated: boolean) =>
    Object.assign((run: Run, ms?: unknown, ...args: unknown[]) => {
      const timers = clientOf();
      return timers ? timers.add(run, ms, args, isRepeated) : (start as Run)(run, ms, ...args);
    });
  const ender = (end: unknown) => (timer: unknown) => (timer instanceof ClientTimer ? timer.close() : (end as Run)(timer));
  const sleep = <T>(ms?: number, value?: T, options: { signal?: AbortSignal | undefined } = {}): Promise<T> => {
    const timers = clientOf();
    if (!timers) return promised(ms, value, options) as Promise<T>;
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const fail = () => {
        timer.close();
        reject(new DOMException("The operation was aborted", { name: "AbortError", cause: signal?.reason }));
      };
      const timer = timers.add(
        () => {
          signal?.removeEventListener("abort", fail);
          resolve(value as T);
        },
        ms,
        [],
        false,
      );
      if (signal?.aborted) fail();
      else signal?.addEventListener("abort", fail, { once: true });
    });
  };
  const timeout = starter(real.setTimeout, false);
  Object.defineProperty(timeout, promisify.custom, { value: sleep });
  const patched = {
    setTimeout: timeout,
    setInterval: starter(real.setInterval, true),
    clearTimeout: ender(real.clearTimeout),
    clearInterval: ender(real.clearInterval),
    Date: new Proxy(real.Date, {
      construct: (target, args, made) => {
        const timers = args.length === 0 ? clients.getStore() : undefined;
        return Reflect.construct(target, timers ? [timers.now()] : args, made);
      },
      apply: (target) => {
        const timers = clients.getStore();
        return timers ? Reflect.construct(target, [timers.now()]).toString() : Reflect.apply(target, undefined, []);
      },
      get: (target, name, receiver) =>
        name === "now" ? () => clients.getStore()?.now() ?? target.now() : Reflect.get(target, name, receiver),
    }),
  };
  const { Date: _, ...timerFunctions } = patched;
  const { Date: __, ...realTimers } = real;
  Object.assign(globalThis, patched);
  Object.assign(nodeTimers, timerFunctions);
  Object.assign(timersPromises, { setTimeout: sleep });
  Object.assign(performance, { now: () => clients.getStore()?.elapsed() ?? now.call(performance) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(globalThis, real);
    Object.assign(nodeTimers, realTimers);
    Object.assign(timersPromises, { setTimeout: promised });
    Object.assign(performance, { now });
    syncBuiltinESMExports();
  };
}
