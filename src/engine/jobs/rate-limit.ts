const KEYS_MAX = 10_000;

/** Sliding windows on the tenant's clock: any `window_ms` has at most `limit` calls per key. */
export class RateLimiter {
  #calls = new Map<string, number[]>();
  /** Grows with each change. */
  revision = 0;

  /** Returns 0 when the call passes, else the milliseconds until a call passes. A refused call does not count. */
  hit(key: string, limit: number, window_ms: number, now: number): number {
    this.revision++;
    const calls = this.#calls.get(key) ?? [];
    this.#calls.delete(key);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size < KEYS_MAX) break;
      this.#calls.delete(oldest);
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

  snapshot(): [string, number[]][] {
    return structuredClone([...this.#calls]);
  }

  load(snapshot: readonly [string, number[]][]): void {
    this.revision++;
    this.#calls = new Map(structuredClone(snapshot) as [string, number[]][]);
  }
}
