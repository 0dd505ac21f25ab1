/** A green result is true: upper bounds after the journal dropped calls, mistakes that `check` finds, and rules without an effect. */
import { AssertionError } from "node:assert";
import { expect, describe, test } from "vitest";
import { assertDelivered, assertMailed, assertReceived } from "../../../src/node-test.ts";
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
const CREATE = { operationId: "createDocument" };
const CREATE_NAMED = { ...CREATE, bodyPatterns: [{ contains: "Offer" }] };

describe("scenario expectations", () => {
  test("never fails after the journal dropped the call, because a count survives", async () => {
    const world = await forgetful({ expect: { requests: [{ match: { operation: "createDocument" }, never: true }] } });
    expect(await unmet(world)).toEqual(['requests {"operation":"createDocument"}: expected none, found 1']);
  });

  test("never holds after the journal dropped other calls only", async () => {
    const world = await forgetful({ expect: { requests: [{ match: { operation: "sendDocument" }, never: true }] } });
    expect(await unmet(world)).toEqual([]);
  });

  test("an upper bound on a body fails and names the calls that are gone", async () => {
    const world = await forgetful({
      expect: { requests: [{ match: { operation: "createDocument", body: { "$.name": "Other" } }, at_most: 0 }] },
    });
    const [line = ""] = await unmet(world);
    expect(line).toContain("found 0 among those left. ");
    expect(line).toMatch(/\d+ older calls are gone, because the journal keeps 20 calls/);
    expect(line).toContain("Up to 1 of them may match. To keep more calls, raise the option journalMax (--journal-max).");
  });

  test("times counts calls that are gone and calls that are left", async () => {
    const world = await forgetful({ expect: { requests: [{ match: { operation: "createDocument" }, times: 2 }] } });
    await aDraft(world);
    expect(await unmet(world)).toEqual([]);
  });

  test("a lower bound that the remaining calls meet stays true", async () => {
    const world = await forgetful({
      expect: { requests: [{ match: { operation: "listTemplates", path: "/public/v1/templates" }, at_least: 3 }] },
    });
    expect(await unmet(world)).toEqual([]);
  });

  test("an order whose first call is gone is not proved", async () => {
    const world = await forgetful({
      expect: {
        requests: [
          { match: { operation: "createDocument" }, order: 1 },
          { match: { operation: "listTemplates" }, order: 2 },
        ],
      },
    });
    expect((await unmet(world)).join()).toContain("expected as number 1 of the order, found never among those left.");
  });

  test("unmatched none fails after the journal dropped a call without an operation", async () => {
    const world = await lab({ expect: { unmatched: "none" } }, { journalMax: LIMIT });
    await world.request("GET", "/public/v1/documentz");
    await readOften(world);
    expect(await unmet(world)).toEqual([
      "unmatched: older calls: expected no request without an operation, found 1 older calls without an operation, which left the journal",
    ]);
  });

  test("a clean contract fails for a finding in a call that is gone", async () => {
    const world = await lab({ expect: { contract: "clean" } }, { journalMax: LIMIT });
    const wrong = { name: "Deal", template_uuid: "TemplateOneSignerxxxxx", recipients: [], tokenz: [] };
    await world.call("createDocument", { body: wrong });
    await readOften(world);
    expect((await unmet(world)).join()).toContain("tokenz");
  });

  test("deliveries and emails count rows that are gone", async () => {
    const world = await lab({
      expect: {
        deliveries: [
          { match: { event: "document_deleted" }, never: true },
          { match: { event: "document_updated", subscription: "Shop" }, never: true },
        ],
        emails: [
          { match: { kind: "sent" }, never: true },
          { match: { to: "pat@client.example" }, never: true },
          { match: { kind: "declined" }, never: true },
        ],
      },
    });
    world.tenant.goneRows.add({
      collection: "deliveries",
      event: "document_updated",
      status: null,
      state: "delivered",
      attempts: 1,
    });
    world.tenant.goneRows.add({ collection: "emails", kind: "sent", channel: "email" });
    const lines = await unmet(world);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(
      "1 older deliveries are gone, because docdouble keeps the latest 10000 deliveries. Up to 1 of them may match.",
    );
    expect(lines[1]).toBe('emails {"kind":"sent"}: expected none, found 1');
    expect(lines[2]).toContain("1 older mails are gone");
  });
});

