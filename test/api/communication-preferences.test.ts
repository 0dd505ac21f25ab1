import { expect, test } from "vitest";
import { anotherWorkspace } from "../support/people.ts";
import { aDraft, aSentDocument } from "../support/stories.ts";
import { testWorld, type TestWorld } from "../support/world.ts";

const phonesOf = async (world: TestWorld): Promise<string[]> =>
  world.tenant.store.contacts
    .all()
    .filter((row) => /^Contact[ABC]x/.test(row.id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((row) => row.phone ?? "");

test("listRecentSmsOptOuts shows the last change of each number in the last hour", async () => {
  const world = await testWorld();
  const [a, b] = await phonesOf(world);
  const { status, body } = await world.call("listRecentSmsOptOuts");
  expect(status).toBe(200);
  expect(body).toEqual({
    results: [
      { phone_number: a, status: "opt-out", opt_out_changed: "2026-03-02T08:50:00Z" },
      { phone_number: b, status: "opt-in", opt_out_changed: "2026-03-02T08:40:00Z" },
    ],
  });
});

test("listRecentSmsOptOuts moves its hour with the clock", async () => {
  const world = await testWorld();
  const [a] = await phonesOf(world);
  await world.advance("45m");
  expect((await world.call("listRecentSmsOptOuts")).body.results).toMatchObject([{ phone_number: a }]);
  await world.advance("15m");
  expect((await world.call("listRecentSmsOptOuts")).body).toEqual({ results: [] });
});

test("listRecentSmsOptOuts takes a window: what changed later does not count in it", async () => {
  const world = await testWorld();
  const [, b, c] = await phonesOf(world);
  const query = { timestamp_from: "2026-03-02T05:00:00Z", timestamp_to: "2026-03-02T08:15:00Z" };
  expect((await world.call("listRecentSmsOptOuts", { query })).body).toEqual({
    results: [
      { phone_number: b, status: "opt-out", opt_out_changed: "2026-03-02T08:10:00Z" },
      { phone_number: c, status: "opt-out", opt_out_changed: "2026-03-02T06:00:00Z" },
    ],
  });
});

test("listRecentSmsOptOuts names both dates when they are none", async () => {
  const world = await testWorld();
  const wrong = [expect.stringContaining("Datetime has wrong format.")];
  expect(
    await world.call("listRecentSmsOptOuts", { query: { timestamp_from: "-1h", timestamp_to: "2026-02-30" } }),
  ).toMatchObject({
    status: 400,
    body: { type: "request_error", detail: { timestamp_from: wrong, timestamp_to: wrong } },
  });
});

test("listRecentSmsOptOuts shows nothing of another workspace", async () => {
  const world = await testWorld();
  const branch = await anotherWorkspace(world);
  expect((await world.call("listRecentSmsOptOuts", { key: branch.key })).body).toEqual({ results: [] });
});

test("sendDocument texts nobody whose last word was to opt out", async () => {
  const world = await testWorld();
  const [optedOut, optedInAgain, optedOutLongAgo] = await phonesOf(world);
  const recipients = [optedOut, optedInAgain, optedOutLongAgo].map((phone, i) => ({
    email: `person${i}@client.example`,
    phone,
    role: i === 0 ? "Client" : undefined,
    delivery_methods: { email: false, sms: true },
  }));
  await aSentDocument(world, { silent: false, body: { recipients } });
  const texts = world.sandbox.emails.find({ channel: "sms" }).map((one) => one.to);
  expect(texts).toEqual([optedInAgain]);
});

test("editDocumentRecipient refuses a phone number that opted out, and changes nothing", async () => {
  const world = await testWorld();
  const [optedOut, optedInAgain] = await phonesOf(world);
  const id = await aDraft(world);
  const recipient_id = world.sandbox.documents.get(id)?.recipients[0]?.id ?? "";
  const edit = (phone: string | undefined) =>
    world.call("editDocumentRecipient", { params: { id, recipient_id }, body: { phone } });
  const before = world.tenant.store.snapshot();
  expect(await edit(optedOut)).toMatchObject({
    status: 400,
    body: { type: "request_error", detail: { phone: ["This phone number has opted out of text messages."] } },
  });
  expect(world.tenant.store.snapshot()).toEqual(before);
  expect((await edit(optedInAgain)).status).toBe(204);
});
