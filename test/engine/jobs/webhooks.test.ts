/** Deliveries as a receiver sees them: over a socket, signed, retried, and under each kind of receiver failure. */
import { createHmac } from "node:crypto";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { type Behavior, receiver } from "../../support/receiver.ts";
import { aDraft, aSubscription, simulate, succeed } from "../../support/stories.ts";
import { NOW, type TestWorld, testWorld } from "../../support/world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Minutes and seconds since the start of the test world. */
const since = (text: string) => Date.parse(text) - Date.parse(NOW);

async function deliveries(world: TestWorld, query = "") {
  return (await succeed(world.admin("GET", `/webhooks/deliveries${query}`))).body.deliveries;
}

async function subscription(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsWebhookSubscription", { params: { id } }))).body;
}

/** A URL where no server listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/hook`;
}

describe("the request", () => {
  test("createWebhookSubscription: a delivery is a signed POST of a JSON array with the service's headers", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await aSubscription(world, hook, { url: `${hook.url}/hook?workspace=a%20b&x=`, triggers: ["document_created"] });
    const id = await aDraft(world, { body: { name: "Angebot für Zoë 💶" } });
    expect(hook.received).toHaveLength(1);
    const [got] = hook.received;
    expect(got?.method).toBe("POST");
    expect(got?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "PandaDoc Webhooks",
      "content-length": String(got?.raw.length),
      "x-pandadoc-webhook-event-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const signature = createHmac("sha256", hook.key)
      .update(got?.raw as Buffer)
      .digest("hex");
    expect(got?.url).toBe(`/hook?workspace=a%20b&x=&signature=${signature}`);
    expect(got?.body).toEqual([
      { event: "document_created", data: expect.objectContaining({ id, name: "Angebot für Zoë 💶", status: "document.draft" }) },
    ]);
  });

  test("createWebhookSubscription: retries keep the event id, and other events and subscribers have other ids", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await aSubscription(world, hook);
    await aSubscription(world, hook, { name: "Other" });
    hook.answerWith(500, 500, 200);
    await aDraft(world);
    await world.advance("1m");
    const ids = hook.received.map((one) => one.eventId);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
    expect(ids.slice(2).sort()).toEqual(ids.slice(0, 2).sort());
    expect(hook.received.map((one) => one.duplicate)).toEqual([false, false, true, true]);
    await aDraft(world);
    expect(new Set(hook.received.map((one) => one.eventId)).size).toBe(4);
  });
});

describe("retries", () => {
  test("createWebhookSubscription: a failed delivery is retried after 1, 5 and 30 minutes, then fails", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await aSubscription(world, hook);
    hook.answerWith(500);
    await aDraft(world);
    const [first] = await deliveries(world);
    const begun = since(first.created);
    await world.advance("1d");
    expect(hook.received).toHaveLength(4);
    const [row] = await deliveries(world);
    expect(row.state).toBe("failed");
    expect(row.attempts.map((one: { at: string }) => (since(one.at) - begun) / MINUTE_MS)).toEqual([0, 1, 6, 36]);
    expect(new Set(hook.received.map((one) => one.raw.toString())).size).toBe(1);
    expect(hook.received.every((one) => one.verified)).toBe(true);
    expect((await subscription(world, row.subscription)).status).toBe("ACTIVE");
  });

  test("createWebhookSubscription: a user can set another retry schedule", async () => {
    const world = await testWorld({ assume: { "webhook.retry_schedule": ["1s", "2s"] } });
    const hook = await receiver();
    await aSubscription(world, hook);
    hook.answerWith(503, 503, 204);
    await aDraft(world);
    await world.advance("1d");
    const [row] = await deliveries(world);
    const [first, second, third] = row.attempts.map((one: { at: string }) => since(one.at));
    expect([second - first, third - second, row.attempts.length, row.state]).toEqual([1000, 2000, 3, "delivered"]);
  });

  test.each<[string, Behavior, number | null, string | null, RegExp | null]>([
    ["500", 500, 500, null, null],
    ["a client error", 404, 404, null, null],
    ["a reset connection", "reset", null, "CONNECT_ERROR", /ECONNRESET|closed/],
    ["half an answer", "half", null, "CONNECT_ERROR", /closed|terminated|ECONNRESET/],
    ["no answer in time", "hang", null, "TIMEOUT_ERROR", /no whole answer within 40 ms/],
  ])("listWebhookEvent: %s is a failure with its error class", async (_, behavior, status, error, reason) => {
    const world = await testWorld(behavior === "hang" ? { webhookTimeout_ms: 40 } : {});
    const hook = await receiver();
    await aSubscription(world, hook);
    hook.answerWith(behavior, 200);
    await aDraft(world);
    world.tenant.settings.webhookTimeout_ms = 20_000;
    const list = () => world.call("listWebhookEvent", { query: { count: 5, page: 1 } });
    expect((await list()).body.items).toMatchObject([{ http_status_code: status, error, uuid: hook.received[0]?.eventId }]);
    const [row] = await deliveries(world);
    expect(row).toMatchObject({ state: "pending", attempts: [{ status, error }] });
    expect(row.attempts[0].reason).toEqual(reason === null ? null : expect.stringMatching(reason));
    await world.advance("1m");
    expect((await list()).body.items).toMatchObject([{ http_status_code: 200, error: null }]);
    expect(await deliveries(world)).toMatchObject([{ state: "delivered" }]);
    // The receiver lost no event and processed none twice.
    expect([hook.received.length, hook.events().length]).toEqual([2, 1]);
  });

  test("listWebhookEvent: a refused connection is CONNECT_ERROR", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await aSubscription(world, hook, { url: await deadAddress() });
    await aDraft(world);
    const [row] = await deliveries(world);
    expect(row.attempts).toMatchObject([
      { status: null, error: "CONNECT_ERROR", reason: expect.stringContaining("ECONNREFUSED"), response_body: null },
    ]);
  });
});

describe("deactivation", () => {
  test("detailsWebhookSubscription: a 410 deactivates the subscription at once, and stops its deliveries", async () => {
    const world = await testWorld();
    const hook = await receiver();
    const uuid = await aSubscription(world, hook);
    hook.answerWith(410, 200);
    const id = await aDraft(world);
    expect(await subscription(world, uuid)).toMatchObject({ active: false, status: "DEACTIVATED" });
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    await world.advance("1d");
    expect(hook.received).toHaveLength(1);
    expect(await deliveries(world)).toMatchObject([{ state: "failed", attempts: [{ status: 410 }] }]);
    // After the user activates it again, the subscription receives new events.
    await succeed(world.call("updateWebhookSubscription", { params: { id: uuid }, body: { active: true } }));
    await simulate(world, id, "view");
    await world.advance("0s");
    expect(hook.events().map((one) => one.data.status)).toEqual(["document.draft", "document.viewed"]);
  });

  test("detailsWebhookSubscription: a week of failures deactivates the subscription, and one success restarts the week", async () => {
    const world = await testWorld();
    const hook = await receiver();
    const uuid = await aSubscription(world, hook);
    hook.answerWith(500);
    const status = async () => (await subscription(world, uuid)).status;
    await aDraft(world);
    await world.advance("6d");
    await aDraft(world);
    expect(await status()).toBe("ACTIVE");
    hook.answerWith(200);
    await world.advance("1h");
    hook.answerWith(500);
    await world.advance("1d");
    await aDraft(world);
    expect(await status()).toBe("ACTIVE");
    await world.admin("POST", "/clock/advance", { by: 7 * DAY_MS - 2 * MINUTE_MS });
    expect(await status()).toBe("ACTIVE");
    await aDraft(world);
    await world.advance("10m");
    expect(await status()).toBe("DEACTIVATED");
  });
});

describe("independent deliveries", () => {
  test("sendDocument answers before its delivery ends", async () => {
    const hook = await receiver();
    const seen: number[] = [];
    const world = await testWorld({
      onCall: (exchange) => {
        if (exchange.operationId === "sendDocument") seen.push(hook.received.length);
      },
    });
    await aSubscription(world, hook);
    const id = await aDraft(world);
    let release = () => {};
    hook.answerWith({ status: 200, until: new Promise<void>((resolve) => (release = resolve)) });
    const before = hook.received.length;
    expect((await world.call("sendDocument", { params: { id }, body: { silent: true } })).status).toBe(200);
    expect(seen).toEqual([before]);
    await hook.arrived(before + 1);
    expect(await deliveries(world, "?state=pending")).toMatchObject([{ event: "document_state_changed", attempts: [] }]);
    release();
    await world.advance("0s");
    expect(await deliveries(world, "?state=pending")).toEqual([]);
  });
});
