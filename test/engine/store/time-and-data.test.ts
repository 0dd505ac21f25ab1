/** Limits of time, and the durability of answered data: the clock, the data file and snapshots. */
import { writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { iso } from "../../../src/engine/core/clock.ts";
import { Clock } from "../../../src/engine/core/tenant-clock.ts";
import { LATEST, SPEED_MAX } from "../../../src/engine/core/time-limits.ts";
import type { JournalEntry } from "../../../src/engine/journal/journal.ts";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { engine, START } from "../../support/engine.ts";
import { temporary } from "../../support/data-file.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, anUploadedDocument, aSubscription, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import type { SandboxOptions } from "../../../src/library/types.ts";
import { until } from "../../support/patience.ts";

const CONTACT = { email: "late@client.example" };

describe("overlapping advances", () => {
  test("a second advance is refused, and the receipt of the first stays complete", async () => {
    const world = await testWorld({ port: 0 });
    const hook = await receiver();
    hook.answerWith("hang");
    await aSubscription(world, hook);
    await anUploadedDocument(world);
    const first = world.admin("POST", "/clock/advance", { by: "5s" });
    await hook.arrived(1);
    expect((await world.admin("POST", "/clock/advance", { by: "1s" })).status).toBe(409);
    await hook.close();
    const { fired } = (await succeed(first)).body;
    expect(fired.map((one: { kind: string }) => one.kind)).toEqual(["convert_document", "deliver"]);
  });
});

describe("a tenant that is deleted during a call", () => {
  test("a call that waits while its tenant is deleted answers 503 with the reason", async () => {
    const world = await testWorld();
    const key = "test-l7";
    await succeed(world.admin("POST", "/rules", { name: "slow", when: {}, then: { delay: "150ms" } }, key));
    const late = world.call("createContact", { key, body: CONTACT });
    const { rules } = world.sandbox.tenant(key);
    await until(() => rules.pending().length === 0);
    await succeed(world.admin("DELETE", `/tenants/${key}`));
    expect(await late).toMatchObject({
      status: 503,
      body: {
        type: "docdouble_reset",
        detail: "This call has no effect: the tenant test-l7 was deleted while it was under way.",
      },
    });
  });

  test("a poll that waits for a delivery while its tenant is deleted answers 503 with the reason", async () => {
    const { sandbox, call } = await testWorld({ clock: "auto" });
    const key = "test-l9";
    let finish = () => {};
    const handler = () => new Promise<Response>((resolve) => (finish = () => resolve(new Response(null))));
    const inbox = await sandbox.tenant(key).webhooks.receiver({ events: ["document_state_changed"], handler });
    const { id } = await sandbox.tenant(key).documents.create({ status: "document.sent" });
    const poll = () => call("statusDocument", { key, params: { id } });
    await poll();
    const late = poll();
    await sandbox.fetch(`/__admin/tenants/${key}`, { method: "DELETE" });
    finish();
    expect(await late).toMatchObject({ status: 503, body: { type: "docdouble_reset" } });
    await inbox.close();
  });
});

describe("a job that throws", () => {
  test.each([
    ["at once", () => ({ run: () => fail() })],
    ["in its promise", () => ({ run: async () => fail() })],
    ["in its outcome", () => ({ run: async () => fail })],
  ])("a job that throws %s runs once more a minute later, then is removed", async (_, handler) => {
    const { scheduler, advance, errors, clock } = engine({ bad: handler() as never });
    scheduler.schedule("bad", 1);
    await advance(1);
    expect([errors.length, scheduler.pending().map((job) => job.due), clock.next()]).toEqual([
      1,
      [START + 60_001],
      START + 60_001,
    ]);
    await advance(60_000);
    expect([errors, scheduler.pending(), clock.next()]).toEqual([["bad job", "bad job"], [], undefined]);
  });

  function fail(): never {
    throw new Error("bad job");
  }
});

describe("a callback that throws", () => {
  test("a callback after a commit that throws is reported, and fails neither the call nor later callbacks", () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const { store } = engine({});
    const ran: string[] = [];
    const result = store.transaction(() => {
      store.afterCommit(() => {
        throw new Error("first callback");
      });
      store.afterCommit(() => ran.push("second"));
      return "held";
    });
    expect([result, ran, String(told.mock.calls[0]?.[0])]).toEqual(["held", ["second"], "Error: first callback"]);
    told.mockRestore();
  });
});

const END = "9999-12-31T23:59:59.999Z";

