/** Two spellings of one meaning give no difference, and another meaning in each of them does. */
import { describe, expect, test } from "vitest";
import { compareDescriptions, toLine } from "../../../bench/drift/compare.ts";

type Schema = Record<string, unknown>;

const SHARED = { Person: { type: "object", required: ["name"], properties: { name: { type: "string" } } } };

function description(schema: Schema): Schema {
  return {
    openapi: "3.1.0",
    paths: { "/a": { get: { responses: { 200: { content: { "application/json": { schema } } } } } } },
    components: { schemas: SHARED },
  };
}

const linesOf = (ours: Schema, theirs: Schema): string[] =>
  compareDescriptions(description(ours), description(theirs)).map((one) => toLine(one).replace(/^(\w+) GET \/a /, "$1 "));

const text = { type: "string" };
const person = { $ref: "#/components/schemas/Person" };

describe("compareDescriptions", () => {
  test.each<[string, Schema, Schema]>([
    ["nullable and a list of types", { type: "string", nullable: true }, { type: ["string", "null"] }],
    ["nullable and a union with null", { type: "string", nullable: true }, { anyOf: [text, { type: "null" }] }],
    ["nullable beside allOf, and a union with null", { nullable: true, allOf: [person] }, { oneOf: [person, { type: "null" }] }],
    [
      "a null among the values, and nullable",
      { type: "string", enum: ["a", null] },
      { type: "string", enum: ["a"], nullable: true },
    ],
    ["const and an enum of one value", { const: "a" }, { type: "string", enum: ["a"] }],
    ["a union of constants, and an enum", { anyOf: [{ const: "a" }, { const: "b" }] }, { type: "string", enum: ["b", "a"] }],
    ["a reference and the schema itself", person, SHARED.Person],
    ["one schema in a union, and the schema itself", { oneOf: [person] }, person],
    [
      "a nested union, and a flat one",
      { anyOf: [{ oneOf: [text, { type: "number" }] }, { type: "null" }] },
      { type: ["number", "string", "null"] },
    ],
    [
      "parts under allOf, and one object",
      { allOf: [person, { properties: { age: { type: "integer" } } }] },
      { type: "object", required: ["name"], properties: { age: { type: "integer" }, name: text } },
    ],
    ["an object with and without its type", { properties: { name: text } }, { type: "object", properties: { name: text } }],
    ["a free object, and additionalProperties", { type: "object" }, { type: "object", additionalProperties: {} }],
    [
      "additionalProperties true and {}",
      { type: "object", additionalProperties: true },
      { type: "object", additionalProperties: {} },
    ],
    ["integer or number, and number", { anyOf: [{ type: "integer" }, { type: "number" }] }, { type: "number" }],
    ["the formats url and uri", { type: "string", format: "url" }, { type: "string", format: "uri" }],
    ["formats of numbers", { type: "integer", format: "int32" }, { type: "integer" }],
    ["bounds that every safe integer keeps", { type: "integer", maximum: Number.MAX_SAFE_INTEGER }, { type: "integer" }],
    [
      "exclusiveMinimum as boolean and as number",
      { type: "number", minimum: 0, exclusiveMinimum: true },
      { type: "number", exclusiveMinimum: 0 },
    ],
    [
      "a repeated format in a union",
      {
        anyOf: [
          { type: "string", format: "email" },
          { type: "string", format: "email" },
        ],
      },
      { type: "string", format: "email" },
    ],
  ])("reads %s as one meaning", (_, ours, theirs) => {
    expect(linesOf(ours, theirs)).toEqual([]);
    expect(linesOf(theirs, ours)).toEqual([]);
  });

  test.each<[string, Schema, Schema, string]>([
    ["null", text, { type: "string", nullable: true }, 'value 200 type: ["null","string"] in the file, ["string"] in docdouble'],
    [
      "a null among the values",
      { enum: ["a"] },
      { enum: ["a", null] },
      'value 200 type: ["null","string"] in the file, ["string"] in docdouble',
    ],
    ["a value", { enum: ["a"] }, { const: "b" }, 'value 200 enum: ["\\"b\\""] in the file, ["\\"a\\""] in docdouble'],
    [
      "a type in a union",
      { type: ["string", "null"] },
      { anyOf: [text, { type: "number" }, { type: "null" }] },
      'value 200 type: ["null","number","string"] in the file, ["null","string"] in docdouble',
    ],
    [
      "a member behind a reference",
      SHARED.Person,
      { allOf: [person, { properties: { age: { type: "integer" } } }] },
      "member 200.age: only in the file",
    ],
    [
      "a format",
      { type: "string", format: "uri" },
      { type: "string", format: "email" },
      'value 200 format: "email" in the file, "uri" in docdouble',
    ],
    [
      "a required member",
      SHARED.Person,
      { type: "object", properties: { name: text } },
      "value 200.name required: false in the file, true in docdouble",
    ],
    [
      "a bound that becomes exclusive",
      { type: "number", exclusiveMinimum: 0 },
      { type: "number", exclusiveMinimum: 1 },
      "value 200 exclusiveMinimum: 1 in the file, 0 in docdouble",
    ],
    [
      "further members",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: { type: "number" } },
      'value 200.* type: ["number"] in the file, ["string"] in docdouble',
    ],
    ["a closed object", { type: "object" }, { type: "object", additionalProperties: false }, "member 200.*: only in docdouble"],
  ])("reports exactly %s", (_, ours, theirs, line) => {
    expect(linesOf(ours, theirs)).toEqual([line]);
  });

  test("lets a parameter of an operation replace one of its path, and counts path parameters in the order of the path", () => {
    const of = (item: Schema, get: Schema) => ({
      openapi: "3.0.3",
      paths: { "/a/{one}/{two}": { ...item, get: { ...get, responses: {} } } },
    });
    const [one, two] = ["one", "two"].map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
    const inOrder = of({}, { parameters: [one, two] });
    expect(compareDescriptions(inOrder, of({ parameters: [two, one] }, { parameters: [one] }))).toEqual([]);
    const limited = { ...two, schema: { type: "string", maxLength: 5 } };
    expect(compareDescriptions(inOrder, of({ parameters: [two, one] }, { parameters: [limited] })).map(toLine)).toEqual([
      "value GET /a/{}/{} path[1] maxLength: 5 in the file, absent in docdouble",
    ]);
  });
});
