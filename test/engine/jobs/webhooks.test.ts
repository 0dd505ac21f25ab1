/** Deliveries as a receiver sees them: over a socket, signed, retried, and under each kind of receiver failure. */
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Behavior, receiver } from "../../support/receiver.ts";
import { aDraft, aSubscription, simulate, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function deliveries(world: TestWorld, query = "") {
  return (await succeed(world.admin("GET", `/webhooks/deliveries${query}`))).body.deliveries;
}

async function subscription(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsWebhookSubscription", { params: { id } }))).body;
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
});

describe("retries", () => {
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
