/** Evicts old tenants from a long-running server. Idleness is real time, because a tenant's clock may be frozen or jump by years. */
import { isoMillis, systemClock } from "../../core/clock.ts";
import { makeRoom } from "../../core/maps.ts";

export const TENANTS_MAX = 5000;

/**
 * A tenant is evicted after this idle time. Three webhook retries take 36 minutes, and a person who tries things takes breaks. A server of
 * CI runs still holds only the runs of the last hours.
 */
export const TENANT_IDLE_MS = 2 * 60 * 60_000;

/** After a call, a tenant counts as busy for this time, because its client will call again. */
const RECENT_MS = 60_000;

const REMEMBERED_MAX = 10_000;

/** Limits the candidates that one eviction checks, so that its time does not depend on the number of tenants. */
const CANDIDATES_MAX = 64;

export interface EvictedTenant {
  id: string;
  at: number;
  why: string;
}

/** `always` forbids eviction. `while` is for busy tenants, and allows it only above the maximum. */
export type EvictionHold = "always" | "while" | undefined;

export class TenantEviction {
  readonly #max: number;
  readonly idle_ms: number;
  readonly #used = new Map<string, number>();
  readonly #evicted = new Map<string, EvictedTenant>();
  #current = "";

  constructor(max: number, idle_ms: number) {
    this.#max = max;
    this.idle_ms = idle_ms;
  }

  /** Returns a note when the tenant was evicted before. */
  use(id: string): string | undefined {
    this.#current = id;
    this.#used.delete(id);
    this.#used.set(id, systemClock.elapsed());
    const gone = this.#evicted.get(id);
    if (!gone) return undefined;
    this.#evicted.delete(id);
    return `the tenant ${id} was evicted at ${isoMillis(gone.at)}, because ${gone.why}; its data is gone, and a new tenant has its key`;
  }

  forget(id: string): void {
    this.#used.delete(id);
  }

  evictIdle(holdOf: (id: string) => EvictionHold, look = CANDIDATES_MAX): EvictedTenant[] {
    const now = systemClock.elapsed();
    const evicted: EvictedTenant[] = [];
    let seen = 0;
    for (const [id, used] of this.#used) {
      if (now - used < this.idle_ms || ++seen > look) break;
      if (holdOf(id) === undefined)
        evicted.push(this.#evict(id, `it was not called for ${Math.round(this.idle_ms / 60_000)} minutes`));
    }
    return evicted;
  }

  /**
   * Evicts tenants above the maximum and returns them. The idle tenant with the oldest use comes first. When the first `CANDIDATES_MAX`
   * candidates are busy, it evicts the first of them.
   */
  evictExcess(holdOf: (id: string) => EvictionHold): EvictedTenant[] {
    const evicted: EvictedTenant[] = [];
    while (this.#used.size > this.#max) {
      const id = this.#findExcess(holdOf);
      if (id === undefined) break;
      evicted.push(this.#evict(id, `there were more than ${this.#max} tenants, and it was not called for longest`));
    }
    return evicted;
  }

  #findExcess(holdOf: (id: string) => EvictionHold): string | undefined {
    let [first, seen]: [string | undefined, number] = [undefined, 0];
    const pinned: string[] = [];
    const now = systemClock.elapsed();
    for (const [id, used] of this.#used) {
      const hold = id === this.#current ? "always" : (holdOf(id) ?? (now - used < RECENT_MS ? "while" : undefined));
      if (hold === undefined) {
        first = id;
        break;
      }
      if (hold === "always") pinned.push(id);
      else {
        first ??= id;
        if (++seen === CANDIDATES_MAX) break;
      }
    }
    // Tenants that must stay move to the end, so that the next search skips them.
    for (const id of pinned) {
      this.#used.delete(id);
      this.#used.set(id, systemClock.elapsed());
    }
    return first;
  }

  #evict(id: string, why: string): EvictedTenant {
    this.#used.delete(id);
    const one = { id, at: systemClock.now(), why };
    makeRoom(this.#evicted, REMEMBERED_MAX);
    this.#evicted.set(id, one);
    return one;
  }

  evicted(): EvictedTenant[] {
    return [...this.#evicted.values()].reverse();
  }
}
