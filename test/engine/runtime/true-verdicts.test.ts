/** A green result is true: upper bounds after the journal dropped calls, mistakes that `check` finds, and rules without an effect. */
import { AssertionError } from "node:assert";
import { expect, describe, test } from "vitest";
import { assertReceived } from "../../../src/node-test.ts";
import { createSandbox, hostOf } from "../../../src/library/sandbox.ts";
import { verdicts } from "../../../src/library/testing.ts";
import { temporary } from "../../support/data-file.ts";
import { lab, subscribed, unmet } from "../../support/lab.ts";
import { aDraft, aSentDocument, simulate } from "../../support/stories.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";

const LIMIT = 20;

/** The client creates one document. Later reads push the call out of the journal. */
async function forgetful(scenario?: object): Promise<TestWorld> {
  const options = { journalMax: LIMIT };
  const world = scenario ? await lab(scenario, options) : await testWorld(options);
  await aDraft(world);
  await readOften(world);
  return world;
}

async function readOften(world: TestWorld, times = LIMIT + 5): Promise<void> {
  for (let i = 0; i < times; i++) await world.call("listTemplates");
}

const verify = (world: TestWorld, body: object) => world.admin("POST", "/requests/verify", body);
const CREATE = { operation: "createDocument" };

const dropped = (world: TestWorld) => `the journal dropped ${world.tenant.journal.dropped} calls: raise --journal-max`;

describe("scenario expectations", () => {
  test.each([
    ["never, of a call that is gone", "createDocument", { never: true }, "none, found 0"],
    ["never, of a call that never came", "sendDocument", { never: true }, "none, found 0"],
    ["at_most", "createDocument", { at_most: 1 }, "at most 1, found 0"],
    ["times, which the calls that are left do not reach", "createDocument", { times: 1 }, "exactly 1, found 0"],
    ["at_least, which the calls that are left do not reach", "createDocument", { at_least: 1 }, "at least 1, found 0"],
  ])("%s fails after the journal dropped calls, and names the option", async (_, operation, limits, words) => {
    const world = await forgetful({ expect: { requests: [{ match: { operation }, ...limits }] } });
    expect(await unmet(world)).toEqual([`requests {"operation":"${operation}"}: expected ${words}, and ${dropped(world)}`]);
  });

  test("never fails for deliveries and emails after a limit deleted some, and a met lower bound holds", async () => {
    const world = await lab({
      expect: {
        deliveries: [{ match: { event: "document_deleted" }, never: true }],
        emails: [
          { match: { kind: "declined" }, never: true },
          { match: { kind: "sent" }, at_least: 1 },
        ],
      },
    });
    await aSentDocument(world, { silent: false });
    world.tenant.trimmedRows = { deliveries: 3, emails: 2 };
    expect(await unmet(world)).toEqual([
      expect.stringContaining("expected none, found 0, and docdouble dropped the oldest 3 deliveries: verify earlier"),
      expect.stringContaining("expected none, found 0, and docdouble dropped the oldest 2 mails: verify earlier"),
    ]);
  });
});

