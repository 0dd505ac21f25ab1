/** Checks that the types of scenario files fit the schemas. The compiler checks them when it compiles this file. */
import { expect, test } from "vitest";
import type * as z from "zod";
import { fileTypes } from "../../../docs/file-types.ts";
import type { fixtures } from "../../../src/service/model/world/inputs.ts";
import type { ruleSchema, scenarioSchema } from "../../../src/engine/scenario/schema.ts";
import type { FixturesFile, RuleFile, ScenarioFile } from "../../../src/library/file-types.ts";

type Fits<A, B> = [A] extends [B] ? true : false;

type ScenarioInput = z.input<ReturnType<typeof scenarioSchema>>;
type RuleInput = z.input<ReturnType<typeof ruleSchema>>;
/** `call.per` names the noun of the service, which the type of the schema does not know. */
type WithoutPer<Rule extends { when?: { call?: object | undefined } | undefined }> = Omit<Rule, "when"> & {
  when?: Omit<NonNullable<Rule["when"]>, "call" | "document"> | undefined;
};

const FITS: [
  Fits<ScenarioFile, ScenarioInput>,
  Fits<RuleFile, RuleInput>,
  Fits<WithoutPer<RuleInput>, WithoutPer<RuleFile>>,
  Fits<FixturesFile, z.input<ReturnType<typeof fixtures>>>,
] = [true, true, true, true];

test("the types of files fit the schemas, and need no import and no `any`", () => {
  expect(FITS).toEqual([true, true, true, true]);
  expect(fileTypes()).not.toMatch(/\bimport\b|: any\b/);
});