describe("the admin API", () => {
  test("verify counts calls that are gone, and proves no upper bound on a body", async () => {
    const world = await forgetful();
    expect(await verify(world, { match: CREATE, atMost: 0 })).toMatchObject({ status: 422, body: { verified: false, count: 1 } });
    expect(await verify(world, { match: CREATE, times: 1 })).toMatchObject({ status: 200, body: { verified: true, count: 1 } });
    expect(await verify(world, { match: { operationId: "sendDocument" }, atMost: 0 })).toMatchObject({ status: 200 });
    const unproven = await verify(world, { match: CREATE_NAMED, atMost: 0 });
    expect(unproven).toMatchObject({ status: 422, body: { verified: false, count: 0, gone: world.tenant.journal.dropped } });
    expect(unproven.body.detail).toContain("To keep more calls, raise the option journalMax (--journal-max).");
  });

  test("verify waits for a call and still counts those that are gone", async () => {
    const world = await forgetful();
    const waiting = verify(world, { match: CREATE, atLeast: 2, timeoutMs: 60_000 });
    await aDraft(world);
    expect(await waiting).toMatchObject({ status: 200, body: { verified: true, count: 2 } });
  });

  test("count, find and unmatched refuse an answer that dropped calls could change", async () => {
    const world = await forgetful();
    expect(await world.admin("POST", "/requests/count", CREATE)).toMatchObject({ status: 200, body: { count: 1 } });
    const refused = { status: 422, body: { type: "docdouble_not_verified", count: 0, gone: world.tenant.journal.dropped } };
    expect(await world.admin("POST", "/requests/count", CREATE_NAMED)).toMatchObject(refused);
    expect(await world.admin("POST", "/requests/find", CREATE)).toMatchObject(refused);
    expect(await world.admin("POST", "/requests/find", { operationId: "sendDocument" })).toMatchObject({ status: 200 });
    expect(await world.admin("GET", "/requests/unmatched")).toMatchObject({ status: 200 });
    expect((await world.admin("GET", "/requests")).body.meta).toEqual({ total: LIMIT, gone: world.tenant.journal.dropped });
    await world.request("GET", "/nothing");
    await readOften(world);
    expect(await world.admin("GET", "/requests/unmatched")).toMatchObject({ status: 422 });
    expect((await world.admin("GET", "/requests/unmatched/near-misses")).body).toEqual({ nearMisses: [], gone: 1 });
  });

  test("coverage counts calls that are gone", async () => {
    const world = await forgetful();
    const { body } = await world.admin("GET", "/coverage");
    const create = body.operations.find((one: { operationId: string }) => one.operationId === "createDocument");
    expect(create).toMatchObject({ calls: 1, statuses: { 201: 1 } });
  });

  test("an emptied journal counts from zero, and a removal forgets only what it names", async () => {
    const world = await forgetful();
    await world.admin("POST", "/requests/remove", { operationId: "listTemplates" });
    expect(await verify(world, { match: CREATE, atMost: 0 })).toMatchObject({ status: 422, body: { count: 1 } });
    expect(await world.admin("POST", "/requests/count", { operationId: "listTemplates" })).toMatchObject({ body: { count: 0 } });
    await world.admin("DELETE", "/requests");
    expect(await verify(world, { match: CREATE_NAMED, atMost: 0 })).toMatchObject({ status: 200, body: { count: 0 } });
  });

  test("a snapshot restores what the journal had dropped at that time", async () => {
    const world = await forgetful();
    await world.admin("POST", "/snapshots", { name: "after" });
    await world.admin("POST", "/reset");
    expect(await verify(world, { match: CREATE, atMost: 0 })).toMatchObject({ status: 200 });
    await world.admin("POST", "/snapshots/after/restore");
    expect(await verify(world, { match: CREATE, atMost: 0 })).toMatchObject({ status: 422, body: { count: 1 } });
    expect(await world.admin("GET", "/contract")).toMatchObject({
      body: { clean: false, unread: expect.stringContaining("could not read") },
    });
  });

  test("a restart of the server keeps the counts of dropped calls", async () => {
    const data = temporary();
    const first = await createSandbox({ data, journalMax: LIMIT, seed: 7 });
    const headers = { authorization: `API-Key ${first.apiKey}` };
    await first.documents.create();
    const read = async (sandbox: typeof first) => {
      for (let i = 0; i < LIMIT + 5; i++) await sandbox.fetch("/public/v1/templates", { headers });
    };
    await first.fetch("/public/v1/contacts", { headers });
    await read(first);
    await first.close();
    const second = await createSandbox({ data, journalMax: LIMIT, seed: 7 });
    expect(second.journal.count({ operationId: "listContacts" })).toBe(1);
    await read(second);
    await second.close();
    const third = await createSandbox({ data, journalMax: LIMIT, seed: 7 });
    const { dropped, size } = hostOf(third).defaultTenant.journal;
    expect([third.journal.count({ operationId: "listContacts" }), size]).toEqual([1, LIMIT]);
    expect(third.journal.count({ operationId: "listTemplates" })).toBe(2 * (LIMIT + 5));
    expect(dropped + size).toBe(third.journal.count({}));
    await third.close();
  });
});

