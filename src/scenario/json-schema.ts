/** The JSON Schemas of scenario and fixtures files, for editors. They describe the input, before defaults and conversions. */
import * as z from "zod";
import { fixtures, quoteFixture, templateFixture } from "../domain/seeding/inputs.ts";
import { assumeSchema, expectSchema, timerSchema, webhookRule } from "./later-schema.ts";
import { actInput } from "../domain/signing/inputs.ts";
import { documentMatcher, duration, matcher, requestWhen } from "./matchers-schema.ts";
import { actorSchema, progression, ruleSchema, scenarioSchema } from "./schema.ts";

/** Schemas that are used more than once, or need a name in an editor. */
const PARTS = {
  Duration: duration,
  Matcher: matcher,
  DocumentMatcher: documentMatcher,
  RequestMatcher: requestWhen,
  ActInputFile: actInput,
  ProgressionFile: progression,
  RuleFile: ruleSchema,
  ActorFile: actorSchema,
  WebhookRuleFile: webhookRule,
  TimerFile: timerSchema,
  ExpectFile: expectSchema,
  AssumeFile: assumeSchema,
  QuoteFile: quoteFixture,
  TemplateFile: templateFixture,
  FixturesFile: fixtures,
};

export function scenarioJsonSchema(): object {
  return toJsonSchema(scenarioSchema(), "docdouble scenario", Object.keys(PARTS));
}

export function fixturesJsonSchema(): object {
  return toJsonSchema(fixtures(), "docdouble fixtures", ["QuoteFile", "TemplateFile"]);
}

function toJsonSchema(schema: z.ZodType, title: string, names: readonly string[]): object {
  const metadata = z.registry<{ id: string }>();
  for (const [id, part] of Object.entries(PARTS)) if (names.includes(id)) metadata.add(part(), { id });
  const {
    "~standard": _,
    $schema,
    ...rest
  } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", metadata }) as Record<string, unknown>;
  return { $schema, title, ...rest };
}
