/** Limits of one tenant on a server that many share. They hold what a client can make grow, and how often it calls. */
import { systemClock } from "../../core/clock.ts";
import { ApiError, tooManyRequests } from "../../core/errors.ts";
import { RateLimiter } from "../../jobs/rate-limit.ts";
import type { Service } from "../service.ts";
import type { EngineWorld } from "../world.ts";

interface Counted {
  readonly service: Pick<Service, "subjects" | "language">;
  readonly world: EngineWorld;
}

export interface Quota {
  /** The most rows of subjects, deleted ones too, because they take memory. */
  readonly subjects?: number | undefined;
  /** The most calls that the journal keeps. */
  readonly journal?: number | undefined;
  /** The most calls of the service in any 60 seconds of real time. */
  readonly calls?: number | undefined;
}

const WINDOW_MS = 60_000;

export class TenantQuota {
  limits: Quota = {};
  readonly #calls = new RateLimiter();

  /** Counts a call at the real time `now`. @throws 429, which says when the next call passes */
  countCall(now = systemClock.elapsed()): undefined {
    const { calls } = this.limits;
    if (calls === undefined) return undefined;
    const wait = this.#calls.hit("", calls, WINDOW_MS, now);
    if (wait > 0)
      throw tooManyRequests(wait / 1000, `the quota of this tenant is ${calls} calls in 60 s of real time; the server sets it`);
    return undefined;
  }

  /** For a transaction: what it returns throws a 403 when the transaction adds a subject beyond the limit. Other changes pass. */
  guard({ service, world }: Counted): (() => void) | undefined {
    if (this.limits.subjects === undefined) return undefined;
    const before = service.subjects.count(world);
    return () => {
      if (service.subjects.count(world) > before) this.requireRoom({ service, world });
    };
  }

  /** @throws 403 for more subjects than the limit */
  requireRoom({ service, world }: Counted): void {
    const { subjects } = this.limits;
    if (subjects === undefined || service.subjects.count(world) <= subjects) return;
    const detail = `This tenant may hold ${subjects} ${service.language.words.subject}s, deleted ones too.`;
    throw new ApiError("forbidden", detail, {
      body: { type: "docdouble_quota", detail },
      why: `the quota of this tenant is ${subjects}: reset the tenant, or ask who runs this server for a higher quota`,
    });
  }
}
