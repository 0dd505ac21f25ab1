/** A binary heap, so `add` and `remove` take logarithmic time. */

export interface Timer {
  readonly due: number;
  /** Counts timers, and decides between timers of the same instant. */
  readonly seq: number;
  readonly run: Task;
  /** Deadlines are expiries, reminders and token ends. They do not count as work when `advance` runs until idle. */
  readonly deadline: boolean;
  readonly skipped: boolean;
  at: number;
}

export class TimerQueue {
  readonly #heap: Timer[] = [];
  #working = 0;

  get working(): number {
    return this.#working;
  }

  first(): Timer | undefined {
    return this.#heap[0];
  }

  nextDue(accepts: (timer: Timer) => boolean): number | undefined {
    let due: number | undefined;
    for (const timer of this.#heap) if ((due === undefined || timer.due < due) && accepts(timer)) due = timer.due;
    return due;
  }

  add(timer: Timer): void {
    this.#rise(timer, this.#heap.length);
    if (!timer.deadline) this.#working++;
  }

  remove(timer: Timer): void {
    const { at } = timer;
    if (this.#heap[at] !== timer) return;
    const last = this.#heap.pop() as Timer;
    if (last !== timer) {
      this.#sink(last, at);
      if (last.at === at) this.#rise(last, at);
    }
    if (!timer.deadline) this.#working--;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#working = 0;
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

export type Task = () => Outcome | Promise<Outcome>;

// biome-ignore lint/suspicious/noConfusingVoidType: a task may be a plain function without a result
export type Outcome = void | (() => void);
