/** Tests what scenarios do to calls, through the whole pipeline. */
import { describe, expect, test } from "vitest";
import { lab } from "../../support/lab.ts";
import { aDraft, aSentDocument, CLIENT, statusOf, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

describe("rules of tenants", () => {
  test("a rule counts each tenant separately, and can apply to one tenant only", async () => {
    const world = await testWorld({ scenario: "test/engine/runtime/tenants.yaml" });
    const list = async (key: string) => (await world.call("listTemplates", { key })).status;
    expect([await list("test-a"), await list("test-b"), await list("test-a")]).toEqual([429, 429, 200]);
    const contacts = async (key: string) => (await world.call("listContacts", { key })).status;
    expect([await contacts("test-a"), await contacts("test-b")]).toEqual([403, 200]);
  });
});

describe("behavior requested by metadata and email addresses", () => {
  test("the metadata key docdouble gives its faults in turn, in each operation that declares their status", async () => {
    const world = await testWorld();
    const id = await aDraft(world, { body: { metadata: { docdouble: "throttled*1, locked*2, ok, conflict*1" } } });
    const send = async () => (await world.call("sendDocument", { params: { id }, body: {} })).status;
    // No call has read the document yet, so all faults are left.
    expect([await send(), await send()]).toEqual([429, 423]);
    expect((await world.call("statusDocument", { params: { id } })).status).toBe(200);
    expect([await send(), await send(), await send()]).toEqual([423, 200, 409]);
    const last = (await world.admin("GET", "/requests?limit=1")).body.requests[0];
    expect([last.rule, last.why]).toEqual(["metadata.docdouble", "asked for by the metadata"]);
  });

  test("an email address can make its recipient sign, view, decline or pay at a set time, or never act", async () => {
    const world = await testWorld();
    const sent = async (email: string, template?: "payment") =>
      aSentDocument(world, { ...(template ? { template } : {}), body: { recipients: [{ ...CLIENT, email }] } });
    const [sign, view, decline, never, pay] = [
      await sent("pat+sign.after=2h@example.test"),
      await sent("pat+view@example.test"),
      await sent("pat+decline.after=1d@example.test"),
      await sent("pat+never@example.test"),
      await sent("pat+pay@example.test", "payment"),
    ];
    await world.advance("1m");
    await succeed(world.admin("POST", `/documents/${pay}/simulate/sign`));
    await world.advance("0s");
    const all = async () => Promise.all([sign, view, decline, never, pay].map((id) => statusOf(world, id)));
    expect(await all()).toEqual(["document.sent", "document.viewed", "document.sent", "document.sent", "document.paid"]);
    await world.advance("2h");
    expect((await all())[0]).toBe("document.completed");
    await world.advance("1d");
    expect((await all()).slice(0, 4)).toEqual(["document.completed", "document.viewed", "document.declined", "document.sent"]);
  });
});

describe("coverage", () => {
  test("adminCoverage counts answers of the service, and never answers of a rule", async () => {
    const world = await lab({
      rules: [
        { name: "one", when: { operation: "listTemplates" }, then: { error: "throttled", times: 1 } },
        { name: "two", when: { operation: "listContacts" }, then: { respond: { status: 200, body: {} }, times: 1 } },
        { name: "three", when: { operation: "listMembers" }, then: { error: "throttled", phase: "after" } },
      ],
    });
    for (const id of ["listTemplates", "listContacts", "listMembers", "statusDocument"] as const) await world.call(id);
    const { hit, operations } = (await world.admin("GET", "/coverage")).body;
    expect(hit).toBe(1);
    const entry = operations.find((one: { calls: number }) => one.calls > 0);
    expect(entry).toMatchObject({ operationId: "statusDocument", calls: 1, statuses: { 404: 1 } });
    expect(entry.unreached).toContain(200);
    await world.call("listTemplates");
    expect((await world.admin("GET", "/coverage")).body.hit).toBe(2);
  });
});
