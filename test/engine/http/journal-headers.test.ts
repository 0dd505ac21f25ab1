import { expect, test } from "vitest";
import { KEY, testWorld } from "../../support/world.ts";

test("each journal entry has the headers of its call, and consecutive equal headers share one object", async () => {
  const world = await testWorld();
  const list = (headers: Record<string, string>) => world.request("GET", "/public/v1/templates", { headers });
  for (const run of ["1", "1", "2", undefined, "1"]) await list(run === undefined ? {} : { "x-run": run });
  const sent = world.tenant.journal.all().map((entry) => entry.headers);
  expect(sent.map((headers) => headers["x-run"])).toEqual(["1", "1", "2", undefined, "1"]);
  expect(sent[1]).toBe(sent[0]);
});

test.each([
  ["a call without a socket", false],
  ["a call over a socket", true],
])("%s keeps a header named constructor", async (_, hasSocket) => {
  const world = await testWorld({ port: 0 });
  const send = hasSocket ? fetch : world.sandbox.fetch;
  for (const isNamed of [false, true, false]) {
    const headers = new Headers({ authorization: `API-Key ${KEY}` });
    if (isNamed) headers.set("constructor", "x");
    await (await send(`${world.sandbox.url}/public/v1/templates`, { headers })).text();
  }
  const sent = world.tenant.journal.all().map((entry) => Object.hasOwn(entry.headers, "constructor"));
  expect(sent).toEqual([false, true, false]);
});
