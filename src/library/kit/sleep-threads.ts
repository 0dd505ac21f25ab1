/**
 * What the threads of this process do, in memory that they share. Time moves only while every thread sleeps, and to the earliest end of
 * all their sleeps.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { getEnvironmentData, setEnvironmentData, type Worker, type WorkerOptions } from "node:worker_threads";

const MEMORY = "docdouble threads";
const SLOT = "docdouble thread";
const THREADS_MAX = 256;

const FREE = 0;
const AWAKE = 1;
const ASLEEP = 2;

/** Places of the shared numbers. The ends of sleeps follow, one for each thread. */
const DECLARED = 0;
const AHEAD = 1;
const ENDS = 2;

const memory =
  (getEnvironmentData(MEMORY) as { states: Int32Array; numbers: Float64Array } | undefined) ??
  ({
    states: new Int32Array(new SharedArrayBuffer(4 * THREADS_MAX)),
    numbers: new Float64Array(new SharedArrayBuffer(8 * (ENDS + THREADS_MAX))),
  } as const);
const { states, numbers } = memory;
const own = (getEnvironmentData(SLOT) as number | undefined) ?? reserve();

/** A thread counts as awake from its making on. */
function reserve(): number {
  const slot = states.findIndex((_, i) => Atomics.compareExchange(states, i, FREE, AWAKE) === FREE);
  return slot < 0 ? THREADS_MAX - 1 : slot;
}

export const threads = {
  /** Milliseconds by which the sleeps of this process have moved docdouble's clock. */
  get declared(): number {
    return numbers[DECLARED] as number;
  },

  /** Milliseconds by which the clock of this process is ahead of real time. */
  get ahead(): number {
    return numbers[AHEAD] as number;
  },

  moveTo(declared: number): void {
    numbers[DECLARED] = Math.max(this.declared, declared);
  },

  moveAhead(ahead: number): void {
    numbers[AHEAD] = Math.max(this.ahead, ahead);
  },

  /** @param end of the earliest sleep, as `declared` counts. Infinite for a thread that waits for others */
  sleeps(end: number): void {
    numbers[ENDS + own] = end;
    Atomics.store(states, own, ASLEEP);
  },

  wakes(): void {
    Atomics.store(states, own, AWAKE);
  },

  /** Threads that are awake for long wait for something that docdouble does not know. */
  forgetBusy(): void {
    states.forEach((_, i) => {
      if (i === own || Atomics.compareExchange(states, i, AWAKE, ASLEEP) !== AWAKE) return;
      numbers[ENDS + i] = Number.POSITIVE_INFINITY;
    });
  },

  get isOnly(): boolean {
    return states.every((state, i) => i === own || state === FREE);
  },

  /** All other threads sleep, and none of them shorter. */
  mayMoveTo(end: number): boolean {
    return states.every((state, i) => i === own || state === FREE || (state === ASLEEP && (numbers[ENDS + i] as number) >= end));
  },
};

/** @param onStart runs when this thread starts another one */
export function countThreads(onStart: () => void): void {
  setEnvironmentData(MEMORY, memory);
  const workers = createRequire(import.meta.url)("node:worker_threads") as { Worker: typeof Worker };
  workers.Worker = class extends workers.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      const slot = reserve();
      setEnvironmentData(SLOT, slot);
      super(file, options);
      this.once("exit", () => Atomics.store(states, slot, FREE));
      onStart();
    }
  };
  syncBuiltinESMExports();
}
