/** A client in this process on a sandbox's clock: the mechanism with which `explore` skips the client's own waits. */
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createSandbox } from "../../src/index.ts";
import { withClientTime } from "../../src/kit/client-time.ts";
import { hostOf } from "../../src/sandbox.ts";
import { within } from "../support/patience.ts";

const START = Date.UTC(2026, 2, 2, 9);

async function world() {
  const sandbox = await createSandbox({ seed: 7, clock: { mode: "auto", idle: 3 }, now: "2026-03-02T09:00:00Z" });
  onTestFinished(() => sandbox.close());
  const headers = { authorization: `API-Key ${sandbox.apiKey}` };
  return {
    sandbox,
    tenant: hostOf(sandbox).defaultTenant,
    get: (path: string) => sandbox.fetch(`/public/v1/${path}`, { headers }),
  };
}

test("an honest wait for Retry-After costs a few real milliseconds, and the dates agree", async () => {
  const { sandbox, tenant, get } = await world();
  sandbox.faults.next("listContacts", "throttled", { retryAfter: "60s", times: 3 });
  const began = systemClock.elapsed();
  const waits = await withClientTime(tenant, async () => {
    const seen: number[] = [];
    for (;;) {
      const response = await get("contacts");
      seen.push(Date.now() - START, Date.parse(new Date().toISOString()) - START);
      if (response.status === 200) return seen;
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("retry-after"))));
    }
  });
  expect(waits).toEqual([0, 0, 60_000, 60_000, 120_000, 120_000, 180_000, 180_000]);
  expect(systemClock.elapsed() - began).toBeLessThan(within(1000));
});

test("one that ignores Retry-After is found out", async () => {
  const { sandbox, tenant, get } = await world();
  sandbox.faults.next("listContacts", "throttled", { retryAfter: "60s" });
  await withClientTime(tenant, async () => {
    await get("contacts");
    await sleep(500);
    await get("contacts");
  });
  expect(sandbox.journal.all().map((one) => one.at - START)).toEqual([0, 1000]);
});

test("every kind of timer waits on the clock, in order, and those outside are real", async () => {
  const { tenant } = await world();
  const ran: string[] = [];
  const note = (what: string) => void ran.push(`${what} ${Date.now() - START}`);
  const outside = Date.now();
  await withClientTime(tenant, async () => {
    const began = performance.now();
    const interval = setInterval(() => note("interval"), 40_000);
    const never = setTimeout(() => note("never"), 70_000);
    setTimeout((word: string) => note(word), 90_000, "argument");
    await sleep(50_000);
    note("promise");
    clearTimeout(never);
    await promisify(setTimeout)(50_000);
    clearInterval(interval);
    note("promisified");
    expect(performance.now() - began).toBe(100_000);
    const cut = sleep(1_000_000, undefined, { signal: AbortSignal.abort() });
    await expect(cut).rejects.toThrow("aborted");
    setTimeout(() => note("left over"), 5000);
  });
  expect(ran).toEqual(["interval 40000", "promise 50000", "interval 80000", "argument 90000", "promisified 100000"]);
  expect(Math.abs(Date.now() - outside)).toBeLessThan(10_000);
});

test("several clients run at once, each on its own clock", async () => {
  const worlds = await Promise.all([world(), world(), world()]);
  const ends = await Promise.all(
    worlds.map(({ tenant }, i) =>
      withClientTime(tenant, async () => {
        for (let n = 0; n <= i; n++) await sleep(3_600_000);
        return Date.now() - START;
      }),
    ),
  );
  expect(ends).toEqual([3_600_000, 7_200_000, 10_800_000]);
});
