import { expect, test } from "vitest";
import { KEY, testWorld } from "../support/world.ts";

test("each journal entry has the headers of its call, and consecutive equal headers share one object", async () => {
  const world = await testWorld();
  const list = (headers: Record<string, string>) => world.request("GET", "/public/v1/templates", { headers });
  for (const run of ["1", "1", "2", undefined, "1"]) await list(run === undefined ? {} : { "x-run": run });
  const sent = world.tenant.journal.all().map((entry) => entry.headers);
  expect(sent.map((headers) => headers["x-run"])).toEqual(["1", "1", "2", undefined, "1"]);
  expect(sent[1]).toBe(sent[0]);
});

test.each(["a call without a socket", "a call over a socket"])("%s keeps a header named constructor", async (way) => {
  const world = await testWorld({ port: 0 });
  const address = `${way.endsWith("over a socket") ? world.sandbox.url : ""}/public/v1/templates`;
  const send = way.endsWith("over a socket") ? fetch : world.sandbox.fetch;
  const named = { authorization: `API-Key ${KEY}`, constructor: "x" };
  for (const headers of [{ authorization: named.authorization }, named, { authorization: named.authorization }])
    await (await send(address, { headers: new Headers(headers) })).text();
  const sent = world.tenant.journal.all().map((entry) => Object.hasOwn(entry.headers, "constructor"));
  expect(sent).toEqual([false, true, false]);
});
