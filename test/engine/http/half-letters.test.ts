/** Texts that JSON can hold and addresses cannot: halves of a letter of two units. And letters that count as several units. */
import { expect, test } from "vitest";
import { testWorld } from "../../support/world.ts";

const HALF = "\ud800";

test("a scenario whose name holds half a letter has its page", async () => {
  const world = await testWorld();
  expect((await world.admin("POST", "/scenarios", { version: 1, name: `a${HALF}`, rules: [] })).status).toBe(201);
  expect((await world.request("GET", "/__admin/?view=scenarios")).status).toBe(200);
});

test("a pattern that is too long in units is refused, also when its letters are few", async () => {
  const world = await testWorld();
  const regex = "👩‍👩‍👧‍👦".repeat(50);
  const refused = await world.admin("POST", "/requests/count", { path: { regex } });
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    expect.stringContaining("has 550 characters. At most 500 are allowed"),
  ]);
});
