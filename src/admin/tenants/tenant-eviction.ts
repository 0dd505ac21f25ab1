/**
 * Which tenants are given back, so that a server which runs for weeks does not gather those of last week. Idleness is real
 * time: a tenant's own clock may stand, or be moved by years in a moment.
 */
import { isoMillis, systemClock } from "../../core/clock.ts";

/** Beyond it the tenant that was not used for longest goes. A fresh one takes about a tenth of a MiB. */
export const TENANTS_MAX = 5000;

/**
 * So long without a call, and a tenant goes. Longer than what goes on by itself with nobody calling (three webhook retries
 * take 36 minutes) and than the break of a person who tries things by hand; short enough that a server shared by CI runs
 * holds those of the last hours, not of the last days.
 */
export const TENANT_IDLE_MS = 2 * 60 * 60_000;

/** How many of those that went are remembered, to be told when they come again. */
const REMEMBERED_MAX = 10_000;

/** How many are looked at for those that may go when a tenant comes: coming costs the same, however many there are. */
const LOOKED_AT = 64;

export interface EvictedTenant {
  id: string;
  /** Epoch ms of the wall clock. */
  at: number;
  why: string;
}

/** Who keeps a tenant: `always` it never goes, `while` something goes on there it goes only beyond the bound. */
export type Hold = "always" | "while" | undefined;

export class TenantEviction {
  readonly #most: number;
  readonly idle_ms: number;
  /** Wall ms of each tenant's last use, the longest ago first. */
  readonly #used = new Map<string, number>();
  readonly #gone = new Map<string, EvictedTenant>();
  /** The one that is called now. */
  #current = "";

  constructor(most: number, idle_ms: number) {
    this.#most = most;
    this.idle_ms = idle_ms;
  }

  /** Notes a use. Returns what is to be told when the tenant was given back before. */
  use(id: string): string | undefined {
    this.#current = id;
    this.#used.delete(id);
    this.#used.set(id, systemClock.elapsed());
    const gone = this.#gone.get(id);
    if (!gone) return undefined;
    this.#gone.delete(id);
    return `the tenant ${id} was given back at ${isoMillis(gone.at)}: ${gone.why}; what it held is gone, and it began anew`;
  }

  /** Taken away on purpose. */
  leave(id: string): void {
    this.#used.delete(id);
  }

  /** Those that go now because nobody calls them any more, of the `look` that were not called for longest. */
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
   * Those that go now because there are too many: the one that was not called for longest and has nothing going on, of the
   * first that may go at all; the first of those when all of them are busy.
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
    // Out of the way of the next look.
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

  /** Those that went and did not come again, the last one first. */
  gone(): EvictedTenant[] {
    return [...this.#gone.values()].reverse();
  }
}
