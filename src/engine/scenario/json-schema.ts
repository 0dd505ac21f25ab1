import type * as z from "zod";
import { registry, toJSONSchema } from "../core/json-schemas.ts";
import { expectSchema } from "./expect-schema.ts";
import type { Schema } from "../core/operation.ts";
import type { Language } from "./language.ts";
import { describeMembers, type JsonSchema } from "./describe-schema.ts";
import { duration, requestWhen, subjectMatcher, writtenMatcher } from "./matchers-schema.ts";
import { ruleSchema, webhookRule } from "./rule-schema.ts";
import { actorSchema, assumeSchema, progression, scenarioSchema, timerSchema } from "./schema.ts";

const DURATION = "[0-9]+([.][0-9]{1,3})?(ms|s|m|h|d)";
const DURATION_PATTERN = `^\\s*${DURATION}\\s*$`;
/** Its check knows more of calendars. */
const INSTANT = "[+-]?[0-9]{4}.*";

/** Texts that are times, by the path of the member. An editor then marks "2 sec" and "tomorrow". */
const PATTERNS: Readonly<Record<string, string>> = {
  "TimerFile.at": `^\\s*([+]?\\s*${DURATION}\\s*|${INSTANT})$`,
  "ActInputFile.at": `^\\s*(${DURATION}\\s*|${INSTANT})$`,
  "ActInputFile.expires_in": DURATION_PATTERN,
  "ScenarioFile.clock.now": `^\\s*${INSTANT}$`,
};

function addPatterns(root: JsonSchema): void {
  for (const [path, pattern] of Object.entries(PATTERNS)) {
    const [part = "", ...names] = path.split(".");
    const start = part === "ScenarioFile" ? root : (root.$defs as Record<string, JsonSchema> | undefined)?.[part];
    const member = names.reduce<JsonSchema | undefined>((at, name) => at?.properties?.[name], start);
    if (member?.type === "string") member.pattern = pattern;
  }
}

const partsOf = (language: Language): Record<string, Schema> => ({
  Duration: duration,
  Matcher: writtenMatcher,
  DocumentMatcher: () => subjectMatcher(language),
  RequestMatcher: () => requestWhen(language),
  ActInputFile: language.actInput,
  ProgressionFile: progression,
  RuleFile: () => ruleSchema(language),
  ActorFile: () => actorSchema(language),
  WebhookRuleFile: () => webhookRule(language),
  TimerFile: () => timerSchema(language),
  ExpectFile: () => expectSchema(language),
  AssumeFile: () => assumeSchema(language),
  ...language.fixtureParts,
  FixturesFile: language.fixtures,
});

/** @param operations ids that an editor proposes for `operation`. Without them, the schema accepts any text there */
export function scenarioJsonSchema(language: Language, operations: readonly string[] = []): object {
  const root = toJsonSchema(scenarioSchema(language), "docdouble scenario", language, partsOf(language));
  if (operations.length > 0) {
    nameOperations(root);
    root.$defs = {
      ...(root.$defs as object),
      OperationName: { anyOf: [{ enum: operations }, { type: "string", pattern: "[*]" }] },
    };
  }
  return root;
}

const OPERATION_NAME = { $ref: "#/$defs/OperationName" };

/** An operation is an id, a pattern with `*`, or a list of them. */
function nameOperations(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  const { operation } = ((schema as JsonSchema).properties ?? {}) as { operation?: JsonSchema };
  if (operation?.anyOf) operation.anyOf = [OPERATION_NAME, { type: "array", minItems: 1, items: OPERATION_NAME }];
  for (const inner of Object.values(schema)) nameOperations(inner);
}

export function fixturesJsonSchema(language: Language): object {
  return toJsonSchema(language.fixtures(), "docdouble fixtures", language, language.fixtureParts);
}

function toJsonSchema(schema: z.ZodType, title: string, language: Language, parts: Readonly<Record<string, Schema>>): JsonSchema {
  const metadata = registry<{ id: string }>();
  for (const [id, part] of Object.entries(parts)) metadata.add(part(), { id });
  const {
    "~standard": _,
    $schema,
    ...rest
  } = toJSONSchema(schema, { io: "input", unrepresentable: "any", metadata, override: describe }) as Record<string, unknown>;
  const root = { $schema, title, ...rest } as JsonSchema;
  const { Duration } = (root.$defs ?? {}) as Record<string, JsonSchema & { pattern?: string }>;
  // Editors then mark "2 sec". The reader also takes spaces around it.
  if (Duration) Duration.pattern = DURATION_PATTERN;
  addPatterns(root);
  describeAll(root, title, language);
  return root;
}

/** Keeps the sentences of `describe`, which a registry of names alone would leave out. */
function describe({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: { description?: string | undefined };
}): void {
  const { description } = zodSchema as z.ZodType;
  if (description !== undefined) jsonSchema.description ??= description;
}

/** Returns the keys of the sentences that apply. */
export function describeAll(root: JsonSchema, title: string, language: Language): Set<string> {
  const used = new Set<string>();
  const texts = language.hover;
  const defs = (root.$defs ?? {}) as Record<string, JsonSchema>;
  for (const [id, member] of Object.entries(defs.AssumeFile?.properties ?? {}))
    member.description = `The reading of ${id} to use. docdouble assumptions prints the readings.`;
  describeMembers(root, title === "docdouble fixtures" ? "FixturesFile" : "ScenarioFile", texts, used);
  for (const [id, part] of Object.entries(defs)) describeMembers(part, id, texts, used);
  return used;
}