describe("the library", () => {
  test("verify of the sandbox throws after the journal dropped the call", async () => {
    const world = await forgetful({ expect: { requests: [{ match: { operation: "createDocument" }, never: true }] } });
    await expect(world.sandbox.verify()).rejects.toThrow("expected none, found 1");
  });

  test("toHaveReceived counts calls that are gone, and fails either way when it cannot know", async () => {
    const { sandbox } = await forgetful();
    expect(verdicts.toHaveReceived(sandbox, "createDocument", { times: 0 }).pass).toBe(false);
    expect(verdicts.toHaveReceived(sandbox, "createDocument", { times: 1, status: 201 }).pass).toBe(true);
    expect(verdicts.toHaveReceived(sandbox, "sendDocument", { times: 0 }).pass).toBe(true);
    const asked = () => verdicts.toHaveReceived(sandbox, "createDocument", { body: { name: "Deal" }, times: 0 });
    expect(asked).toThrow("found 0 among those left. ");
    expect(() => assertReceived(sandbox, "createDocument", { body: { name: "Deal" } })).toThrow(AssertionError);
    expect(() => sandbox.journal.find({ operationId: "createDocument" })).toThrow("journal.find: Found 0 calls");
    expect(sandbox.journal.count({ operationId: "createDocument" })).toBe(1);
  });

  test("toHaveDelivered and toHaveMailed count rows that are gone", async () => {
    const { sandbox, tenant } = await testWorld();
    tenant.goneRows.add({ collection: "deliveries", event: "document_updated", status: null, state: "delivered", attempts: 1 });
    tenant.goneRows.add({ collection: "emails", kind: "sent", channel: "email" });
    expect(verdicts.toHaveDelivered(sandbox, "document_updated", { times: 0 }).pass).toBe(false);
    expect(verdicts.toHaveDelivered(sandbox, "document_deleted", { times: 0 }).pass).toBe(true);
    expect(() => assertDelivered(sandbox, "document_updated", { document_id: "x", times: 0 })).toThrow(
      "Up to 1 of them may match",
    );
    expect(() => assertMailed(sandbox, "pat@client.example", { times: 0 })).toThrow("1 older mails are gone");
    expect(() => sandbox.webhooks.deliveries({ event: "document_updated" })).toThrow("1 older deliveries are gone");
    expect(sandbox.webhooks.deliveries({ event: "document_deleted" })).toEqual([]);
    expect(() => sandbox.emails.find({ kind: "sent" })).toThrow("1 older mails are gone");
  });

  test("toBeClean reads calls before they leave the journal", async () => {
    const world = await testWorld({ journalMax: LIMIT });
    await world.call("createDocument", {
      body: { name: "Deal", template_uuid: "TemplateOneSignerxxxxx", recipients: [], tokenz: [] },
    });
    await readOften(world);
    expect(verdicts.toBeClean(world.sandbox).pass).toBe(false);
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
