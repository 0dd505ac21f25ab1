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
    this.#calls.set(key, calls);
    return hitWindow(calls, limit, window_ms, now);
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

/** Forgets the calls before the window, and adds this one where it passes. Returns 0, or the milliseconds until a call passes. */
export function hitWindow(calls: number[], limit: number, window_ms: number, now: number): number {
  const firstInside = calls.findIndex((at) => at > now - window_ms);
  calls.splice(0, firstInside < 0 ? calls.length : firstInside);
  if (calls.length >= limit) return (calls[calls.length - limit] as number) + window_ms - now;
  calls.push(now);
  return 0;
}