describe("the clock stays between 1970 and 9999", () => {
  test.each<[string, string, string]>([
    ["clock.now", "clock: { now: 1900-01-01 }", `2:15 clock.now: "1900-01-01" is outside the clock's range.`],
    ["clock.speed", "clock: { speed: 1e300 }", "2:17 clock.speed: Cannot set the clock's speed to 1e+300."],
    ["clock.speed .inf", "clock: { speed: .inf }", "2:17 clock.speed"],
    [
      "an actor's after",
      "actors: [{ name: a, on: document.sent, steps: [{ after: 99999999d, do: sign }] }]",
      "is too long. The longest duration is 36500d.",
    ],
    ["a timer's at", "timers: [{ at: +99999999d, do: sign }]", '"99999999d" is too long.'],
    ["a timer's date", "timers: [{ at: 1900-01-01, do: sign }]", `"1900-01-01" is outside the clock's range.`],
    ["a timer's every", "timers: [{ every: 99999999d, do: sign }]", "is too long"],
    ["transition seconds", "transitions: { document.processing: { time: 1e16 } }", "3153600000"],
    ["a transition's duration", "transitions: { document.processing: { time: 99999999d } }", "is too long"],
    ["retries", 'assume: { "webhook.retry_schedule": [99999999d] }', "is too long"],
    ["a delivery's delay", "webhooks: [{ name: w, then: { delay: 99999999d } }]", "is too long"],
    ["a batch's window", "webhooks: [{ name: w, then: { batch: { window: 99999999d } } }]", "is too long"],
    ["expires_in of an act", "timers: [{ at: 1s, do: lock, with: { expires_in: 99999999d } }]", "is too long"],
    ["expires_in of a lock", "rules: [{ name: r, then: { error: locked, lock: { expires_in: 99999999d } } }]", "is too long"],
    ["retry_after", "rules: [{ name: r, then: { error: throttled, retry_after: -5s } }]", "is not a duration"],
    ["changed_ago", "world: { sms_opt_outs: [{ phone_number: '+1', changed_ago: 99999999d }] }", "is too long"],
  ])("%s of a scenario file is refused with file, line and column", async (_, line, words) => {
    const file = temporary("far.yaml");
    writeFileSync(file, `version: 1\n${line}\n`);
    const refused = await createSandbox({ scenario: file }).then(
      () => "taken",
      (error: Error) => error.message,
    );
    expect(refused).toContain(words);
    expect(refused).toMatch(/far\.yaml:2:\d+/);
  });

  test("a magic address with a wrong time does nothing, and the contract report says so", async () => {
    const data = temporary();
    const first = await testWorld({ data });
    const email = "pat+sign.after=99999999d@example.test";
    const recipients = [{ email, first_name: "Pat", last_name: "Lee", role: "Client" }];
    const id = await aDraft(first, { body: { recipients } });
    await succeed(first.call("sendDocument", { params: { id }, body: { silent: true } }));
    expect((await first.admin("GET", "/clock")).status).toBe(200);
    const { findings } = (await succeed(first.admin("GET", "/contract"))).body;
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: "magic_address_ignored",
        message: `${email} has no effect: "99999999d" is too long. The longest duration is 36500d.`,
        entries: [expect.any(String)],
      }),
    );
    await first.sandbox.close();
    const second = await testWorld({ data });
    await second.advance("40d");
    expect((await second.call("statusDocument", { params: { id } })).body.status).toBe("document.sent");
  });

  test("at the last instant all calls are answered, and later jobs never run", async () => {
    const world = await testWorld({ now: "9999-12-31T23:59:00Z" });
    const draft = await aDraft(world);
    await succeed(world.call("sendDocument", { params: { id: draft }, body: { silent: true } }));
    await succeed(world.admin("POST", "/clock/advance", { to: END }));
    const id = await anUploadedDocument(world);
    await succeed(world.admin("POST", "/clock/advance", { until: "idle" }));
    const { body: clock } = await world.admin("GET", "/clock");
    expect(clock).toMatchObject({ now: "9999-12-31T23:59:59.999000Z", next: null });
    expect((await world.call("statusDocument", { params: { id } })).body.status).toBe("document.uploaded");
    expect((await world.call("detailsDocument", { params: { id: draft } })).body.expiration_date).toBe(
      "9999-12-31T23:59:59.999000Z",
    );
    expect((await world.admin("POST", "/clock/advance", { by: 1 })).status).toBe(400);
    const pages = await Promise.all(
      ["/", "/documents", "/emails", "/webhooks/deliveries"].map((path) => world.admin("GET", path)),
    );
    expect(pages.map((page) => page.status)).toEqual([200, 200, 200, 200]);
  });

  const fakeAfter = (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };

  test("a running clock stops at the last instant", () => {
    vi.useFakeTimers({ now: START });
    const clock = new Clock({
      now: LATEST - 10,
      speed: SPEED_MAX,
      source: { now: () => Date.now(), after: fakeAfter },
    });
    let ran = 0;
    clock.at(LATEST, () => void ran++);
    clock.at(LATEST + 1, () => void ran++);
    vi.advanceTimersByTime(60_000);
    expect([clock.now(), iso(clock.now()), ran]).toEqual([LATEST, "9999-12-31T23:59:59.999000Z", 1]);
    clock.stop();
    vi.useRealTimers();
  });

  test("an expires_in beyond the clock's range ends at the last instant", async () => {
    const world = await testWorld({ now: "9000-01-01T00:00:00Z" });
    const id = await aDraft(world);
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    await succeed(world.call("documentSettingsUpdate", { params: { document_id: id, id }, body: { expires_in: 1_000_000 } }));
    expect((await world.call("detailsDocument", { params: { id } })).body.expiration_date).toBe("9999-12-31T23:59:59.999000Z");
  });
});

describe("large snapshots and journals", () => {
  /** A world whose journal holds `calls` calls with long headers. */
  async function withLongHeaders(calls: number, options: SandboxOptions = {}) {
    const world = await testWorld(options);
    await world.call("createContact", { body: CONTACT });
    const [one] = world.tenant.journal.all();
    for (let i = 0; i < calls; i++) {
      const headers = { ...(one as JournalEntry).headers, "x-long": `${i} `.padEnd(28_000, '"') };
      world.tenant.journal.add({ ...(one as JournalEntry), id: `long-${i}`, headers });
    }
    return world;
  }

  test("a snapshot with a long journal is restored after a restart", async () => {
    const data = temporary();
    const first = await withLongHeaders(800, { data });
    await succeed(first.admin("POST", "/snapshots", { name: "s" }));
    const before = first.tenant.snapshots.get("s")?.journal.entries;
    await first.sandbox.close();
    const second = await testWorld({ data });
    expect(second.tenant.journal.size).toBe(first.tenant.journal.size);
    await succeed(second.admin("DELETE", "/requests"));
    await succeed(second.admin("POST", "/snapshots/s/restore"));
    expect(second.tenant.journal.all()).toEqual(before);
  });
});
