import { expect, test } from "vitest";
import { testWorld } from "../support/world.ts";

test("each journal entry has the headers of its call, and consecutive equal headers share one object", async () => {
  const world = await testWorld();
  const list = (headers: Record<string, string>) => world.request("GET", "/public/v1/templates", { headers });
  for (const run of ["1", "1", "2", undefined, "1"]) await list(run === undefined ? {} : { "x-run": run });
  const sent = world.tenant.journal.all().map((entry) => entry.headers);
  expect(sent.map((headers) => headers["x-run"])).toEqual(["1", "1", "2", undefined, "1"]);
  expect(sent[1]).toBe(sent[0]);
});
