/** Proves the specification's rules about webhooks and their events. */
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { receiver } from "../../support/receiver.ts";
import { anUploadedDocument, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function subscribe(world: TestWorld, url: string, triggers: string[], payload: string[] = []): Promise<string> {
  const made = await succeed(world.call("createWebhookSubscription", { body: { name: "all", url, triggers, payload } }));
  return made.body.uuid;
}

describe("webhook deliveries", () => {
  test("createDocument leads to one document_created event, posted as an array when the document reaches draft", async () => {
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
});
