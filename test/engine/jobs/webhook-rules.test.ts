/** Tests what webhook rules do to deliveries, as a real receiver sees it. */
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { lab, subscribed } from "../../support/lab.ts";
import { verify } from "../../support/receiver.ts";
import { aCompletedDocument, aDraft, aSentDocument, simulate, succeed } from "../../support/stories.ts";
import type { TestWorld } from "../../support/world.ts";

const eventsOf = (hook: { received: { body: { event: string; data: { status: string } }[] }[] }) =>
  hook.received.flatMap((one) => one.body.map(({ event, data }) => `${event} ${data.status}`));

const deliveries = async (world: TestWorld) => (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;

const rule = (when: object, then: object) => ({ webhooks: [{ name: "lab rule", when, then }] });

describe("effects of webhook rules on planned deliveries", () => {
  test("drop sends nothing, and the delivery gets the state dropped", async () => {
    const world = await lab(rule({ status: "document.sent" }, { drop: true }));
    const hook = await subscribed(world);
    await aSentDocument(world);
    await world.advance("1d");
    expect(eventsOf(hook)).toEqual(["document_state_changed document.draft"]);
    expect((await deliveries(world)).map((one: { state: string }) => one.state)).toEqual(["delivered", "dropped"]);
  });

  test("delay postpones the delivery by that time on the clock", async () => {
    const world = await lab(rule({ event: "recipient_completed" }, { delay: "90s" }));
    const hook = await subscribed(world, ["recipient_completed"]);
    await aCompletedDocument(world);
    await world.advance("89s");
    expect(hook.received).toEqual([]);
    await world.advance("1s");
    expect(eventsOf(hook)).toEqual(["recipient_completed document.completed"]);
  });

  test("duplicate sends exactly that many additional copies, with the same event id", async () => {
    const world = await lab(rule({ event: "recipient_completed" }, { duplicate: 2 }));
    const hook = await subscribed(world, ["recipient_completed"]);
    await aCompletedDocument(world);
    await world.advance("0s");
    expect(hook.received).toHaveLength(3);
    expect(new Set(hook.received.map((one) => one.eventId)).size).toBe(1);
    expect(hook.events()).toHaveLength(1);
  });

  test("after_event holds a delivery until the other event was delivered", async () => {
    const world = await lab(
      rule({ status: "document.sent" }, { after_event: { event: "document_state_changed", status: "document.completed" } }),
    );
    const hook = await subscribed(world, ["document_state_changed"]);
    await aSentDocument(world);
    await world.advance("1h");
    expect(eventsOf(hook)).toEqual(["document_state_changed document.draft"]);
    expect((await deliveries(world))[1]).toMatchObject({
      state: "pending",
      held_for: { event: "document_state_changed", status: "document.completed" },
    });
    await simulate(world, (await deliveries(world))[0].document_id, "sign");
    await world.advance("0s");
    expect(eventsOf(hook).map((one) => one.split(" ")[1])).toEqual([
      "document.draft",
      "document.viewed",
      "document.completed",
      "document.sent",
    ]);
  });

  test("after_event waits no longer for an event that a rule drops", async () => {
    const completed = { event: "document_state_changed", status: "document.completed" };
    for (const dropped of ["before", "after"]) {
      const held = { name: "held", when: { status: "document.sent" }, then: { after_event: completed } };
      const drop = { name: "drop", when: completed, then: { drop: true } };
      const late = { name: "late", when: { event: "recipient_completed" }, then: { after_event: completed, delay: "1h" } };
      const world = await lab({ webhooks: dropped === "after" ? [held, drop] : [drop, late] });
      const hook = await subscribed(world, ["document_state_changed", "recipient_completed"]);
      await aCompletedDocument(world);
      await world.advance("1d");
      expect(eventsOf(hook)).toContain(
        dropped === "after" ? "document_state_changed document.sent" : "recipient_completed document.completed",
      );
      expect((await deliveries(world)).filter((one: { state: string }) => one.state === "pending")).toEqual([]);
    }
  });

  test("after_event does not release a delivery on a different event", async () => {
    const world = await lab(rule({ status: "document.sent" }, { after_event: "recipient_completed" }));
    const hook = await subscribed(world, ["document_state_changed", "recipient_completed"]);
    const id = await aSentDocument(world);
    await simulate(world, id, "view");
    await world.advance("1h");
    expect(eventsOf(hook).map((one) => one.split(" ")[1])).toEqual(["document.draft", "document.viewed"]);
    await simulate(world, id, "sign");
    await world.advance("0s");
    expect(eventsOf(hook)).toContain("document_state_changed document.sent");
  });

  test("batch puts all events of a window into one body with one signature", async () => {
    const world = await lab(rule({}, { batch: { window: "10s", max: 10 } }));
    const hook = await subscribed(world, ["document_state_changed"]);
    await aSentDocument(world);
    await world.advance("10s");
    expect(hook.received.map((one) => one.body.length)).toEqual([2]);
    expect(hook.received[0]?.verified).toBe(true);
    expect(eventsOf(hook)).toEqual(["document_state_changed document.draft", "document_state_changed document.sent"]);
  });

  test("batch sends a full batch immediately, and the rest when the window ends", async () => {
    const world = await lab(rule({}, { batch: { window: "1h", max: 3 } }));
    const hook = await subscribed(world, ["document_state_changed"]);
    await aCompletedDocument(world);
    await world.advance("0s");
    expect(hook.received.map((one) => one.body.length)).toEqual([3]);
    await world.advance("59m");
    expect(hook.received).toHaveLength(1);
    await world.advance("1m");
    expect(hook.received.map((one) => one.body.length)).toEqual([3, 1]);
  });

  test("retries replaces the retry schedule of the matched deliveries", async () => {
    const world = await lab(rule({ event: "recipient_completed" }, { retries: ["5s", "1m"] }));
    const hook = await subscribed(world, ["recipient_completed"]);
    hook.answerWith(500);
    await aCompletedDocument(world);
    await world.advance("0s");
    expect(hook.received).toHaveLength(1);
    await world.advance("5s");
    expect(hook.received).toHaveLength(2);
    await world.advance("1m");
    expect(hook.received).toHaveLength(3);
    await world.advance("2h");
    expect(hook.received).toHaveLength(3);
    expect((await deliveries(world))[0]).toMatchObject({ state: "failed" });
  });
});

describe("effects of webhook rules on attempts", () => {
  test.each([
    ["valid", true],
    ["invalid", false],
  ])("signature %s decides whether the receiver can verify the delivery", async (signature, isTrue) => {
    const world = await lab(rule({}, { signature }));
    const hook = await subscribed(world);
    await aDraft(world);
    expect(hook.received.map((one) => one.verified)).toEqual([isTrue]);
    expect(hook.received[0]?.signature).toMatch(/^[0-9a-f]{64}$/);
  });

  test("signature missing removes the signature parameter from the URL", async () => {
    const world = await lab(rule({}, { signature: "missing" }));
    const hook = await subscribed(world);
    await aDraft(world);
    expect(hook.received.map((one) => [one.url, one.signature])).toEqual([["/", null]]);
  });

  test("signature similar begins as the right one, and signature short is its beginning", async () => {
    for (const signature of ["similar", "short"] as const) {
      const world = await lab(rule({}, { signature }));
      const hook = await subscribed(world);
      await aDraft(world);
      const [one] = hook.received;
      const right = createHmac("sha256", hook.key)
        .update(one?.raw as Buffer)
        .digest("hex");
      const length = signature === "short" ? 16 : 64;
      expect([one?.signature?.length, one?.signature?.slice(0, 16), one?.verified]).toEqual([length, right.slice(0, 16), false]);
      expect(one?.signature).not.toBe(right);
    }
  });

  test("respell writes the JSON of the body with spaces and escapes, and signs this text", async () => {
    const world = await lab(rule({}, { respell: true }));
    const hook = await subscribed(world);
    await aDraft(world, { body: { name: "Größe 1/2" } });
    const [one] = hook.received;
    const text = String(one?.raw);
    expect(text).toContain(String.raw`"name": "Gr\u00f6\u00dfe 1\/2", `);
    expect([one?.verified, JSON.parse(text)]).toEqual([true, one?.body]);
  });

  test("signature old_key signs with the previous shared key", async () => {
    const world = await lab(rule({}, { signature: "old_key" }));
    const hook = await subscribed(world);
    const before = hook.key;
    await succeed(world.call("updateWebhookSubscriptionSharedKey", { params: { id: hook.id } }));
    await aDraft(world);
    const [one] = hook.received;
    expect(verify(one?.raw as Buffer, one?.signature ?? null, before)).toBe(true);
  });

  test("attempt_result fakes a refusal, a timeout or a status for chosen attempts, and later attempts reach the receiver", async () => {
    const world = await lab({
      webhooks: [
        { name: "refused", when: { attempt: 1 }, then: { attempt_result: "refused" } },
        { name: "timeout", when: { attempt: 2 }, then: { attempt_result: "timeout" } },
        { name: "busy", when: { attempt: { in: [3, 5] } }, then: { attempt_result: 503 } },
      ],
    });
    const hook = await subscribed(world, ["document_state_changed"]);
    await aDraft(world);
    await world.advance("1h");
    expect(hook.received).toHaveLength(1);
    const [{ attempts, state }] = await deliveries(world);
    expect(state).toBe("delivered");
    expect(attempts.map((one: { status: number; error: string }) => one.status ?? one.error)).toEqual([
      "CONNECT_ERROR",
      "TIMEOUT_ERROR",
      503,
      200,
    ]);
  });

  test("attempt_result 410 deactivates the subscription as the service does", async () => {
    const world = await lab(rule({}, { attempt_result: 410 }));
    const hook = await subscribed(world);
    await aSentDocument(world);
    await world.advance("1d");
    expect(hook.received).toEqual([]);
    expect((await world.call("detailsWebhookSubscription", { params: { id: hook.id } })).body.status).toBe("DEACTIVATED");
  });

  test("nth selects the second delivery with all its attempts, regardless of the attempts of the first", async () => {
    const world = await lab(rule({ nth: 2 }, { signature: "invalid" }));
    const hook = await subscribed(world, ["document_state_changed"]);
    hook.answerWith(500, 500, 500, 200);
    await aDraft(world);
    await world.advance("10m");
    hook.answerWith(401, 401, 200);
    await aDraft(world, { body: { name: "Second" } });
    await world.advance("10m");
    const byName = hook.received.map((one) => [one.body[0].data.name, one.verified]);
    expect(byName).toEqual([
      ["Service agreement", true],
      ["Service agreement", true],
      ["Service agreement", true],
      ["Second", false],
      ["Second", false],
      ["Second", false],
    ]);
  });
});

describe("conditions of webhook rules", () => {
  test("a rule acts only when event, status, document and subscription all match", async () => {
    const world = await lab({
      webhooks: [
        {
          name: "one of many",
          when: {
            event: ["document_state_changed", "recipient_completed"],
            status: ["document.draft", "document.sent"],
            document: { "metadata.team": "legal" },
            subscription: "Lab",
          },
          then: { drop: true },
        },
      ],
    });
    const hook = await subscribed(world, ["document_state_changed"]);
    const other = await subscribed(world, ["document_state_changed"], { name: "Other" });
    await aDraft(world, { body: { metadata: { team: "sales" } } });
    await aCompletedDocument(world, { body: { metadata: { team: "legal" } } });
    await world.advance("0s");
    expect(eventsOf(hook).map((one) => one.split(" ")[1])).toEqual(["document.draft", "document.viewed", "document.completed"]);
    expect(other.received).toHaveLength(5);
  });
});
