/** Compares the partial schema for the members of one file with the schema of all members. */
import { service } from "../../../src/service/service.ts";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { z } from "zod";
import { fixtures, fixturesFor } from "../../../src/service/world/inputs.ts";
import { scenarioFor, scenarioSchema } from "../../../src/engine/scenario/schema.ts";

const { language } = service;

const read = (file: string): unknown => parse(readFileSync(file, "utf8"));
const SCENARIOS = readdirSync("scenarios").filter((name) => name.endsWith(".yaml"));

function expectSame(whole: z.ZodType, part: z.ZodType, raw: unknown): void {
  const [expected, actual] = [whole.safeParse(raw), part.safeParse(raw)];
  expect({ raw, success: actual.success, data: actual.data }).toEqual({ raw, success: expected.success, data: expected.data });
}

/** All versions of `value` with one change: a missing part, a part of another type, or an additional unknown name. */
function* changesOf(value: unknown): Generator<unknown> {
  yield 1;
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    yield {};
    for (const [i, one] of value.entries()) for (const changed of changesOf(one)) yield value.toSpliced(i, 1, changed);
    return;
  }
  yield [];
  yield { ...value, unknown_name: 1 };
  for (const [name, one] of Object.entries(value)) {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    yield rest;
    for (const changed of changesOf(one)) yield { ...rest, [name]: changed };
  }
}

test.each([...SCENARIOS])("scenarioFor reads %s like scenarioSchema, and both treat each changed version alike", (name) => {
  const raw = read(`scenarios/${name}`);
  for (const one of [raw, ...changesOf(raw)]) expectSame(scenarioSchema(language), scenarioFor(language, one), one);
});

test("fixturesFor reads the built-in fixtures like fixtures, and both treat each changed section alike", () => {
  const raw = read("fixtures/default.json") as Record<string, unknown[]>;
  expectSame(fixtures(), fixturesFor(raw), raw);
  for (const [name, [first]] of Object.entries(raw))
    for (const one of changesOf({ [name]: [first] })) expectSame(fixtures(), fixturesFor(one), one);
});

test.each([undefined, null, "text", [], [{ templates: [] }], {}, { templates: null }, { templates: ["text"] }, { world: [] }])(
  "the partial and the complete schema treat %j alike",
  (raw) => {
    expectSame(fixtures(), fixturesFor(raw), raw);
    expectSame(scenarioSchema(language), scenarioFor(language, raw), raw);
  },
);
