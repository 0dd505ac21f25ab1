/**
 * Time for client code in this process. Its timers, `Date` and random numbers follow a clock instead of the wall clock. Only code that
 * `ClientTime.run` starts is affected.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { Ids } from "../../engine/core/ids.ts";
import { FakeTimer, installTime } from "../../library/kit/fake-time.ts";

const current = new AsyncLocalStorage<{ time: ClientTime; note: unknown }>();

export class ClientTime {
  readonly #now: () => number;
  readonly #chance: Ids;
  readonly #timers = new Set<ClientTimer>();
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
    return this.#first()?.due;
  }

  fire(): void {
    const first = this.#first();
    if (!first) return;
    this.remove(first);
    if (first.repeats) this.add(first);
    first.run();
  }

  waits(): number[] {
    return [...this.#timers].map((timer) => timer.due - this.#now());
  }

  add(timer: ClientTimer): void {
    this.activity++;
    timer.due = this.#now() + timer.ms;
    timer.seq = ++this.#seq;
    if (!this.#isEnded) this.#timers.add(timer);
  }

  remove(timer: ClientTimer): void {
    if (this.#timers.delete(timer)) this.activity++;
  }

  #first(): ClientTimer | undefined {
    let first: ClientTimer | undefined;
    for (const one of this.#timers)
      if (!first || one.due < first.due || (one.due === first.due && one.seq < first.seq)) first = one;
    return first;
  }
}

class ClientTimer extends FakeTimer {
  due = 0;
  seq = 0;
  readonly #time: ClientTime;

  constructor(time: ClientTime, run: () => void, ms: unknown, repeats: boolean) {
    super(run, ms, repeats);
    this.#time = time;
    this.begin();
  }

  override begin(): void {
    this.#time.add(this);
  }

  override end(): void {
    this.#time.remove(this);
  }
}

export function clientTime(): ClientTime | undefined {
  return current.getStore()?.time;
}

export function clientNote(): unknown {
  return current.getStore()?.note;
}

/** `run` in the context of this call. `AsyncLocalStorage.bind` also does this, but takes 30 times as long. */
function inContext(run: () => void): () => void {
  const context = new AsyncResource("docdouble timer");
  return () => context.runInAsyncScope(run);
}

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
  const { random } = Math;
  Math.random = () => clientTime()?.random() ?? random();
  const restore = installTime({
    begin(run, ms, repeats) {
      const time = clientTime();
      return time && new ClientTimer(time, inContext(run), ms, repeats);
    },
    now: () => clientTime()?.now(),
    elapsed: () => clientTime()?.now(),
  });
  return () => {
    Math.random = random;
    restore();
  };
}
