/** Declared sleeps on an automatic clock, and clients that look at the clock. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import fc from "fast-check";
import { hostOf } from "../../../src/library/sandbox.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../src/index.ts";
import { within } from "../../support/patience.ts";
import { withManualTime } from "../../support/stopwatch.ts";

async function begin(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ clock: "auto", ...options });
  onTestFinished(() => sandbox.close());
  const admin = (path: string, init?: RequestInit) => sandbox.fetch(`/__admin${path}`, init);
  const now = () => sandbox.clock.now();
  const began = now();
  return {
    sandbox,
    admin,
    passed: () => now() - began,
    sleep: (by: string, signal?: AbortSignal) => sleepOf(sandbox, { by }, signal),
  };
}

const sleepOf = (sandbox: Sandbox, body: object, signal?: AbortSignal) =>
  sandbox.fetch("/__admin/clock/sleep", { method: "POST", body: JSON.stringify(body), ...(signal ? { signal } : {}) });

const real = () => performance.now();

describe("adminSleepClock", () => {
  test("adminSleepClock moves an automatic clock by exactly the sleep, in little real time", async () => {
    const { sleep, passed } = await begin();
    const began = real();
    const answer = await sleep("60s");
    expect([answer.status, passed()]).toEqual([200, 60_000]);
    expect(real() - began).toBeLessThan(within(1000));
  });

  test("adminSleepClock on a frozen clock is refused once nothing has moved it for 30 s, and not before", async () => {
    const { sandbox, sleep } = await begin({ clock: "frozen" });
    const after = vi.spyOn(systemClock, "after");
    onTestFinished(() => after.mockRestore());
    const looks = () => after.mock.calls.filter(([ms]) => ms === 30_000).map(([, run]) => run);
    const answer = sleep("60s");
    await vi.waitFor(() => expect(looks()).toHaveLength(1));
    await sandbox.clock.advance("10s");
    looks()[0]?.();
    // The clock has moved, so docdouble waits another 30 s.
    expect(looks()).toHaveLength(2);
    looks()[1]?.();
    const refused = await answer;
    expect(refused.status).toBe(409);
    expect(await refused.text()).toMatch(/The clock is frozen at .* Move it with POST \/__admin\/clock\/advance/);
  });

  test("adminSleepClock: an answer that a rule holds back takes its real time, before a longer sleep and after a shorter one", async () => {
    const rule = { name: "slow", when: { operation: "listContacts" as const }, then: { delay: "30s", phase: "after" as const } };
    const { sandbox, sleep, passed } = await begin({ scenario: { version: 1, rules: [rule] } });
    const time = withManualTime(sandbox);
    let end = () => {};
    hostOf(sandbox).defaultTenant.delayAnswer = () => new Promise<void>((resolve) => (end = resolve));
    const done: string[] = [];
    const note = (what: string) => () => void done.push(`${what} ${passed() / 1000}`);
    const call = sandbox
      .fetch("/public/v1/contacts", { headers: { authorization: `API-Key ${sandbox.apiKey}` } })
      .then(note("call"));
    const sleeps = ["10s", "60s"].map((by) => sleep(by).then(note(by)));
    await time.pass(60_000);
    expect(done).toEqual(["10s 10"]);
    end();
    await call;
    await time.pass(1000);
    await Promise.all(sleeps);
    expect(done).toEqual(["10s 10", "call 10", "60s 60"]);
  });

  test("the clock ends at the latest end of all sleeps of all threads, and no sleep ends before or after its time", async () => {
    const { sandbox } = await begin();
    const { clock, auto } = hostOf(sandbox).defaultTenant;
    const time = withManualTime(sandbox);
    const waits = fc.array(fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(waits, async (threads) => {
        const began = clock.now();
        const ends: number[] = [];
        const running = threads.map(async (thread) => {
          let due = began;
          for (const by of thread) {
            due += by;
            await auto.sleepers.sleep({ by }).over;
            expect(clock.now()).toBe(due);
            ends.push(due);
          }
        });
        const all = threads.flat().length;
        for (let tries = 0; ends.length < all && tries < 100; tries++) await time.pass(1000);
        expect(ends.length).toBe(all);
        await Promise.all(running);
        expect(clock.now()).toBe(Math.max(...ends));
        expect(ends).toEqual(ends.toSorted((a, b) => a - b));
      }),
    );
  });

  test("a program that sleeps alone waits two idle milliseconds, others an idle time, and four after a call or a wake", async () => {
    const { sandbox, passed } = await begin();
    const time = withManualTime(sandbox);
    const sleep = (by: string, alone = false) => sleepOf(sandbox, alone ? { by, alone } : { by });
    const call = () => sandbox.fetch("/public/v1/templates", { headers: { authorization: `API-Key ${sandbox.apiKey}` } });
    const moves = async (ms: number, from: number, to: number) => {
      await time.pass(ms - 1);
      expect(passed()).toBe(from);
      await time.pass(1);
      expect(passed()).toBe(to);
    };
    void sleep("1s", true);
    await moves(2, 0, 1000);
    void sleep("1s");
    await moves(25, 1000, 2000);
    void sleepOf(sandbox, { by: "1s", alone: false });
    await moves(100, 2000, 3000);
    void sleep("1s", true);
    await time.pass(0);
    await call();
    await moves(100, 3000, 4000);
    void sleep("1s", true);
    void sleep("3s", true);
    await moves(25, 4000, 5000);
    await moves(100, 5000, 7000);
  });

  test("adminSleepClock waits until a call that is under way has its answer", async () => {
    const { sandbox, sleep, passed } = await begin();
    const time = withManualTime(sandbox);
    let answer = () => {};
    sandbox.on("listContacts", () => new Promise<undefined>((resolve) => (answer = () => resolve(undefined))));
    const called = sandbox.fetch("/public/v1/contacts", { headers: { authorization: `API-Key ${sandbox.apiKey}` } });
    const slept = sleep("5s");
    await time.pass(60_000);
    expect(passed()).toBe(0);
    answer();
    expect((await called).status).toBe(200);
    await time.pass(60_000);
    expect([(await slept).status, passed()]).toEqual([200, 5000]);
  });

  test("adminSleepClock ends with the connection, and moves the clock no further", async () => {
    const { sandbox, passed } = await begin({ port: 0 });
    const cleared = new AbortController();
    const sleeping = fetch(`${sandbox.url}/__admin/clock/sleep`, { method: "POST", body: '{"by":"1h"}', signal: cleared.signal });
    cleared.abort();
    await expect(sleeping).rejects.toThrow(/abort/);
    await sleepOf(sandbox, { by: "3s" });
    expect(passed()).toBe(3000);
  });

  test("adminSleepClock without a duration waits for the next work, and does not answer", async () => {
    const { sandbox, passed } = await begin({ port: 0 });
    const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
    const recipients = [{ email: "pat@client.example", role: "Client" }];
    const body = JSON.stringify({ name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients });
    const { id } = (await (await sandbox.fetch("/public/v1/documents", { method: "POST", headers, body })).json()) as {
      id: string;
    };
    const stop = new AbortController();
    const waiting = fetch(`${sandbox.url}/__admin/clock/sleep`, { method: "POST", body: "{}", signal: stop.signal }).catch(
      () => "closed",
    );
    await expect.poll(() => sandbox.documents.get(id)?.status, { timeout: within(5000) }).toBe("document.draft");
    expect(passed()).toBeLessThan(60_000);
    stop.abort();
    expect(await waiting).toBe("closed");
  });

  test("adminSleepClock waits for an advance of a frozen clock, and a reset ends it", async () => {
    const { sandbox, sleep } = await begin({ clock: "frozen" });
    const sleeping = sleep("2s");
    await sandbox.clock.advance("3s");
    expect((await sleeping).status).toBe(200);
    const other = sleep("2d");
    await sandbox.fetch("/__admin/reset", { method: "POST" });
    expect((await other).status).toBe(200);
  });

  test.each([{ by: "soon" }, { by: -1 }, { to: 3 }])("adminSleepClock refuses %j", async (body) => {
    const { sandbox } = await begin();
    expect((await sleepOf(sandbox, body)).status).toBe(400);
  });
});

describe("looking at the clock", () => {
  test("a client that looks until the clock has moved far enough gets there, and at most twice as far", async () => {
    for (const goal of [1500, 60_000, 86_400_000]) {
      const { admin, passed } = await begin();
      const look = async () => Date.parse(((await (await admin("/clock")).json()) as { now: string }).now);
      const first = await look();
      let looks = 0;
      while ((await look()) < first + goal && looks < 100) looks++;
      expect(passed()).toBeGreaterThanOrEqual(goal);
      expect(passed()).toBeLessThanOrEqual(2 * Math.max(goal, 1000));
    }
  });

  test("two looks move nothing, and a call in between begins anew", async () => {
    const { sandbox, admin, passed } = await begin();
    for (let i = 0; i < 4; i++) {
      await admin("/clock");
      await admin("/clock");
      await sandbox.fetch(`/public/v1/templates?q=${i}`, { headers: { authorization: `API-Key ${sandbox.apiKey}` } });
    }
    expect(passed()).toBe(0);
  });

  test("work on the way runs at its own instant", async () => {
    const { sandbox, admin } = await begin();
    const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
    const recipients = [{ email: "pat@client.example", role: "Client" }];
    const body = JSON.stringify({ name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients });
    const { id } = (await (await sandbox.fetch("/public/v1/documents", { method: "POST", headers, body })).json()) as {
      id: string;
    };
    for (let i = 0; i < 20; i++) await admin("/clock");
    const answer = await sandbox.fetch(`/public/v1/documents/${id}`, { headers });
    const { status, date_modified, date_created } = (await answer.json()) as Record<string, string>;
    expect(status).toBe("document.draft");
    expect(Date.parse(date_modified ?? "") - Date.parse(date_created ?? "")).toBeLessThan(10_000);
  });
});
