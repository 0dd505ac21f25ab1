/** The law of triggered events: `webhooks.trigger` sends what the real change sends. */
import { describe, expect, test } from "vitest";
import type { EventName } from "../../../src/service/nouns/documents/status-machine.ts";
import { EVENTS } from "../../../src/service/nouns/documents/status-machine.ts";
import { eventsOf, subscribe } from "../../support/content.ts";
import { aCompletedDocument, aDraft, aSentDocument, simulate, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const KINDS = ["metadata", "fields", "products", "tokens", "pricing"];

/** Makes the change that causes the event, and returns the id of its subject. */
const CHANGES: Readonly<Record<EventName, (world: TestWorld) => Promise<string>>> = {
  recipient_completed: (world) => aCompletedDocument(world, { template: "twoSigners" }),
  async document_updated(world) {
    const id = await aSentDocument(world);
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    return id;
  },
  async document_deleted(world) {
    const id = await aDraft(world);
    await succeed(world.call("deleteDocument", { params: { id } }));
    return id;
  },
  document_state_changed: (world) => aSentDocument(world),
  async document_creation_failed(world) {
    const id = (
      await succeed(
        world.call("createDocument", { body: { name: "Broken", url: "https://files.example/no.pdf", recipients: [] } }),
      )
    ).body.id;
    await simulate(world, id, "fail", { reason: "No such file." });
    return id;
  },
  async document_completed_pdf_ready(world) {
    const id = await aCompletedDocument(world);
    await world.advance("10s");
    return id;
  },
  async document_section_added(world) {
    const id = await aDraft(world);
    const body = { template_uuid: TEMPLATES.pricing, name: "Annex", recipients: [] };
    await succeed(world.call("uploadSection", { params: { document_id: id }, body }));
    await world.advance("10s");
    return id;
  },
  async quote_updated(world) {
    const id = await aDraft(world, { template: "quote" });
    const [quote] = (await succeed(world.call("detailsDocument", { params: { id } }))).body.pricing.quotes;
    await succeed(world.call("quoteUpdate", { params: { document_id: id, quote_id: quote.id }, body: { sections: [] } }));
    return id;
  },
  async template_created(world) {
    const { id } = (await succeed(world.call("createTemplate", { body: { name: "New" } }))).body;
    await world.advance("10s");
    return id;
  },
  async template_updated(world) {
    const id = TEMPLATES.euro;
    await succeed(
      world.call("updateTemplate", { params: { id }, body: { tokens: [{ name: "Client.Company", value: "Acme" }] } }),
    );
    return id;
  },
  async template_deleted(world) {
    const id = TEMPLATES.euro;
    await succeed(world.call("deleteTemplate", { params: { id } }));
    return id;
  },
  async content_library_item_created(world) {
    return (await succeed(world.call("createContentLibraryItem", { body: { name: "Block" } }))).body.id;
  },
  async content_library_item_creation_failed(world) {
    const body = { name: "Block", url: "https://files.example/no.pdf" };
    const { id } = (await succeed(world.call("createContentLibraryItem", { body }))).body;
    await succeed(world.admin("POST", `/conversions/${id}/simulate/fail`, { detail: "No such file." }));
    return id;
  },
  document_created: (world) => aDraft(world),
  document_completed: (world) => aCompletedDocument(world),
};

async function latest(world: TestWorld, event: EventName): Promise<Record<string, unknown>> {
  const data = (await eventsOf(world, event)).at(-1);
  expect(data).toBeDefined();
  return data;
}

async function trigger(world: TestWorld, event: EventName, options: object = {}): Promise<Record<string, unknown>> {
  const { body } = await succeed(world.admin("POST", "/webhooks/trigger", { event, ...options }));
  return body.deliveries[0].body[0].data;
}

/** Without ids, times and what a file or template gives. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

describe.each([...EVENTS])("%s", (event) => {
  test("a trigger about the subject of the real change sends the same event", async () => {
    await subscribe(world, [event], KINDS);
    const id = await CHANGES[event](world);
    const real = await latest(world, event);
    expect(real.id).toBe(id);
    expect(await trigger(world, event, { document_id: id })).toEqual(real);
    expect((await eventsOf(world, event)).length).toBeGreaterThan(1);
  });

  test("a trigger without a subject sends an event with the same members, in the same status", async () => {
    const real = await testWorld();
    await subscribe(real, [event]);
    await CHANGES[event](real);
    const fresh = await testWorld();
    await subscribe(fresh, [event]);
    const made = await trigger(fresh, event);
    const wanted = await latest(real, event);
    expect(Object.keys(made).sort()).toEqual(Object.keys(wanted).sort());
    expect(made.status).toBe(wanted.status);
    for (const name of ["action_by", "error", "section", "created_by"])
      expect(shapeOf(made[name]), name).toEqual(shapeOf(wanted[name]));
    // The next trigger finds that subject.
    expect((await trigger(fresh, event)).id).toBe(made.id);
  });
});

describe("recipient_completed", () => {
  test("the last signer's event shows the new status, and comes before the other events of it", async () => {
    await subscribe(world, ["recipient_completed", "document_state_changed", "document_completed"]);
    const id = await aSentDocument(world, { template: "twoSigners" });
    await simulate(world, id, "sign");
    const first = await latest(world, "recipient_completed");
    expect([first.status, first.date_completed]).toEqual(["document.viewed", null]);
    expect(first.action_by).toMatchObject({ first_name: "Ivo" });
    expect(await trigger(world, "recipient_completed", { document_id: id })).toEqual(first);
    await simulate(world, id, "sign");
    const last = await latest(world, "recipient_completed");
    expect([last.status, last.date_completed]).toEqual(["document.completed", expect.any(String)]);
    expect(last.action_by).toMatchObject({ first_name: "Tess" });
    const sent = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries.map((one: { event: string }) => one.event);
    expect(sent.slice(-3)).toEqual(["recipient_completed", "document_state_changed", "document_completed"]);
  });

  test("before a payment the last signer's event shows document.waiting_pay", async () => {
    await subscribe(world, ["recipient_completed"]);
    const id = await aSentDocument(world, { template: "payment" });
    await simulate(world, id, "sign");
    expect((await latest(world, "recipient_completed")).status).toBe("document.waiting_pay");
  });
});
