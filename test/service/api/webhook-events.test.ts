import { describe, expect, test } from "vitest";
import { eventsOf, subscribe } from "../../support/content.ts";
import { aDraft, aSentDocument, aSubscription, simulate, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { lab, subscribed } from "../../support/lab.ts";
import { receiver } from "../../support/receiver.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function list(world: TestWorld, query: object = {}) {
  const answer = await succeed(world.call("listWebhookEvent", { query: { count: 50, page: 1, ...query } }));
  return answer.body.items;
}

describe("the payload of an event", () => {
  test("an event shows the recipients' links from the first view on, and the placeholder of a field", async () => {
    await aSubscription(world, await receiver(), { triggers: ["document_state_changed"], payload: ["fields"] });
    const { id: template_uuid } = world.sandbox.templates.create({
      name: "Form",
      roles: [{ name: "Client" }],
      fields: [
        { name: "Sign", type: "signature", role: "Client" },
        { name: "Company", type: "text", role: "Client", placeholder: "Your company" },
      ],
    });
    const id = await aSentDocument(world, { body: { template_uuid }, silent: false });
    for (const act of ["view", "sign"]) await simulate(world, id, act);
    const events = await eventsOf(world, "document_state_changed");
    const links = events.map((one) => [one.status, one.recipients[0].shared_link !== ""]);
    expect(links).toEqual([
      ["document.draft", false],
      ["document.sent", false],
      ["document.viewed", true],
      ["document.completed", true],
    ]);
    const fields = events.at(-1).fields.map((one: { name: string; placeholder: string }) => [one.name, one.placeholder]);
    expect(fields).toContainEqual(["Company", "Your company"]);
  });

  test.each([
    ["document.waiting_approval", "approval"],
    ["document.approved", "approval"],
    ["document.rejected", "approval"],
    ["document.scheduled", "oneSigner"],
  ] as const)("an event of the status %s has an empty link", async (status, template) => {
    await subscribe(world, ["document_state_changed"]);
    const made = await world.sandbox.documents.create({ template: TEMPLATES[template], status });
    const events = await eventsOf(world, "document_state_changed");
    expect(events.at(-1)).toMatchObject({ id: made.id, status, recipients: [{ shared_link: "" }] });
  });
});

describe("listWebhookEvent", () => {
  test("listWebhookEvent shows the latest attempt of each event, newest first", async () => {
    const hook = await receiver();
    await aSubscription(world, hook);
    hook.answerWith(500, 200);
    await aSentDocument(world);
    await world.advance("0s");
    expect(await list(world)).toEqual([
      {
        uuid: hook.received[1]?.eventId,
        name: "Mine",
        type: "document_state_changed",
        http_status_code: 200,
        error: null,
        delivery_time: "2026-03-02T09:00:05.000000Z",
      },
      {
        uuid: hook.received[0]?.eventId,
        name: "Mine",
        type: "document_state_changed",
        http_status_code: 500,
        error: null,
        delivery_time: expect.stringMatching(/^2026-03-02T09:00:0[345]/),
      },
    ]);
    await world.advance("2m");
    expect((await list(world)).map((item: { http_status_code: number }) => item.http_status_code)).toEqual([200, 200]);
  });

  test("listWebhookEvent filters by type, status group, error and time, and pages", async () => {
    const hook = await receiver();
    await aSubscription(world, hook, { triggers: ["document_state_changed", "document_created"] });
    hook.answerWith(204, "reset", 404);
    await aSentDocument(world);
    await world.advance("0s");
    const all = await list(world);
    expect(all).toHaveLength(3);
    expect(await list(world, { type: "document_created" })).toHaveLength(1);
    expect(await list(world, { type: ["document_created", "document_state_changed"] })).toHaveLength(3);
    expect(
      (await list(world, { http_status_code: 400 })).map((one: { http_status_code: number }) => one.http_status_code),
    ).toEqual([404]);
    expect(await list(world, { http_status_code: [200, 400] })).toHaveLength(2);
    expect((await list(world, { error: "CONNECT_ERROR" })).map((one: { error: string }) => one.error)).toEqual(["CONNECT_ERROR"]);
    expect(await list(world, { error: "TIMEOUT_ERROR" })).toEqual([]);
    expect(await list(world, { since: "2026-03-02T09:00:05Z" })).toHaveLength(1);
    expect(await list(world, { to: "2026-03-02T09:00:05Z" })).toHaveLength(2);
    expect(await list(world, { count: 2, page: 2 })).toEqual(all.slice(2));
    expect(await list(world, { count: 2, page: 0 })).toEqual(all.slice(0, 2));
    expect(await list(world, { count: 0 })).toEqual([]);
  });

  test("listWebhookEvent hides an event until its first attempt", async () => {
    const world = await lab({ webhooks: [{ name: "late", when: {}, then: { delay: "90s" } }] });
    await subscribed(world, ["document_state_changed"]);
    await aDraft(world);
    expect(await list(world)).toEqual([]);
    await world.advance("90s");
    expect(await list(world)).toMatchObject([{ type: "document_state_changed", http_status_code: 200 }]);
  });
});

