const KEYS_MAX = 10_000;

/** Sliding windows on the tenant's clock: any `window_ms` has at most `limit` calls per key. */
export class RateLimiter {
  #calls = new Map<string, number[]>();
  #changed = new Set<string>();
  #loads = 0;

  /** Returns 0 when the call passes, else the milliseconds until a call passes. A refused call does not count. */
  hit(key: string, limit: number, window_ms: number, now: number): number {
    const calls = this.#calls.get(key) ?? [];
    this.#changed.delete(key);
    this.#changed.add(key);
    this.#calls.delete(key);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size < KEYS_MAX) break;
      this.#calls.delete(oldest);
      this.#changed.add(oldest);
    }
    const firstInside = calls.findIndex((at) => at > now - window_ms);
    const inside = firstInside < 0 ? [] : firstInside === 0 ? calls : calls.slice(firstInside);
    if (inside.length >= limit) {
      this.#calls.set(key, inside);
      return (inside[inside.length - limit] as number) + window_ms - now;
    }
    inside.push(now);
    this.#calls.set(key, inside);
    return 0;
  }

  clear(): void {
    this.load([]);
  }

  get loads(): number {
    return this.#loads;
  }

  takeChanges(): [string, number[]][] {
    if (this.#changed.size === 0) return [];
    const changes = [...this.#changed].map((key): [string, number[]] => [key, this.#calls.get(key) ?? []]);
    this.#changed.clear();
    return changes;
  }

  snapshot(): [string, number[]][] {
    return structuredClone([...this.#calls]);
  }

  load(snapshot: readonly [string, number[]][]): void {
    this.#loads++;
    this.#changed.clear();
    this.#calls = new Map(structuredClone(snapshot) as [string, number[]][]);
  }
}
