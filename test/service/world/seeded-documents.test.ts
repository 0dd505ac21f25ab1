/** A seeded document has lived like any other: its past is the walk that its status needs, and its future goes on by itself. */
import { expect, test } from "vitest";
import { STATUSES } from "../../../src/service/nouns/documents/status-machine.ts";
import { CLIENT, DIRECTOR, simulate, statusOf, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const seed = (world: TestWorld, document: object) =>
  world.sandbox.scenarios.load({ version: 1, name: "seeded", world: { documents: [{ name: "Seeded", ...document }] } } as never);

test("an uploaded document with an own id becomes a draft when its time comes", async () => {
  const world = await testWorld();
  await seed(world, { id: "DocA", template: TEMPLATES.oneSigner, status: "document.uploaded" });
  expect(await statusOf(world, "DocA")).toBe("document.uploaded");
  await world.advance("1h");
  expect(await statusOf(world, "DocA")).toBe("document.draft");
});

test.each(["document.sent", "document.viewed"])(
  "the second signer of a %s document is invited when the turn comes",
  async (status) => {
    const world = await testWorld();
    await seed(world, { id: "DocA", template: TEMPLATES.twoSigners, status, recipients: [CLIENT, DIRECTOR] });
    const invitations = () => world.sandbox.emails.find({ document_id: "DocA" }).map((mail) => mail.to);
    expect(invitations()).toEqual([]);
    await simulate(world, "DocA", "sign", { recipient: CLIENT.email });
    expect(invitations()).toEqual([DIRECTOR.email]);
  },
);

test.each(STATUSES)("a seeded document of the status %s has the history that the real walk makes", async (status) => {
  const world = await testWorld();
  const real = await world.sandbox.documents.create({ status });
  await seed(world, { id: "DocA", template: real.template?.id, status });
  const past = (id: string) =>
    world.tenant.store.history
      .where("document", id)
      .sort((a, b) => a.n - b.n)
      .map(({ event }) => (event.kind === "status" ? event : { ...event, who: event.who?.email }));
  const pathOf = (id: string) => world.tenant.store.documents.get(id)?.internal.path;
  expect(past("DocA")).toEqual(past(real.id));
  expect(pathOf("DocA")).toEqual(pathOf(real.id));
  expect(world.tenant.store.documents.get("DocA")?.status).toBe(status);
});

test.each([
  ["document.approved", "approval"],
  ["document.waiting_approval", "approval"],
  ["document.paid", "payment"],
  ["document.waiting_pay", "payment"],
])("%s needs a template with %s, as documents.create does", async (status, part) => {
  const world = await testWorld();
  await expect(seed(world, { template: TEMPLATES.oneSigner, status })).rejects.toThrow(
    `document Seeded: cannot reach ${status}: the template "One signer" has no ${part}`,
  );
});

test("a scheduled document without send_at is sent after a day", async () => {
  const world = await testWorld();
  await seed(world, { id: "DocA", template: TEMPLATES.oneSigner, status: "document.scheduled" });
  await world.advance("25h");
  expect(await statusOf(world, "DocA")).toBe("document.sent");
});
