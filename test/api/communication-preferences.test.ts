import { expect, test } from "vitest";
import { anotherWorkspace } from "../support/people.ts";
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
      { phone_number: a, status: "opt-out", opt_out_changed: "2026-03-02T08:50:00.000000Z" },
      { phone_number: b, status: "opt-in", opt_out_changed: "2026-03-02T08:40:00.000000Z" },
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
      { phone_number: b, status: "opt-out", opt_out_changed: "2026-03-02T08:10:00.000000Z" },
      { phone_number: c, status: "opt-out", opt_out_changed: "2026-03-02T06:00:00.000000Z" },
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
