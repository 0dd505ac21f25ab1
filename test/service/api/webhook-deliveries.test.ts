/** Proves the specification's rules about webhooks and their events. docs/spec-map.md lists all rules. */
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { anotherWorkspace } from "../../support/people.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, anUploadedDocument, aSentDocument, simulate, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const BODY = { name: "Application", url: "https://receiver.example/hook?workspace=7", triggers: ["document_state_changed"] };

async function subscribe(world: TestWorld, url: string, triggers: string[], payload: string[] = []): Promise<string> {
  const made = await succeed(world.call("createWebhookSubscription", { body: { name: "all", url, triggers, payload } }));
  return made.body.uuid;
}

describe("webhook subscriptions", () => {
  // proves: spec:hooks-create, spec:hooks-list, spec:hooks-query
  test("createWebhookSubscription stores its five members, and listWebhookSubscriptions shows them with the status", async () => {
    const world = await testWorld();
    const made = await world.call("createWebhookSubscription", {
      body: { ...BODY, payload: ["fields", "products"], active: false },
    });
    const subscription = {
      ...BODY,
      payload: ["fields", "products"],
      active: false,
      status: "INACTIVE",
      uuid: expect.stringMatching(/^[\w-]{36}$/),
      workspace_id: "WorkspaceMainxxxxxxxxx",
      shared_key: expect.stringMatching(/^\w{22}$/),
    };
    expect([made.status, made.body]).toEqual([201, subscription]);
    const second = await succeed(world.call("createWebhookSubscription", { body: { ...BODY, name: "Second" } }));
    const listed = await world.call("listWebhookSubscriptions");
    expect([listed.status, listed.body]).toEqual([200, { items: [made.body, second.body] }]);
    expect(second.body).toMatchObject({ name: "Second", active: true, status: "ACTIVE" });
    const { key } = await anotherWorkspace(world);
    expect((await world.call("listWebhookSubscriptions", { key })).body).toEqual({ items: [] });
    const wrong = await world.call("createWebhookSubscription", { body: { ...BODY, triggers: ["x"], payload: ["y"] } });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      {
        type: "request_error",
        detail: { triggers: { 0: ['"x" is not a valid choice.'] }, payload: { 0: ['"y" is not a valid choice.'] } },
      },
    ]);
  });

  // proves: spec:hooks-https
  test("createWebhookSubscription accepts https, and plain http only for local addresses while httpsWebhooks is off", async () => {
    const refused = { status: 400, body: { detail: { url: ["Enter a valid URL."] } } };
    const loose = await testWorld();
    const call = (world: TestWorld, url: string) => world.call("createWebhookSubscription", { body: { ...BODY, url } });
    for (const url of [
      "http://receiver.example/",
      "ftp://receiver.example/",
      "receiver.example",
      "http://127.0.0.1.evil.example/",
    ])
      expect(await call(loose, url)).toMatchObject(refused);
    expect((await call(loose, "http://127.0.0.1:9/")).status).toBe(201);
    const strict = await testWorld({ httpsWebhooks: true });
    expect(await call(strict, "http://127.0.0.1:9/")).toMatchObject(refused);
    const taken = await call(strict, "https://receiver.example/");
    expect(taken.status).toBe(201);
    const params = { id: taken.body.uuid };
    const change = (url: string) => strict.call("updateWebhookSubscription", { params, body: { url } });
    expect(await change("http://receiver.example/")).toMatchObject(refused);
    expect((await change("https://receiver.example/two")).body.url).toBe("https://receiver.example/two");
  });
});

