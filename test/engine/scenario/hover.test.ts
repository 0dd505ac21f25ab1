/** Tests that every member of scenario and fixtures files has a hover text for editors. */
import { service } from "../../../src/service/service.ts";
import { describe, expect, test } from "vitest";
import { describeMembers, type JsonSchema } from "../../../src/engine/scenario/describe-schema.ts";
import { describeAll, fixturesJsonSchema, scenarioJsonSchema } from "../../../src/engine/scenario/json-schema.ts";

const SCHEMAS = { "docdouble scenario": scenarioJsonSchema, "docdouble fixtures": fixturesJsonSchema };

/** The paths of members without a description. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, JsonSchema> };
  return [
    ...Object.entries(properties).flatMap(([name, one]) => (one.description ? [] : [`${path}.${name}`])),
    ...Object.entries(schema).flatMap(([name, one]) => undescribed(one, `${path}.${name}`)),
  ];
}

describe("hover text", () => {
  test.each(Object.entries(SCHEMAS))("each member of the schema %s has a description", (title, schema) => {
    const root = schema(service.language) as JsonSchema;
    expect(undescribed(root, title)).toEqual([]);
    expect(undescribed({ properties: { fresh: { type: "string" } } }, "A")).toEqual(["A.fresh"]);
  });

  test("each hover text is used, ends with a full stop or code, and fits on one line", () => {
    const used = Object.entries(SCHEMAS).flatMap(([title, schema]) => [
      ...describeAll(schema(service.language) as JsonSchema, title, service.language),
    ]);
    const texts = service.language.hover;
    expect(Object.keys(texts).filter((key) => !used.includes(key))).toEqual([]);
    for (const text of Object.values(texts)) expect(text).toMatch(/^[A-Z`].{3,140}[.`]$/);
  });

  test("the text with the longest matching path wins", () => {
    const schema: JsonSchema = { properties: { a: { items: { properties: { name: {} } } }, name: {} } };
    describeMembers(schema, "Root", { "*.name": "Any.", "*.a.name": "Inner.", "Root.a": "The list." });
    expect(schema).toEqual({
      properties: {
        a: { description: "The list.", items: { properties: { name: { description: "Inner." } } } },
        name: { description: "Any." },
      },
    });
  });
});
