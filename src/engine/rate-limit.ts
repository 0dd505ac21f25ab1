/** Sliding windows on the tenant's clock: at most `limit` calls of one key in any `window_ms`. */
export class RateLimiter {
  #calls = new Map<string, number[]>();

  /** Counts a call at `now`. Returns 0 when it may pass, else the milliseconds until the next may. A refused call is not counted. */
  hit(key: string, limit: number, window_ms: number, now: number): number {
    const calls = this.#calls.get(key) ?? [];
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
    this.#calls.clear();
  }

  snapshot(): [string, number[]][] {
    return structuredClone([...this.#calls]);
  }

  load(snapshot: readonly [string, number[]][]): void {
    this.#calls = new Map(structuredClone(snapshot) as [string, number[]][]);
  }
}
