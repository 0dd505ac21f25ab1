/** The types that users write scenarios with say what the schema says: the compiler is the test, and this file what it compiles. */
import { expect, test } from "vitest";
import type * as z from "zod";
import { fileTypes } from "../../docs/file-types.ts";
import type { fixtures } from "../../src/domain/seeding/inputs.ts";
import type { ruleSchema, scenarioSchema } from "../../src/scenario/schema.ts";
import type { FixturesFile, RuleFile, ScenarioFile } from "../../src/scenario/file-types.ts";

type Fits<A, B> = [A] extends [B] ? true : false;

type ScenarioInput = z.input<ReturnType<typeof scenarioSchema>>;
type RuleInput = z.input<ReturnType<typeof ruleSchema>>;

const FITS: [
  Fits<ScenarioFile, ScenarioInput>,
  // Seed data has places that the schema makes fit before it checks them, and so takes anything at first.
  Fits<Omit<ScenarioInput, "world">, Omit<ScenarioFile, "world">>,
  Fits<RuleFile, RuleInput>,
  Fits<RuleInput, RuleFile>,
  Fits<FixturesFile, z.input<ReturnType<typeof fixtures>>>,
] = [true, true, true, true, true];

test("the types of files are those of the schemas, and need nothing", () => {
  expect(FITS).toEqual([true, true, true, true, true]);
  expect(fileTypes()).not.toMatch(/\bimport\b|: any\b/);
});