describe("webhook deliveries", () => {
  // proves: spec:event-array, spec:event-post, spec:event-basic, spec:event-created, spec:state-convert, spec:hooks-query, spec:hooks-create
  test("createDocument leads to one document_created event, posted as an array when the document reaches draft", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await subscribe(world, `${hook.url}/basic?workspace=7`, ["document_created"]);
    const kinds = ["fields", "tokens", "products", "pricing", "metadata"];
    for (const kind of kinds) await subscribe(world, `${hook.url}/${kind}`, ["document_created"], [kind]);
    await subscribe(world, `${hook.url}/more`, ["document_created"], kinds);
    const off = { name: "off", url: `${hook.url}/off`, triggers: ["document_created"], active: false };
    await succeed(world.call("createWebhookSubscription", { body: off }));
    const id = await anUploadedDocument(world, { template: "pricing" });
    await world.advance("2999ms");
    expect(hook.received).toEqual([]);
    await world.advance("3s");
    await hook.arrived(7);
    expect(hook.received).toHaveLength(7);
    const at = (path: string) => hook.received.find((one) => one.url.startsWith(path));
    expect(at("/basic")?.url).toMatch(/^\/basic\?workspace=7&signature=[0-9a-f]{64}$/);
    const { body: details } = await world.call("detailsDocument", { params: { id } });
    for (const one of hook.received) {
      expect([one.method, one.headers["content-type"], one.body.length]).toEqual(["POST", "application/json", 1]);
      expect(one.body[0]).toMatchObject({
        event: "document_created",
        data: {
          id,
          name: "Service agreement",
          status: "document.draft",
          recipients: [{ email: "ivo.marek@client.example" }],
          date_created: details.date_created,
          date_modified: details.date_modified,
          created_by: details.created_by,
          grand_total: details.grand_total,
          template: details.template,
          version: "2",
          tags: [],
        },
      });
    }
    const dataAt = (path: string) => at(path)?.body[0].data;
    const basic = dataAt("/basic");
    for (const kind of kinds) expect(dataAt(`/${kind}`)).toEqual({ ...basic, [kind]: expect.anything() });
    const { fields, products, ...rest } = dataAt("/more");
    const { metadata, tokens, pricing } = details;
    expect(rest).toEqual({ ...basic, metadata, tokens, pricing });
    expect(fields).toMatchObject([{ name: "Signature", type: "signature", value: {} }]);
    expect(products).toMatchObject([{ qty: 2, subtotal: "399" }, { qty: 1 }, { qty: 3 }]);
    // A return to draft sends no second document_created.
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    await world.advance("1m");
    expect(hook.received).toHaveLength(7);
  });

  // proves: spec:event-state, spec:event-completed
  test("changeDocumentStatus and signing send document_state_changed for each change, and document_completed on completion", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await subscribe(world, hook.url, ["document_state_changed", "document_completed"]);
    const id = await aDraft(world);
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    // Each event arrives before the next change, because simultaneous requests can arrive in any order.
    await hook.arrived(2);
    await simulate(world, id, "view");
    await hook.arrived(3);
    await simulate(world, id, "sign");
    await hook.arrived(5);
    expect(hook.events().map((one) => [one.event, one.data.status])).toEqual([
      ["document_state_changed", "document.draft"],
      ["document_state_changed", "document.sent"],
      ["document_state_changed", "document.viewed"],
      ["document_state_changed", "document.completed"],
      ["document_completed", "document.completed"],
    ]);
    const other = await aDraft(world);
    await hook.arrived(6);
    await succeed(world.call("sendDocument", { params: { id: other }, body: { silent: true } }));
    await hook.arrived(7);
    for (const [status, count] of [
      [11, 8],
      [2, 10],
      [12, 11],
      [10, 12],
    ] as const) {
      await succeed(world.call("changeDocumentStatus", { params: { id: other }, body: { status } }));
      await hook.arrived(count);
    }
    const rest = hook.events().slice(7);
    expect(rest.map((one) => [one.event, one.data.id, one.data.status])).toEqual([
      ["document_state_changed", other, "document.voided"],
      ["document_state_changed", other, "document.completed"],
      ["document_completed", other, "document.completed"],
      ["document_state_changed", other, "document.declined"],
      ["document_state_changed", other, "document.paid"],
    ]);
  });

  // proves: spec:event-ok
  test("listWebhookSubscriptions shows DEACTIVATED after a week of answers with status 400, but ACTIVE after answers with 399", async () => {
    const world = await testWorld();
    const hooks = [await receiver(), await receiver()];
    for (const [i, status] of [399, 400].entries()) {
      hooks[i]?.answerWith(status);
      await subscribe(world, hooks[i]?.url ?? "", ["document_created"]);
    }
    for (let i = 0; i < 2; i++) {
      await aDraft(world);
      await world.advance("8d");
    }
    const { items } = (await world.call("listWebhookSubscriptions")).body;
    expect(items.map((one: { status: string }) => one.status)).toEqual(["ACTIVE", "DEACTIVATED"]);
    expect(hooks.map((one) => one.received.length)).toEqual([2, 5]);
  });

  // proves: spec:event-410
  test("listWebhookSubscriptions shows DEACTIVATED right after an answer with 410, and nothing more is posted", async () => {
    const world = await testWorld();
    const [hook, missing] = [await receiver(), await receiver()];
    hook.answerWith(410);
    missing.answerWith(404);
    await subscribe(world, hook.url, ["document_created", "document_state_changed"]);
    await subscribe(world, missing.url, ["document_created"]);
    await anUploadedDocument(world);
    await world.advance("5s");
    const { items } = (await world.call("listWebhookSubscriptions")).body;
    expect(items).toMatchObject([
      { status: "DEACTIVATED", active: false },
      { status: "ACTIVE", active: true },
    ]);
    // An answer with 410 stops retries and new deliveries.
    const posted = hook.received.length;
    await aSentDocument(world);
    await world.advance("1h");
    expect(hook.received).toHaveLength(posted);
    expect(hook.received.filter((one) => one.duplicate)).toEqual([]);
    expect(missing.received).toHaveLength(8);
  });

  // proves: spec:event-timeout
  test("adminListDeliveries shows TIMEOUT_ERROR for a receiver that does not answer within 20 seconds", async () => {
    const ends: (() => void)[] = [];
    const real = systemClock.after.bind(systemClock);
    // Replaces the real timer of 20 seconds. The test ends it as soon as the request has arrived.
    const timer = vi.spyOn(systemClock, "after").mockImplementation((ms, run) => {
      if (ms !== 20_000) return real(ms, run);
      ends.push(run);
      return () => undefined;
    });
    try {
      const world = await testWorld();
      const hook = await receiver();
      hook.answerWith("hang");
      await subscribe(world, hook.url, ["document_created"]);
      await anUploadedDocument(world);
      const advanced = world.advance("5s");
      await hook.arrived(1);
      expect(ends).toHaveLength(1);
      ends[0]?.();
      await advanced;
      const [delivery] = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;
      expect([delivery.state, delivery.attempts[0].status, delivery.attempts[0].error]).toEqual([
        "pending",
        null,
        "TIMEOUT_ERROR",
      ]);
    } finally {
      timer.mockRestore();
    }
  });

  // proves: spec:event-retries, spec:event-id
  test("createDocument leads to a delivery that is retried three times after a failure, with the same event id", async () => {
    const world = await testWorld();
    const [failing, well] = [await receiver(), await receiver()];
    failing.answerWith(500);
    for (const hook of [failing, well]) await subscribe(world, hook.url, ["document_created"]);
    for (let i = 0; i < 2; i++) await anUploadedDocument(world);
    await world.advance("6d");
    // Each pair of an event and a subscription has its own event id: two events and two subscriptions make four ids.
    const ids = [...failing.received, ...well.received].map((one) => one.eventId);
    expect([...new Set(ids)].map((id) => ids.filter((one) => one === id).length)).toEqual([4, 4, 1, 1]);
    expect(failing.received.map((one) => one.duplicate)).toEqual([false, false, ...Array(6).fill(true)]);
    for (const { eventId, body } of failing.received)
      expect(body).toEqual(failing.received.find((one) => one.eventId === eventId)?.body);
  });

  // proves: spec:event-workspace
  test("createDocument sends document_created only to subscriptions of its workspace", async () => {
    const world = await testWorld();
    const hook = await receiver();
    const branch = await anotherWorkspace(world);
    await subscribe(world, `${hook.url}/home`, ["document_created"]);
    const body = { name: "branch", url: `${hook.url}/branch`, triggers: ["document_created"] };
    await succeed(world.call("createWebhookSubscription", { body, key: branch.key }));
    await aDraft(world);
    expect(hook.received.map((one) => new URL(one.url, hook.url).pathname)).toEqual(["/home"]);
  });
});