describe("adminTriggerWebhook", () => {
  test("adminTriggerWebhook sends a signed event about an unchanged document, with the request's data merged in", async () => {
    const hook = await receiver();
    const other = await receiver();
    await aSubscription(world, other, { triggers: ["document_updated"] });
    const uuid = await aSubscription(world, hook, { triggers: ["document_deleted"], payload: ["metadata"] });
    const id = await aDraft(world);
    const answer = await world.admin("POST", "/webhooks/trigger", {
      event: "document_deleted",
      document_id: id,
      data: { status: "document.declined", extra: 1 },
    });
    expect(answer).toMatchObject({
      status: 202,
      body: { deliveries: [{ event: "document_deleted", document_id: id, subscription: uuid, state: "pending" }] },
    });
    await world.advance("0s");
    expect([hook.received.length, other.received.length]).toEqual([1, 0]);
    expect(hook.received[0]).toMatchObject({
      verified: true,
      eventId: answer.body.deliveries[0].event_id,
      body: [
        {
          event: "document_deleted",
          data: { id, name: "Service agreement", status: "document.declined", extra: 1, metadata: expect.any(Object) },
        },
      ],
    });
    expect(await statusOf(world, id)).toBe("document.draft");
  });

  test("adminTriggerWebhook sends data without a document, also to a named subscription without that trigger", async () => {
    const hook = await receiver();
    const uuid = await aSubscription(world, hook);
    const body = { event: "template_created", data: { id: "T1", name: "Mine" }, subscription: uuid };
    expect((await world.admin("POST", "/webhooks/trigger", body)).status).toBe(202);
    await world.advance("0s");
    expect(hook.received[0]?.body).toEqual([{ event: "template_created", data: { id: "T1", name: "Mine" } }]);
    expect(hook.received[0]?.verified).toBe(true);
  });

  test.each([
    ["document_completed", "document.completed"],
    ["document_state_changed", "document.sent"],
    ["document_updated", "document.draft"],
    ["document_creation_failed", "document.error"],
  ])("adminTriggerWebhook without any document sends %s once, about a new document in status %s", async (event, status) => {
    const hook = await receiver();
    await aSubscription(world, hook, { triggers: [event] });
    expect((await world.admin("POST", "/webhooks/trigger", { event })).status).toBe(202);
    await world.advance("0s");
    const events = hook.received.map(({ body }) => (body as [{ event: string; data: { status: string } }])[0]);
    expect(events.at(-1)).toMatchObject({ event, data: { status } });
    expect(events.filter((one) => one.data.status === status)).toHaveLength(1);
    expect((await world.admin("GET", "/documents")).body.documents).toMatchObject([{ status }]);
  });

  test("adminTriggerWebhook uses the newest document that fits the event, and creates a document if no document fits", async () => {
    const hook = await receiver();
    await aSubscription(world, hook, { triggers: ["document_completed", "document_deleted"] });
    const draft = await aDraft(world);
    const trigger = async (event: string) =>
      (await world.admin("POST", "/webhooks/trigger", { event })).body.deliveries[0] as { document_id: string; body: unknown };
    const first = await trigger("document_completed");
    expect(first.document_id).not.toBe(draft);
    expect(first.body).toMatchObject([{ event: "document_completed", data: { status: "document.completed" } }]);
    await aDraft(world);
    expect((await trigger("document_completed")).document_id).toBe(first.document_id);
    expect((await world.admin("GET", "/documents")).body.meta.total).toBe(3);
    // Any status fits this event.
    expect((await trigger("document_deleted")).body).toMatchObject([{ data: { status: "document.draft" } }]);
  });
});
