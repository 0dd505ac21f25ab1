/** Tests JSON paths: the value that each form selects, and the forms that are refused. */
import { describe, expect, test } from "vitest";
import { jsonPath, parseJsonPath } from "../../../src/engine/scenario/json-path.ts";
import { lab } from "../../support/lab.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const VALUE = {
  name: "Offer",
  "a.b": 1,
  recipients: [
    { email: "a@x.example", role: "Client", order: 1 },
    { email: "b@x.example", role: "Director", order: 2, address: { email: "c@x.example" } },
  ],
  list: [[1, 2], [3]],
};

describe("jsonPath", () => {
  test.each<[string, unknown]>([
    ["$", VALUE],
    ["$.name", "Offer"],
    ["name", "Offer"],
    ["$['a.b']", 1],
    ['$["a.b"]', 1],
    ["$.recipients[1].email", "b@x.example"],
    ["$.recipients.1.email", "b@x.example"],
    ["$.recipients[2]", undefined],
    ["$.list[0]", [1, 2]],
    ["$.recipients[*].email", ["a@x.example", "b@x.example"]],
    ["$.recipients.*.order", [1, 2]],
    ["$..email", ["a@x.example", "b@x.example", "c@x.example"]],
    ["$..address.email", ["c@x.example"]],
    ["$..list[0]", [[1, 2]]],
    ["$.toString", undefined],
    ["$.name.length", undefined],
  ])("%s selects the right value", (path, found) => {
    expect(jsonPath(VALUE, path)).toEqual(found);
  });

  test.each(["$.", "$.a..", "$[", "$.a[?(@.b == 'c')]", "$.a[1:2]", "$.a b", "$.a["])("%s is refused", (path) => {
    expect(() => parseJsonPath(path)).toThrow(/cannot be read at .*; there are \$\.a\.b, \[0\], \['a\.b'\], \[\*\] and \.\.a/);
  });
});

test("a rule matches when one of several values at its path matches, and an invalid path is refused", async () => {
  const world = await lab({
    rules: [{ name: "ivo", when: { body: { "$.recipients[*].email": CLIENT.email } }, then: { error: "throttled" } }],
  });
  const create = (recipients: object[]) =>
    world.call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, name: "A", recipients } });
  expect((await create([CLIENT])).status).toBe(429);
  expect((await create([{ ...CLIENT, email: "other@client.example" }])).status).toBe(201);
  const bad = await world.admin("POST", "/rules", { name: "x", when: { body: { "$.a[1:2]": 1 } }, then: { error: "throttled" } });
  expect(bad).toMatchObject({ status: 400, body: { detail: expect.stringContaining('cannot be read at "[1:2]"') } });
});

describe("adminCountRequests", () => {
  test.each<[object, string]>([
    [{ pth: "/x" }, 'did you mean \\"path\\"?'],
    [{ headers: { a: { equls: "x" } } }, 'unknown name \\"equls\\"'],
    [{ body: { "$.a[1:2]": "x" } }, "cannot be read"],
    [{ body: { "$.a": { contans: "x" } } }, 'did you mean \\"contains\\"?'],
    [{ document: { naem: "x" } }, "unknown document member"],
    [{ method: "GETT" }, "GETT"],
    [{ call: { nth: 1 } }, 'unknown name \\"call\\"'],
  ])("refuses %j instead of matching everything", async (pattern, words) => {
    const world = await testWorld();
    await world.call("createDocument", { body: {} });
    const answer = await world.admin("POST", "/requests/count", pattern);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(words);
    expect(() => world.sandbox.journal.count(pattern)).toThrow(words.replaceAll("\\", ""));
  });
});
