/** Counts equal answers to the same read at the same instant. They show a client that polls while the clock stands. */

const READS_MAX = 200;

interface Read {
  body: string;
  /** Epoch ms on the tenant's clock. */
  at: number;
  count: number;
}

export interface RepeatedState {
  latest: readonly (readonly [key: string, read: Read])[];
  explained: readonly string[];
}

export class RepeatedAnswers {
  #generation = 0;
  #latest = new Map<string, Read>();
  /** Jobs and subjects that the journal has explained. */
  #explained = new Set<string>();

  /** A reset or a restore begins a new generation, which forgets all reads. */
  begin(generation: number): void {
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#latest.clear();
    this.#explained.clear();
  }

  /** Returns how many equal answers the client has received at this instant. */
  see(key: string, body: string, now: number): number {
    const known = this.#latest.get(key);
    if (known?.at === now && known.body === body) return ++known.count;
    this.#latest.delete(key);
    this.#latest.set(key, { body, at: now, count: 1 });
    if (this.#latest.size > READS_MAX) this.#latest.delete(this.#latest.keys().next().value as string);
    return 1;
  }

  /** Returns true once for each text. */
  explain(text: string): boolean {
    const isNew = !this.#explained.has(text);
    this.#explained.add(text);
    return isNew;
  }

  take(): RepeatedState {
    return { latest: structuredClone([...this.#latest]), explained: [...this.#explained] };
  }

  put({ latest, explained }: RepeatedState, generation: number): void {
    this.#generation = generation;
    this.#latest = new Map(structuredClone(latest) as [string, Read][]);
    this.#explained = new Set(explained);
  }
}
