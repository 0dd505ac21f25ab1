/** The timers and dates of an explored client follow the clock of the sandbox. */
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { explore, type Sandbox } from "../../../src/index.ts";
import { within } from "../../support/patience.ts";

const START = Date.UTC(2026, 2, 2, 9);

/** Plays the client in the two clean runs. Returns the result of the second run. @throws when the client fails */
async function played<T>(client: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  let result: T | undefined;
  const keep = async (sandbox: Sandbox) => {
    result = await client(sandbox);
  };
  const report = await explore(keep, { out: false, throwOnBreak: false, runs: 2 });
  expect(report.clean.problem).toBeNull();
  return result as T;
}

const listContacts = (sandbox: Sandbox) =>
  sandbox.fetch("/public/v1/contacts", { headers: { authorization: `API-Key ${sandbox.apiKey}` } });

test("a client that waits for Retry-After sees matching dates, and the wait takes little real time", async () => {
  const began = systemClock.elapsed();
  const waits = await played(async (sandbox) => {
    sandbox.faults.next("listContacts", "throttled", { retryAfter: "60s", times: 3 });
    const seen: number[] = [];
    for (;;) {
      const response = await listContacts(sandbox);
      seen.push(Date.now() - START, Date.parse(new Date().toISOString()) - START);
      if (response.status === 200) return seen;
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("retry-after"))));
    }
  });
  expect(waits).toEqual([0, 0, 60_000, 60_000, 120_000, 120_000, 180_000, 180_000]);
  expect(systemClock.elapsed() - began).toBeLessThan(within(5000));
});

test("each kind of timer waits on the clock of the sandbox in order, and code outside keeps real time", async () => {
  const outside = Date.now();
  const ran = await played(async () => {
    const notes: string[] = [];
    const note = (what: string) => void notes.push(`${what} ${Date.now() - START}`);
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
    return notes;
  });
  expect(ran).toEqual(["interval 40000", "promise 50000", "interval 80000", "argument 90000", "promisified 100000"]);
  expect(Math.abs(Date.now() - outside)).toBeLessThan(within(10_000));
});

test("fetch follows a redirect as everywhere: 307 keeps method, body and headers, 303 asks with GET, and error refuses", async () => {
  const seen = await played(async (sandbox) => {
    const to = (status: number) =>
      sandbox.rules.add({
        name: `moved ${status}`,
        when: { operation: "createContact" },
        then: { respond: { status, headers: { location: "/public/v1/contacts" } }, undeclared: true, times: 1 },
      });
    const create = (redirect: "follow" | "error") =>
      fetch(`${sandbox.url}/public/v1/contacts`, {
        method: "POST",
        headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ email: "new@client.example" }),
        redirect,
      }).then(
        ({ status }) => status,
        (error: Error) => error.message,
      );
    to(307);
    const kept = await create("follow");
    to(303);
    const read = await create("follow");
    to(307);
    return [kept, read, await create("error")];
  });
  expect(seen).toEqual([201, 200, "fetch failed"]);
});
