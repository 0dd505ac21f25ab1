import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/engine/jobs/rate-limit.ts";
import { law } from "../../support/law.ts";

const MINUTE = 60_000;

describe("the sliding window", () => {
  test("a lowered limit waits until enough earlier calls have left the window", () => {
    const limiter = new RateLimiter();
    for (const now of [0, 10, 20]) limiter.hit("k", 3, 100, now);
    const wait = limiter.hit("k", 1, 100, 30);
    expect(wait).toBe(90);
    expect(limiter.hit("k", 1, 100, 30 + wait)).toBe(0);
  });

  test("clear removes all calls, and a snapshot restores them", () => {
    const limiter = new RateLimiter();
    limiter.hit("k", 1, MINUTE, 0);
    const snapshot = limiter.snapshot();
    limiter.clear();
    expect(limiter.hit("k", 1, MINUTE, 5)).toBe(0);
    limiter.load(snapshot);
    expect(limiter.hit("k", 1, MINUTE, 10)).toBe(MINUTE - 10);
    limiter.load(snapshot);
    limiter.hit("other", 1, MINUTE, 0);
    expect(snapshot).toEqual([["k", [0]]]);
  });

  test("no window of random calls exceeds the limit, and the returned wait is exact", () => {
    law(
      fc.property(fc.array(fc.nat(40), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (gaps, limit) => {
        const limiter = new RateLimiter();
        const passed: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const inside = passed.filter((at) => at > now - 100);
          const wait = limiter.hit("k", limit, 100, now);
          if (wait === 0) passed.push(now);
          expect(wait === 0).toBe(inside.length < limit);
          if (wait > 0) expect(wait).toBe((inside.at(-limit) as number) + 100 - now);
        }
      }),
    );
  });
});
