/**
 * Chooses tenants to evict, so that a long-running server does not collect old ones. Idleness is real time, because a tenant's clock
 * may be frozen or jump by years.
 */
import { isoMillis, systemClock } from "../../core/clock.ts";

/** Above this many tenants, the least recently used is evicted. A new tenant takes about a tenth of a MiB. */
export const TENANTS_MAX = 5000;

/**
 * Idle time until a tenant is evicted. Long enough for work without calls (three webhook retries take 36 minutes) and for the break
 * of a person who tries things by hand. Short enough that a server of CI runs holds only those of the last hours.
 */
export const TENANT_IDLE_MS = 2 * 60 * 60_000;

/** Evicted tenants to remember, for a note when they are opened again. */
const REMEMBERED_MAX = 10_000;

/** Candidates to check per eviction, so that opening a tenant costs the same with any number of tenants. */
const LOOKED_AT = 64;

export interface EvictedTenant {
  id: string;
  /** Epoch ms of the wall clock. */
  at: number;
  why: string;
}

/** `always` forbids eviction; `while` (the tenant is busy) allows it only above the maximum. */
export type Hold = "always" | "while" | undefined;

export class TenantEviction {
  readonly #most: number;
  readonly idle_ms: number;
  /** Wall ms of each tenant's last use, the oldest first. */
  readonly #used = new Map<string, number>();
  readonly #gone = new Map<string, EvictedTenant>();
  /** The tenant of the current call. */
  #current = "";

  constructor(most: number, idle_ms: number) {
    this.#most = most;
    this.idle_ms = idle_ms;
  }

  /** Records a use. Returns a note when the tenant was evicted before. */
  use(id: string): string | undefined {
    this.#current = id;
    this.#used.delete(id);
    this.#used.set(id, systemClock.elapsed());
    const gone = this.#gone.get(id);
    if (!gone) return undefined;
    this.#gone.delete(id);
    return `the tenant ${id} was given back at ${isoMillis(gone.at)}: ${gone.why}; what it held is gone, and it began anew`;
  }

  /** Forgets a tenant that was deleted. */
  leave(id: string): void {
    this.#used.delete(id);
  }

  /** Evicts idle tenants, among the `look` least recently used. Returns them. */
  idle(holdOn: (id: string) => Hold, look = LOOKED_AT): EvictedTenant[] {
    const now = systemClock.elapsed();
    const going: EvictedTenant[] = [];
    let seen = 0;
    for (const [id, used] of this.#used) {
      if (now - used < this.idle_ms || ++seen > look) break;
      if (holdOn(id) === undefined)
        going.push(this.#go(id, `it was not called for ${Math.round(this.idle_ms / 60_000)} minutes`));
    }
    return going;
  }

  /**
   * Evicts tenants above the maximum and returns them: the least recently used idle ones first. When the first `LOOKED_AT` candidates
   * are all busy, the least recently used of them.
   */
  beyond(holdOn: (id: string) => Hold): EvictedTenant[] {
    const going: EvictedTenant[] = [];
    while (this.#used.size > this.#most) {
      const id = this.#dispensable(holdOn);
      if (id === undefined) break;
      going.push(this.#go(id, `there were more than ${this.#most} tenants, and it was not called for longest`));
    }
    return going;
  }

  #dispensable(holdOn: (id: string) => Hold): string | undefined {
    let [first, seen]: [string | undefined, number] = [undefined, 0];
    const kept: string[] = [];
    for (const id of this.#used.keys()) {
      const hold = id === this.#current ? "always" : holdOn(id);
      if (hold === undefined) {
        first = id;
        break;
      }
      if (hold === "always") kept.push(id);
      else {
        first ??= id;
        if (++seen === LOOKED_AT) break;
      }
    }
    // Move tenants that must stay to the end, so that the next search skips them.
    for (const id of kept) {
      this.#used.delete(id);
      this.#used.set(id, systemClock.elapsed());
    }
    return first;
  }

  #go(id: string, why: string): EvictedTenant {
    this.#used.delete(id);
    const one = { id, at: systemClock.now(), why };
    this.#gone.set(id, one);
    const [oldest] = this.#gone.size > REMEMBERED_MAX ? this.#gone.keys() : [];
    if (oldest !== undefined) this.#gone.delete(oldest);
    return one;
  }

  /** Evicted tenants that were not opened again, the latest first. */
  gone(): EvictedTenant[] {
    return [...this.#gone.values()].reverse();
  }
}
