/** Differences between copies of a verb that users met, by name. Each was in one surface only. */
import { expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSentDocument, aSubscription, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";
import { refusal } from "../../support/refusal.ts";

/** What a method refuses with, without its name. */
async function sentenceOf(run: () => unknown, method: string): Promise<string> {
  return (await refusal(run)).replace(`${method}: `, "");
}

async function aDelivery(world: TestWorld) {
  const subscription = await aSubscription(world, await receiver(), { triggers: ["document_state_changed"] });
  await aDraft(world);
  await world.advance("1s");
  const [delivery] = world.sandbox.webhooks.deliveries();
  return { id: delivery?.id ?? "", subscription };
}

test("redeliver refuses in the library too when the subscription is gone, and the delivery stays delivered", async () => {
  const world = await testWorld();
  const { id, subscription } = await aDelivery(world);
  await succeed(world.call("deleteWebhookSubscription", { params: { id: subscription } }));
  expect(await refusal(() => world.sandbox.webhooks.redeliver(id))).toBe("webhooks.redeliver: The subscription is gone.");
  expect(await world.admin("POST", `/webhooks/deliveries/${id}/redeliver`)).toMatchObject({
    status: 409,
    body: { type: "docdouble_conflict", detail: "The subscription is gone." },
  });
  expect((await world.admin("POST", "/webhooks/deliveries/none/redeliver")).status).toBe(404);
  await world.sandbox.clock.settle();
  expect(world.sandbox.webhooks.deliveries()).toMatchObject([{ id, state: "delivered" }]);
});

test("both lists of deliveries filter by subscription and by status", async () => {
  const world = await testWorld();
  const { subscription } = await aDelivery(world);
  await aSentDocument(world);
  const statuses = ["document.draft", "document.sent", "document.viewed"];
  for (const status of statuses) {
    const shown = (await world.admin("GET", `/webhooks/deliveries?status=${status}&subscription=${subscription}`)).body;
    const rows = world.sandbox.webhooks.deliveries({ status, subscription });
    expect(shown.deliveries.map((one: { id: string }) => one.id)).toEqual(rows.map((one) => one.id));
    expect(rows.every((one) => one.status === status)).toBe(true);
  }
  expect(world.sandbox.webhooks.deliveries({ subscription, status: "document.sent" })).toHaveLength(1);
  expect(world.sandbox.webhooks.deliveries({ subscription: "none" })).toEqual([]);
});

test("nearest names the same call in the library and in the admin API, of equal calls the latest", async () => {
  const world = await testWorld();
  for (const id of ["first", "second"]) await world.call("statusDocument", { params: { id } });
  const pattern = { operationId: "statusDocument", method: "POST" };
  const { nearest } = (await world.admin("POST", "/requests/nearest", pattern)).body;
  const found = world.sandbox.journal.nearest(pattern);
  expect(found?.exchange.path).toBe("/public/v1/documents/second");
  expect(nearest[0]).toMatchObject({ request: { url: found?.exchange.url }, differences: found?.differences });
  const { nearMisses } = (await world.admin("POST", "/near-misses/request-pattern", pattern)).body;
  expect(nearMisses[0]).toEqual({ request: nearest[0].request, requestPattern: pattern, matchResult: { distance: 0.5 } });
  const refused = (await world.admin("POST", "/requests/verify", { match: pattern })).body;
  expect(refused.nearest[0].differences).toEqual(found?.differences);
});

test("an unknown operation is refused wherever a pattern names it", async () => {
  const world = await testWorld();
  const pattern = { operationId: "sendDoc" };
  const sentence = "there is no operation sendDoc; did you mean sendDocument?";
  for (const path of ["count", "find", "remove", "nearest"])
    expect((await world.admin("POST", `/requests/${path}`, pattern)).body.detail, path).toBe(sentence);
  expect((await world.admin("POST", "/requests/verify", { match: pattern, times: 0 })).body.detail).toBe(sentence);
  for (const name of ["find", "count", "nearest"] as const)
    expect(await refusal(() => world.sandbox.journal[name](pattern as never))).toBe(`journal.${name}: ${sentence}`);
});

test("a goal of the clock is read once: the same goals, the same refusals", async () => {
  const world = await testWorld();
  await world.sandbox.clock.advance({ by: "1h" });
  await succeed(world.admin("POST", "/clock/advance", { to: world.sandbox.clock.now() + 1000 }));
  expect((await world.admin("POST", "/clock/advance", { by: -1 })).body.why).toBe(
    "by: Cannot advance the clock by -1: it only moves forward.",
  );
  expect(await refusal(() => world.sandbox.clock.advance(-1))).toBe(
    "clock.advance: by: Cannot advance the clock by -1: it only moves forward.",
  );
});

test("the clock stops at the same moments in clock.set, clock.stopAt and the admin API", async () => {
  const stopped = async (run: (world: TestWorld) => unknown) => {
    const world = await testWorld({ clock: "auto" });
    await run(world);
    return (await world.admin("GET", "/clock")).body.stop_at;
  };
  const at = await stopped((world) => world.admin("PUT", "/clock", { stopAt: "2h" }));
  expect(at).toBe("2026-03-02T11:00:00.000000Z");
  expect(await stopped(({ sandbox }) => sandbox.clock.stopAt("2h"))).toBe(at);
  expect(await stopped(({ sandbox }) => sandbox.clock.set({ stopAt: "2h" }))).toBe(at);
  expect(await stopped((world) => world.admin("PUT", "/clock", { stopAt: Date.UTC(2026, 2, 2, 11) }))).toBe(at);
});

test("a misspelled condition of a HAR is refused in the admin API too", async () => {
  const world = await testWorld();
  const refused = await world.admin("GET", "/har?documnt=x");
  expect([refused.status, refused.body.why]).toEqual([
    400,
    await sentenceOf(() => world.sandbox.har({ documnt: "x" } as never), "har"),
  ]);
});

test("every act refuses members that it does not know, as acts on documents do", async () => {
  const world = await testWorld();
  const document = await aSentDocument(world);
  const paths = [
    `/documents/${document}/simulate/view`,
    `/documents/${document}/step/view`,
    "/notary/none/simulate/complete",
    "/conversions/none/simulate/fail",
    "/forms/none/simulate/submit",
  ];
  for (const path of paths) {
    const { status, body } = await world.admin("POST", path, { recordng: false });
    expect([status, body.why], path).toEqual([400, expect.stringContaining("recordng")]);
  }
  expect((await succeed(world.admin("GET", `/documents/${document}`))).body.status).toBe("document.sent");
});

test("a list of documents refuses a status that does not exist, as a list of deliveries does", async () => {
  const world = await testWorld();
  await aSentDocument(world);
  expect((await world.admin("GET", "/documents?status=sent")).body.meta.total).toBe(1);
  const { status, body } = await world.admin("GET", "/documents?status=snet");
  expect([status, body.why]).toEqual([400, expect.stringContaining('status: "snet" is unknown; did you mean "sent"?')]);
});

test("the admin API shows the link of a signing page, as the library does", async () => {
  const world = await testWorld();
  const id = await aSentDocument(world);
  const { status, body } = await world.admin("GET", `/documents/${id}/link?recipient=Client`);
  expect([status, body]).toEqual([200, { link: world.sandbox.documents.link(id, "Client") }]);
  expect((await world.request("GET", new URL(body.link).pathname)).status).toBe(303);
});

test("trigger sends an event about a document that fits it, in the library too", async () => {
  const world = await testWorld();
  await aSubscription(world, await receiver(), { triggers: ["document_completed"] });
  const draft = await aDraft(world);
  const [first] = world.sandbox.webhooks.trigger("document_completed");
  expect(first?.subject).not.toBe(draft);
  expect(world.sandbox.documents.get(first?.subject ?? "")?.status).toBe("document.completed");
  const [second] = (await world.admin("POST", "/webhooks/trigger", { event: "document_completed" })).body.deliveries;
  expect(second.document_id).toBe(first?.subject);
});

test("trigger of the library makes no document whose images still load, and leaves nothing", async () => {
  const images = [{ name: "Logo", urls: ["http://127.0.0.1:9/logo.png"] }];
  const world = await testWorld({ fixtures: { templates: [{ name: "Pictured", roles: [{ name: "Client" }], images }] } });
  await aSubscription(world, await receiver(), { triggers: ["document_updated"] });
  const refused = await refusal(() => world.sandbox.webhooks.trigger("document_updated"));
  expect(refused).toMatch(/^webhooks\.trigger: No document fits document_updated: the images of a new document take time/);
  await world.sandbox.clock.settle();
  expect((await world.admin("GET", "/documents")).body.documents).toEqual([]);
  expect((await world.admin("POST", "/webhooks/trigger", { event: "document_updated" })).status).toBe(202);
});

test("the deliveries of a trigger hide secrets of their addresses, as the list of deliveries does", async () => {
  const world = await testWorld();
  const hook = await receiver();
  await aSubscription(world, { ...hook, url: `${hook.url}?api_key=${"k".repeat(40)}` }, { triggers: ["document_updated"] });
  await aDraft(world);
  const [sent] = (await world.admin("POST", "/webhooks/trigger", { event: "document_updated" })).body.deliveries;
  const [listed] = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;
  expect(sent.url).toBe(listed.url);
  expect(sent.url).toContain("***");
});

test("a scenario is verified after the work that is due now, in the admin API too", async () => {
  const world = await testWorld();
  await aSubscription(world, await receiver(), { triggers: ["document_updated"] });
  await aDraft(world);
  const expected = { deliveries: [{ match: { event: "document_updated", state: "delivered" }, times: 1 }] };
  await succeed(world.admin("POST", "/scenarios", { version: 1, name: "mine", expect: expected }));
  world.sandbox.webhooks.trigger("document_updated");
  expect((await world.admin("POST", "/scenarios/mine/verify")).body).toEqual({ name: "mine", verified: true, unmet: [] });
  await world.sandbox.scenarios.verify();
});
