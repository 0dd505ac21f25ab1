/** Traces in the form of W3C Trace Context: from a call to the webhooks that it causes. */
import { expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aDraft, anUploadedDocument, succeed } from "../../support/stories.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";

const ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const traced = { traceparent: `00-${ID}-${PARENT}-01`, tracestate: "vendor=1" };

async function events({ admin }: TestWorld) {
  return (await admin("GET", "/requests")).body.requests as {
    operationId: string;
    request: object;
    trace?: Record<string, string>;
  }[];
}

const spanOf = (header: string | string[] | undefined) => String(header).split("-")[2];

test("a call keeps its trace and its own span outside the request, and its webhooks continue the trace", async () => {
  const world = await testWorld();
  const hook = await receiver();
  world.sandbox.webhooks.subscribe({ url: hook.url, events: ["document_state_changed"] });
  await anUploadedDocument(world, { headers: traced });
  await world.advance("1m");
  const [create] = (await events(world)).filter(({ operationId }) => operationId === "createDocument");
  expect(create?.trace).toEqual({ trace_id: ID, span_id: expect.stringMatching(/^[0-9a-f]{16}$/), parent_span_id: PARENT });
  expect(create?.trace?.span_id).not.toBe(PARENT);
  expect(JSON.stringify(create?.request)).not.toContain(create?.trace?.span_id);
  // The conversion that the call begins changes the status later.
  expect(hook.received.length).toBeGreaterThan(0);
  for (const { headers } of hook.received) {
    expect(headers.traceparent).toMatch(new RegExp(`^00-${ID}-[0-9a-f]{16}-01$`));
    expect(headers.tracestate).toBe("vendor=1");
    expect([PARENT, create?.trace?.span_id]).not.toContain(spanOf(headers.traceparent));
  }
  const [delivery] = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;
  expect(delivery.trace).toMatchObject({ trace_id: ID, parent_span_id: create?.trace?.span_id });
});

test("retries keep the trace, and each has another span", async () => {
  const world = await testWorld();
  const hook = await receiver();
  hook.answerWith(500);
  world.sandbox.webhooks.subscribe({ url: hook.url, events: ["document_state_changed"] });
  const id = await aDraft(world);
  hook.received.length = 0;
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true }, headers: traced }));
  await world.advance("2h");
  const sent = hook.received.filter(({ body }) => body[0].data.status === "document.sent");
  expect(sent).toHaveLength(4);
  for (const { headers } of sent) expect(headers.traceparent).toContain(ID);
  expect(new Set(sent.map(({ headers }) => spanOf(headers.traceparent))).size).toBe(4);
});

test("an act of a recipient and a day of the service belong to no trace", async () => {
  const world = await testWorld();
  await world.sandbox.scenarios.load({
    version: 1,
    name: "signs",
    actors: [{ name: "pat", on: "document.sent", steps: [{ after: "2h", do: "view" }] }],
  });
  const hook = await receiver();
  world.sandbox.webhooks.subscribe({ url: hook.url, events: ["document_state_changed", "recipient_completed"] });
  const id = await aDraft(world);
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true }, headers: traced }));
  await world.sandbox.clock.settle();
  hook.received.length = 0;
  await world.advance("3h");
  world.sandbox.documents.simulate(id, "sign", { recipient: "Client", fields: { Company: "A", Agree: true } });
  await world.sandbox.clock.settle();
  expect(hook.received.length).toBeGreaterThan(1);
  for (const { headers } of hook.received) expect(headers.traceparent).toBeUndefined();
});

test("a header that the standard calls invalid begins no trace", async () => {
  const world = await testWorld();
  const wrong = [
    "00-0-0-0",
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${ID}-${"0".repeat(16)}-01`,
    `ff-${ID}-${PARENT}-01`,
    `00-${ID.toUpperCase()}-${PARENT}-01`,
    `00-${ID}-${PARENT}-01-more`,
  ];
  for (const traceparent of wrong) await world.request("GET", "/public/v1/contacts", { headers: { traceparent } });
  await world.request("GET", "/public/v1/contacts", { headers: { traceparent: `01-${ID}-${PARENT}-01-more` } });
  const kept = (await events(world)).map(({ trace }) => trace?.trace_id);
  expect(kept).toEqual([ID, ...wrong.map(() => undefined)]);
});
