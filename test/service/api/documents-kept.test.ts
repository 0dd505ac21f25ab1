/** docdouble caches some answers. These tests change the data in between and expect current answers. */
import { expect, test } from "vitest";
import { aDraft, statusOf, simulate } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

async function detailsOf(world: TestWorld, id: string) {
  return (await world.call("detailsDocument", { params: { id } })).body;
}

test("detailsDocument shows a lock only until the lock ends", async () => {
  const world = await testWorld();
  const id = await aDraft(world);
  expect((await detailsOf(world, id)).lock).toBeNull();
  await simulate(world, id, "lock");
  expect((await detailsOf(world, id)).lock).toMatchObject({ lock_type: expect.any(String) });
  await world.advance("1d");
  expect((await detailsOf(world, id)).lock).toBeNull();
});

test("statusDocument shows a new status at once, even when another world has the same document id", async () => {
  const [world, twin] = [await testWorld({ seed: 1 }), await testWorld({ seed: 1 })];
  const id = await aDraft(world);
  expect(await aDraft(twin)).toBe(id);
  expect(await statusOf(world, id)).toBe("document.draft");
  await world.call("sendDocument", { params: { id }, body: {} });
  expect([await statusOf(world, id), await statusOf(twin, id)]).toEqual(["document.sent", "document.draft"]);
});
