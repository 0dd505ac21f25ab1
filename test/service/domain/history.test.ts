import { expect, test } from "vitest";
import { aDraft, aSentDocument, simulate } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

test("one counter orders the history of all documents, also after a document went and its entries stayed", async () => {
  const world = await testWorld();
  const first = await aSentDocument(world);
  const second = await aDraft(world);
  await simulate(world, first, "comment", { text: "Hello" });
  await world.call("deleteDocument", { params: { id: second } });
  await simulate(world, first, "sign");
  const numbers = world.tenant.store.history.all().map((row) => row.n);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  const timeline = (await world.admin("GET", `/documents/${first}/timeline`)).body.timeline ?? [];
  const acts = timeline.flatMap((one: { act?: string; status?: string }) => one.act ?? one.status ?? []);
  expect(acts.filter((one: string) => ["comment", "sign", "document.sent", "document.completed"].includes(one))).toEqual([
    "document.sent",
    "comment",
    "sign",
    "document.completed",
  ]);
});
