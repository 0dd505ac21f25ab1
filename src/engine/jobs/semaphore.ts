/** Limits concurrency for each kind and in total. Waiting kinds take turns. */
export class Semaphore {
  readonly #perKind: number;
  readonly #total: number;
  #inside = 0;
  readonly #insideOf = new Map<string, number>();
  readonly #waiting = new Map<string, Queue>();

  constructor(perKind: number, total: number) {
    this.#perKind = perKind;
    this.#total = total;
  }

  enter(kind: string): Promise<void> {
    if (this.#hasRoom(kind)) {
      this.#count(kind, 1);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const queue = this.#waiting.get(kind);
      if (queue) queue.add(resolve);
      else this.#waiting.set(kind, new Queue(resolve));
    });
  }

  leave(kind: string): void {
    this.#count(kind, -1);
    for (const [next, queue] of this.#waiting) {
      if (!this.#hasRoom(next)) continue;
      const resolve = queue.take();
      this.#waiting.delete(next);
      if (queue.size > 0) this.#waiting.set(next, queue);
      this.#count(next, 1);
      resolve?.();
      return;
    }
  }

  #hasRoom(kind: string): boolean {
    return this.#inside < this.#total && (this.#insideOf.get(kind) ?? 0) < this.#perKind;
  }

  #count(kind: string, by: 1 | -1): void {
    this.#inside += by;
    const inside = (this.#insideOf.get(kind) ?? 0) + by;
    if (inside === 0) this.#insideOf.delete(kind);
    else this.#insideOf.set(kind, inside);
  }
}

class Queue {
  #entries: (() => void)[];
  #head = 0;

  constructor(first: () => void) {
    this.#entries = [first];
  }

  get size(): number {
    return this.#entries.length - this.#head;
  }

  add(entry: () => void): void {
    this.#entries.push(entry);
  }

  take(): (() => void) | undefined {
    const entry = this.#entries[this.#head++];
    if (this.#head > 1000 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }
}
