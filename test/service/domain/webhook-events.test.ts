/** The events in the life of a document: which ones, in which order, and with which content. */
import { describe, expect, test } from "vitest";
import { EVENTS } from "../../../src/service/nouns/documents/status-machine.ts";
import { type Receiver, receiver } from "../../support/receiver.ts";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  aSentDocument,
  aSubscription,
  CLIENT,
  simulate,
  succeed,
  TEMPLATES,
} from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

/** The events since the last call, as `event status`. */
function news(hook: Receiver) {
  let read = 0;
  return () => {
    const all = hook.events();
    const fresh = all.slice(read).map((one) => `${one.event} ${one.data.status}`);
    read = all.length;
    return fresh;
  };
}

async function listening(world: TestWorld, body: object = {}) {
  const hook = await receiver();
  await aSubscription(world, hook, { triggers: [...EVENTS], ...body });
  return { hook, told: news(hook), data: (event: string) => hook.events().find((one) => one.event === event)?.data };
}

describe("the order of events", () => {
  test.each<[string, (world: TestWorld) => Promise<string>, (world: TestWorld, id: string) => Promise<unknown>, string[]]>([
    [
      "sendDocument with an approval",
      (world) => aDraft(world, { template: "approval" }),
      async (world, id) => {
        await succeed(world.call("sendDocument", { params: { id }, body: {} }));
        await simulate(world, id, "approve");
        await simulate(world, id, "approve");
      },
      ["document_state_changed document.waiting_approval", "document_state_changed document.approved"],
    ],
    [
      "sendDocument with a rejected approval",
      (world) => aDraft(world, { template: "approval" }),
      async (world, id) => {
        await succeed(world.call("sendDocument", { params: { id }, body: {} }));
        await simulate(world, id, "reject");
      },
      ["document_state_changed document.waiting_approval", "document_state_changed document.rejected"],
    ],
    [
      "sendDocument with a payment",
      (world) => aSentDocument(world, { template: "payment" }),
      async (world, id) => {
        await simulate(world, id, "sign");
        await world.advance("0s");
        await simulate(world, id, "pay");
      },
      [
        "document_state_changed document.viewed",
        "recipient_completed document.waiting_pay",
        "document_state_changed document.waiting_pay",
        "document_state_changed document.paid",
      ],
    ],
    [
      "sendDocument to a recipient who declines",
      (world) => aSentDocument(world),
      (world, id) => simulate(world, id, "decline"),
      ["document_state_changed document.viewed", "document_state_changed document.declined"],
    ],
    [
      "sendDocument of a document that expires",
      (world) => aSentDocument(world),
      (world, id) => simulate(world, id, "expire"),
      ["document_state_changed document.voided"],
    ],
    [
      "changeDocumentStatus to completed",
      (world) => aSentDocument(world),
      (world, id) => succeed(world.call("changeDocumentStatus", { params: { id }, body: { status: 2 } })),
      ["document_state_changed document.completed", "document_completed document.completed"],
    ],
    [
      "createDocument with a failed conversion",
      (world) => anUploadedDocument(world),
      (world, id) => simulate(world, id, "fail"),
      ["document_creation_failed document.error"],
    ],
  ])("%s", async (_, begin, goOn, expected) => {
    const { told } = await listening(world);
    const id = await begin(world);
    await world.advance("0s");
    told();
    await goOn(world, id);
    await world.advance("0s");
    expect(told()).toEqual(expected);
  });

  test("createWebhookSubscription delivers only the subscribed events of one workspace", async () => {
    const { told } = await listening(world, { triggers: ["document_completed"] });
    const none = await listening(world, { triggers: null });
    const other = await receiver();
    await aSubscription(world, other, { triggers: [...EVENTS] }, "test-other");
    await aCompletedDocument(world);
    await world.advance("1h");
    expect(told()).toEqual(["document_completed document.completed"]);
    expect([none.hook.received, other.received]).toEqual([[], []]);
  });
});

describe("content of events", () => {
  const KINDS = ["metadata", "tokens", "fields", "products", "pricing"];
  const body = {
    template_uuid: TEMPLATES.pricing,
    metadata: { order: "17" },
    tokens: [{ name: "Client.Company", value: "Marek & Sons" }],
  };

  test.each(KINDS)("createWebhookSubscription with the payload kind %s adds only this kind", async (kind) => {
    const { data } = await listening(world, { payload: [kind] });
    const id = await aDraft(world, { template: "pricing", body });
    const got = data("document_created");
    expect(Object.keys(got).filter((key) => KINDS.includes(key))).toEqual([kind]);
    const { body: details } = await succeed(world.call("detailsDocument", { params: { id } }));
    const expected: Record<string, unknown> = {
      metadata: { ...details.metadata, order: "17" },
      tokens: expect.arrayContaining([{ name: "Client.Company", value: "Marek & Sons" }]),
      fields: [
        expect.objectContaining({
          name: "Signature",
          type: "signature",
          assignee: CLIENT.email,
          assigned_to: expect.objectContaining({ email: CLIENT.email }),
          uuid: details.fields[0].uuid,
        }),
      ],
      products: details.pricing.tables[0].items.map((item: { sku: string; qty: string; price: string; name: string }) =>
        expect.objectContaining({ sku: item.sku, name: item.name, price: item.price, qty: Number(item.qty) }),
      ),
      pricing: details.pricing,
    };
    expect(got[kind]).toEqual(expected[kind]);
    if (kind === "products") expect(got.products).toHaveLength(3);
  });
});