describe("the admin API", () => {
  test("verify fails an upper bound after the journal dropped calls, and passes a lower bound that is met", async () => {
    const world = await forgetful();
    for (const limits of [{ at_most: 0 }, { times: 0 }, { never: true }, { at_most: 5 }, { at_least: 1 }]) {
      const { status, body } = await verify(world, { match: { operation: "sendDocument" }, ...limits });
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { verified: false, count: 0, gone: world.tenant.journal.dropped },
      });
      expect(body.detail).toContain(`found 0, and ${dropped(world)}`);
    }
    const met = await verify(world, { match: { operation: "listTemplates" }, at_least: 3 });
    expect(met).toMatchObject({ status: 200, body: { verified: true, count: LIMIT } });
    const exceeded = await verify(world, { match: { operation: "listTemplates" }, at_most: 3 });
    expect(exceeded.body.detail).toBe(`expected at most 3, found ${LIMIT}`);
  });

  test("verify waits for a call, also after the journal dropped calls", async () => {
    const world = await forgetful();
    const waiting = verify(world, { match: CREATE, at_least: 1, timeout_ms: 60_000 });
    await aDraft(world);
    expect(await waiting).toMatchObject({ status: 200, body: { verified: true, count: 1 } });
  });

  test("an emptied journal proves again, and a removal does not", async () => {
    const world = await forgetful();
    await world.admin("POST", "/requests/remove", { operation: "listTemplates" });
    expect(await verify(world, { match: CREATE, at_most: 0 })).toMatchObject({ status: 422, body: { count: 0 } });
    await world.admin("DELETE", "/requests");
    expect(await verify(world, { match: CREATE, at_most: 0 })).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await world.admin("POST", "/requests/count", CREATE)).toMatchObject({ status: 200, body: { count: 0 } });
  });

  test("a snapshot restores what the journal had dropped at that time", async () => {
    const world = await forgetful();
    await world.admin("POST", "/snapshots", { name: "after" });
    await world.admin("POST", "/reset");
    expect(await verify(world, { match: CREATE, at_most: 0 })).toMatchObject({ status: 200 });
    await world.admin("POST", "/snapshots/after/restore");
    expect(await verify(world, { match: CREATE, at_most: 0 })).toMatchObject({ status: 422, body: { count: 0 } });
    expect((await world.admin("GET", "/contract")).body).toMatchObject({ clean: false, unread: dropped(world) });
  });

  test("a restart of the server keeps the number of dropped calls", async () => {
    const data = temporary();
    const first = await createSandbox({ data, journalMax: LIMIT, seed: 7 });
    const headers = { authorization: `API-Key ${first.apiKey}` };
    const read = async (sandbox: typeof first) => {
      for (let i = 0; i < LIMIT + 5; i++) await sandbox.fetch("/public/v1/templates", { headers });
    };
    const droppedBy = (sandbox: typeof first) => hostOf(sandbox).defaultTenant.journal.dropped;
    await read(first);
    await first.close();
    const second = await createSandbox({ data, journalMax: LIMIT, seed: 7 });
    expect(droppedBy(second)).toBe(5);
    await read(second);
    await second.close();
    const third = await createSandbox({ data, journalMax: LIMIT, seed: 7 });
    expect([droppedBy(third), hostOf(third).defaultTenant.journal.size]).toEqual([LIMIT + 10, LIMIT]);
    expect(() => third.journal.count({ operation: "listContacts" })).toThrow("raise --journal-max");
    await third.close();
  });
});

describe("the library", () => {
  test("toHaveReceived fails either way where dropped calls could change its verdict, and passes a met lower bound", async () => {
    const world = await forgetful();
    const { sandbox } = world;
    for (const limits of [{ times: 0 }, { atMost: 3 }, { times: 1 }, {}])
      expect(() => verdicts.toHaveReceived(sandbox, "createDocument", limits), JSON.stringify(limits)).toThrow(dropped(world));
    expect(() => assertReceived(sandbox, "createDocument", { body: { name: "Deal" } })).toThrow(AssertionError);
    expect(verdicts.toHaveReceived(sandbox, "listTemplates").pass).toBe(true);
    expect(verdicts.toHaveReceived(sandbox, "listTemplates", { atMost: 3 }).pass).toBe(false);
    expect(() => sandbox.journal.find({ operation: "createDocument" })).toThrow("journal.find: Found 0 calls");
    expect(() => sandbox.journal.count({ operation: "createDocument" })).toThrow(dropped(world));
  });
});

