/** The provider states that a verifier of pacts asks for. */
import { expect, test } from "vitest";
import { aDraft, anUploadedDocument, aSentDocument, TEMPLATES } from "../../support/stories.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";

const ask = ({ admin }: TestWorld, status: string, params?: object) =>
  admin("POST", "/pact/states", { state: `the document is ${status}`, ...(params ? { params } : {}), action: "setup" });

const statusOf = ({ sandbox }: TestWorld, id: string) => sandbox.documents.get(id)?.status;

test.each(["document.draft", "document.sent", "document.viewed", "document.completed", "document.declined", "document.voided"])(
  "the document of a pact takes the steps to %s, with its id",
  async (status) => {
    const world = await testWorld();
    const id = await anUploadedDocument(world);
    expect(await ask(world, status, { document: id })).toMatchObject({ status: 200, body: { document: id } });
    expect(statusOf(world, id)).toBe(status);
    expect(world.sandbox.documents.all()).toHaveLength(1);
  },
);

test("all signers sign when a sent document must be completed", async () => {
  const world = await testWorld();
  const id = await aSentDocument(world, { template: "twoSigners" });
  expect((await ask(world, "document.completed", { document: id })).body).toEqual({ document: id });
  expect(statusOf(world, id)).toBe("document.completed");
});

test("a document that cannot go back stays as it is, and another of its template takes the status", async () => {
  const world = await testWorld();
  const id = await aSentDocument(world, { template: "twoSigners" });
  const { body } = await ask(world, "document.draft", { document: id });
  expect(body.document).not.toBe(id);
  expect([statusOf(world, id), statusOf(world, body.document)]).toEqual(["document.sent", "document.draft"]);
  const row = world.tenant.store.documents.get(body.document);
  expect(row?.template?.id).toBe(TEMPLATES.twoSigners);
});

test("with another seed the newest document of the name takes the place of the id", async () => {
  const world = await testWorld();
  const { id: one } = await world.sandbox.documents.create({ name: "Offer 42" });
  await world.sandbox.documents.create({ name: "Other" });
  const { body } = await ask(world, "document.sent", { document: "AAAAAAAAAAAAAAAAAAAAAA", name: "Offer 42" });
  expect(body).toEqual({ document: one });
  expect(statusOf(world, one)).toBe("document.sent");
});

test("a new server makes the document, and a state without a status takes any", async () => {
  const world = await testWorld();
  const { body } = await ask(world, "document.sent", { document: "AAAAAAAAAAAAAAAAAAAAAA" });
  expect(statusOf(world, body.document)).toBe("document.sent");
  const exists = await world.admin("POST", "/pact/states", { state: "the document exists", params: { document: body.document } });
  expect(exists.body).toEqual(body);
  const another = await world.admin("POST", "/pact/states", { state: "the document exists" });
  expect(statusOf(world, another.body.document)).toBe("document.draft");
});

test("an empty state and a teardown change nothing", async () => {
  const world = await testWorld();
  expect(await world.admin("POST", "/pact/states", { state: "", params: {}, action: "setup" })).toMatchObject({
    status: 200,
    body: {},
  });
  const teardown = { state: "the document is document.sent", params: {}, action: "teardown" };
  expect(await world.admin("POST", "/pact/states", teardown)).toMatchObject({ status: 200, body: {} });
  expect(world.sandbox.documents.all()).toEqual([]);
});

test.each([
  ["the moon is full", "document.draft"],
  ["the document is document.snet", "document.sent"],
  ["the document is document.sent ", "document.draft"],
])("the unknown state %j is refused, and the refusal shows one that there is", async (state, shown) => {
  const world = await testWorld();
  await aDraft(world);
  const { status, body } = await world.admin("POST", "/pact/states", { state });
  expect([status, body.detail]).toEqual([
    400,
    `docdouble knows no state ${JSON.stringify(state)}. States are "the document is STATUS", such as "the document is ${shown}".`,
  ]);
});

test("a state that no template can reach is refused, and changes nothing", async () => {
  const world = await testWorld({ fixtures: { templates: [{ name: "Note", roles: [{ name: "Client" }] }] } });
  const { id } = await world.sandbox.documents.create();
  const { status, body } = await ask(world, "document.paid", { document: id });
  expect([status, body.detail]).toEqual([400, expect.stringMatching(/^no template can reach document\.paid\./)]);
  expect(world.sandbox.documents.all().map((one) => [one.id, one.status])).toEqual([[id, "document.draft"]]);
});
