/**
 * Finds out what clients wait for. A call that a client repeats without another act is a poll. An answer with Retry-After, or with the
 * end of a lock, names the instant that its client waits for.
 */

const CALLS_MAX = 2000;

export interface Asked {
  client: string;
  method: string;
  url: string;
}

export interface Answered extends Asked {
  status: number | undefined;
  retry_ms: number | undefined;
  lockEnd: number | undefined;
}

interface Known {
  at: number;
  repeats: number;
  acts: number;
  isIdle: boolean;
  wakes: number;
  retryEnd: number | undefined;
}

export interface Poll {
  last: number;
  repeats: number;
  /** The last answer named a delay, and the client must wait for it. */
  isDelayed: boolean;
}

/** The entries of each map. Oldest first. */
export type WaitsState = readonly (readonly [key: string, value: unknown])[][];

export class ClientWaits {
  readonly #calls = new Map<string, Known>();
  /** Counts calls that may change something, by client. */
  readonly #acts = new Map<string, number>();
  readonly #retryEnds = new Map<string, number>();
  readonly #lockEnds = new Map<string, number>();

  clear(): void {
    for (const map of this.#maps) map.clear();
  }

  get state(): WaitsState {
    return this.#maps.map((map) => [...map] as [string, unknown][]);
  }

  set state(state: WaitsState) {
    for (const [i, map] of this.#maps.entries()) {
      map.clear();
      for (const [key, value] of state[i] ?? []) (map as Map<string, unknown>).set(key, value);
    }
  }

  get #maps() {
    return [this.#calls, this.#acts, this.#retryEnds, this.#lockEnds] as const;
  }

  /** @param wakes how many declared sleeps have ended. A client that slept since the last answer waits by itself */
  arrives(call: Asked, wakes = 0): Poll | undefined {
    const key = keyOf(call);
    this.#retryEnds.delete(key);
    this.#lockEnds.delete(key);
    const known = this.#calls.get(key);
    if (!known?.isIdle || known.wakes !== wakes || known.acts !== this.#actsOf(call.client)) return undefined;
    return { last: known.at, repeats: known.repeats + 1, isDelayed: known.retryEnd !== undefined };
  }

  answered(call: Answered, now: number, wakes = 0): void {
    const key = keyOf(call);
    const isIdle = isRead(call.method) || call.status === undefined || call.status === 202 || call.status >= 400;
    if (!isIdle) this.#acts.set(call.client, this.#actsOf(call.client) + 1);
    const acts = this.#actsOf(call.client);
    const before = this.#calls.get(key);
    const repeats = before?.isIdle && before.acts === acts && before.wakes === wakes ? before.repeats + 1 : 0;
    const retryEnd = call.retry_ms === undefined ? undefined : now + call.retry_ms;
    this.#calls.delete(key);
    this.#calls.set(key, { at: now, repeats, acts, isIdle, wakes, retryEnd });
    if (retryEnd !== undefined) this.#retryEnds.set(key, retryEnd);
    if (call.lockEnd !== undefined) this.#lockEnds.set(key, call.lockEnd);
    for (const map of this.#maps) dropOldest(map);
  }

  /** The next end of a delay whose client has not called again. Undefined without a future end. */
  nextRetry(now: number): number | undefined {
    return earliest(this.#retryEnds, now);
  }

  nextLockEnd(now: number): number | undefined {
    return earliest(this.#lockEnds, now);
  }

  #actsOf(client: string): number {
    return this.#acts.get(client) ?? 0;
  }
}

function keyOf({ client, method, url }: Asked): string {
  return `${client} ${method} ${url}`;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function earliest(ends: Map<string, number>, now: number): number | undefined {
  let next: number | undefined;
  for (const [key, end] of ends) {
    if (end <= now) ends.delete(key);
    else if (next === undefined || end < next) next = end;
  }
  return next;
}

function dropOldest(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= CALLS_MAX) return;
    map.delete(key);
  }
}
