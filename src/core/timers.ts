/** The timers of a clock in a binary heap: the next one at hand, adding and cancelling in steps that grow with the logarithm. */

export interface Timer {
  readonly due: number;
  /** Of two that are due together the earlier made runs first. */
  readonly seq: number;
  readonly run: Task;
  /** Deadlines (expiry, reminders, token ends) do not count as work when `advance` runs until idle. */
  readonly deadline: boolean;
  /** Its place in the heap, kept by the queue. */
  at: number;
}

export class TimerQueue {
  readonly #heap: Timer[] = [];
  #working = 0;

  /** How many wait that are no deadlines. */
  get working(): number {
    return this.#working;
  }

  first(): Timer | undefined {
    return this.#heap[0];
  }

  add(timer: Timer): void {
    this.#rise(timer, this.#heap.length);
    if (!timer.deadline) this.#working++;
  }

  /** Takes the timer out; one that ran or was taken out already is left alone. */
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

  /** Puts `timer` at `place` or above it. */
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

  /** Puts `timer` at `place` or below it. */
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

/** What a timer does. A returned function is the timer's outcome; outcomes of one instant are applied in timer order. */
export type Task = () => Outcome | Promise<Outcome>;

// biome-ignore lint/suspicious/noConfusingVoidType: a task may be a plain function without a result
export type Outcome = void | (() => void);
