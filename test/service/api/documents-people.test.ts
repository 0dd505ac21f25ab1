/** Public reports about sections, roles and date fields (B), and combinations of calls (C), by row. */
import { expect, test } from "vitest";
import { aDraft, simulate, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const details = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;

test("a date field with autofilled is listed so, and takes the day of signing", async () => {
  const id = await aDraft(world);
  const { recipients } = await details(world, id);
  const layout = { page: 1, position: { offset_x: 1, offset_y: 1, anchor_point: "topleft" }, style: { width: 100, height: 20 } };
  const field = { type: "date", settings: { autofilled: true, required: false }, assigned_to: recipients[0].id, layout };
  await succeed(world.call("createDocumentFields", { params: { id }, body: { fields: [field] } }));
  const listed = async () => (await succeed(world.call("listDocumentFields", { params: { id } }))).body.fields.at(-1);
  expect(await listed()).toMatchObject({ settings: { autofilled: true }, value: null });
  await succeed(world.call("sendDocument", { params: { id }, body: {} }));
  await world.advance("3d");
  await simulate(world, id, "sign");
  expect(await listed()).toMatchObject({ value: "2026-03-05", is_filled: true });
});