describe("rules_used", () => {
  const STATE = { event: "document_state_changed" };

  test("a webhook rule that waits for an event of the past does not count", async () => {
    const after = (event: string) => ({ after_event: { event, status: "document.draft" } });
    const world = await lab({
      webhooks: [{ name: "late", when: { ...STATE, status: "document.completed" }, then: after("document_state_changed") }],
      expect: { rules_used: "all" },
    });
    await subscribed(world, ["document_state_changed"]);
    const id = await aSentDocument(world, { silent: false });
    await world.advance("1m");
    await simulate(world, id, "sign");
    await world.advance("1m");
    expect(await unmet(world)).toEqual([
      "rules_used: rule late: expected at least 1 hit, found 0 hits, and 1 hit without an effect",
    ]);
    expect((await world.admin("GET", "/rules")).body.webhooks).toMatchObject([
      { name: "late", matched: 1, hits: 0, pending: true },
    ]);
  });

  test("a webhook rule does not count when an earlier rule decides all that it asks for", async () => {
    const world = await lab({
      webhooks: [
        { name: "lost", when: STATE, then: { drop: true, fallthrough: true } },
        { name: "late", when: STATE, then: { delay: "1h" } },
      ],
      expect: { rules_used: "all" },
    });
    await subscribed(world, ["document_state_changed"]);
    await aDraft(world);
    await world.advance("1m");
    expect((await unmet(world)).map((line) => line.slice(0, 70))).toEqual([
      "rules_used: rule late: expected at least 1 hit, found 0 hits, and 1 hi",
    ]);
  });

  test("a rate limit that no call exceeds does not count", async () => {
    const world = await lab({
      rules: [{ name: "limit", when: { operation: "listContacts" }, then: { rate_limit: { limit: 1, window: "1m" } } }],
      expect: { rules_used: "all" },
    });
    await world.call("listContacts");
    expect((await unmet(world)).join()).toContain("found 0 hits, and 1 hit without an effect");
    await world.call("listContacts");
    expect(await unmet(world)).toEqual([]);
  });

  test("a longer processing does not count for a call that creates nothing", async () => {
    const world = await lab({
      rules: [{ name: "slow", when: { operation: "createDocument" }, then: { processing: "1h" } }],
      expect: { rules_used: "all" },
    });
    await world.call("createDocument", { body: {} });
    expect(await unmet(world)).toHaveLength(1);
    await world.call("createDocument", { body: { name: "Deal", template_uuid: "TemplateOneSignerxxxxx", recipients: [] } });
    expect(await unmet(world)).toEqual([]);
  });

  test("a later rule does not count when an earlier rule with fallthrough has answered", async () => {
    const world = await lab({
      rules: [
        { name: "first", when: { operation: "listContacts" }, then: { error: "throttled", fallthrough: true } },
        { name: "second", when: { operation: "listContacts" }, then: { delay: "1ms", error: "throttled" } },
      ],
      expect: { rules_used: "all" },
    });
    await world.call("listContacts");
    expect((await unmet(world)).map((line) => line.slice(0, 30))).toEqual(["rules_used: rule second: expec"]);
  });
});

describe("counters of rules", () => {
  test.each([
    [{ nth: 2 }, 1, "0 hits: saw 1 call, waits for its 2nd."],
    [{ nth: 2 }, 0, "0 hits: saw no call, waits for its 2nd."],
    [{ from: 3 }, 2, "0 hits: saw 2 calls, waits for its 3rd."],
    [{ every: 12 }, 1, "0 hits: saw 1 call, waits for its 12th."],
    [{ nth: 3, per: "key" }, 2, "0 hits: saw 2 calls, at most 2 per key, waits for the 3rd."],
  ])("the report says what a rule with %j saw after %d calls", async (call, times, found) => {
    const world = await lab({
      rules: [{ name: "late", when: { operation: "listContacts", call }, then: { error: "throttled" } }],
      expect: { rules_used: "all" },
    });
    for (let i = 0; i < times; i++) await world.call("listContacts");
    expect((await unmet(world)).join()).toContain(`expected at least 1 hit, found ${found}`);
  });

  test("a counter does not see calls that an earlier rule took", async () => {
    const world = await lab({
      rules: [
        { name: "first", when: { operation: "listContacts" }, then: { error: "throttled", times: 1 } },
        { name: "second", when: { operation: "listContacts", call: { nth: 2 } }, then: { error: "throttled" } },
      ],
      expect: { rules_used: "all" },
    });
    for (let i = 0; i < 2; i++) await world.call("listContacts");
    expect(await unmet(world)).toEqual([
      'rules_used: rule second: expected at least 1 hit, found 0 hits: saw 1 call, waits for its 2nd. A counter sees what meets "when" and what no earlier rule took',
    ]);
  });
});
