/**
 * - `work`: somebody waits for it. `advance` until idle runs it.
 * - `deadline`: a reminder or a scheduled send. It does not count as work.
 * - `skipped`: an expiry, or the end of a client's sleep. Automatic time never seeks it.
 */
export type TimerKind = "work" | "deadline" | "skipped";

export interface Timer {
  readonly due: number;
  /** Counts timers, and decides between timers of the same instant. */
  readonly seq: number;
  readonly run: Task;
  readonly kind: TimerKind;
  at: number;
}

/** One heap for each kind, so the next timer of a kind is found without a walk through the others. */
export class TimerQueue {
  readonly #heaps: Readonly<Record<TimerKind, Heap>> = { work: new Heap(), deadline: new Heap(), skipped: new Heap() };

  get working(): number {
    return this.#heaps.work.size;
  }

  first(): Timer | undefined {
    const { work, deadline, skipped } = this.#heaps;
    return earlier(earlier(work.first(), deadline.first()), skipped.first());
  }

  firstOf(kind: TimerKind): Timer | undefined {
    return this.#heaps[kind].first();
  }

  add(timer: Timer): void {
    this.#heaps[timer.kind].add(timer);
  }

  remove(timer: Timer): void {
    this.#heaps[timer.kind].remove(timer);
  }

  clear(): void {
    for (const heap of Object.values(this.#heaps)) heap.clear();
  }
}

/** A binary heap, so `add` and `remove` take logarithmic time. */
class Heap {
  readonly #heap: Timer[] = [];

  get size(): number {
    return this.#heap.length;
  }

  first(): Timer | undefined {
    return this.#heap[0];
  }

  add(timer: Timer): void {
    this.#rise(timer, this.#heap.length);
  }

  remove(timer: Timer): void {
    const { at } = timer;
    if (this.#heap[at] !== timer) return;
    const last = this.#heap.pop() as Timer;
    if (last !== timer) {
      this.#sink(last, at);
      if (last.at === at) this.#rise(last, at);
    }
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #rise(timer: Timer, place: number): void {
    let at = place;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above] as Timer;
      if (isBefore(parent, timer)) break;
      this.#set(parent, at);
      at = above;
    }
    this.#set(timer, at);
  }

  #sink(timer: Timer, place: number): void {
    let at = place;
    for (;;) {
      const left = 2 * at + 1;
      const first = this.#heap[left];
      if (!first) break;
      const second = this.#heap[left + 1];
      const child = second && isBefore(second, first) ? second : first;
      if (isBefore(timer, child)) break;
      const below = child.at;
      this.#set(child, at);
      at = below;
    }
    this.#set(timer, at);
  }

  #set(timer: Timer, at: number): void {
    this.#heap[at] = timer;
    timer.at = at;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.seq < b.seq);
}

function earlier(a: Timer | undefined, b: Timer | undefined): Timer | undefined {
  if (!a || !b) return a ?? b;
  return isBefore(a, b) ? a : b;
}

export type Task = () => Outcome | Promise<Outcome>;

// biome-ignore lint/suspicious/noConfusingVoidType: a task may be a plain function without a result
export type Outcome = void | (() => void);
