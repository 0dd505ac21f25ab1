/** Bodies of the wrong form, and writes without a body: two laws over all operations. */
import { describe, expect, test } from "vitest";
import { definitionOf, innermost } from "../../../src/engine/core/schema-parts.ts";
import { type OperationId, operations } from "../../../src/service/api/index.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { testWorld } from "../../support/world.ts";

const WITH_JSON = operations.filter(({ body, bodyKind }) => body && bodyKind === undefined);

const isList = (body: (typeof operations)[number]["body"]) => definitionOf(innermost(body?.() as never))?.type === "array";

describe.each(WITH_JSON.map(({ id, body }) => ({ id: id as OperationId, isList: isList(body) })))("$id", ({ id, isList }) => {
  test("refuses a body of the wrong form, and shows the right one", async () => {
    const world = await testWorld();
    const options = await VALID_CALLS[id](world);
    for (const body of [isList ? {} : [], ["x"], 7]) {
      const answer = await world.call(id, { ...options, body });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("x-docdouble-why")).toMatch(isList ? /send \[.+\]/ : /send \{.*\}/);
    }
  });

  test("refuses a call without a body, or client lint reports it", async () => {
    const world = await testWorld();
    const { body: _, ...options } = await VALID_CALLS[id](world);
    const answer = await world.call(id, options);
    const found = world.sandbox.lint().filter((one) => one.kind === "missing_body" && one.place.operation === id);
    const isOptional = operations.find((one) => one.id === id)?.bodyOptional === true;
    expect(found).toHaveLength(answer.status < 300 && !isOptional ? 1 : 0);
  });
});

test("the form of a member stands in the refusal too", async () => {
  const world = await testWorld();
  const why = async (body: object) => (await world.call("createDocument", { body })).headers.get("x-docdouble-why");
  expect(await why({ name: "A", recipients: {} })).toContain("recipients is [{");
  const deleted = await world.call("bulkDeleteDocuments", { body: { ids: ["x"] } });
  expect(deleted.headers.get("x-docdouble-why")).toContain('send [{"id": "text"}]');
  const listed = await world.call("bulkDeleteDocuments", { body: ["x"] });
  expect(listed.headers.get("x-docdouble-why")).toContain('send [{"id": "text"}]');
});
