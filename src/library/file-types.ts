/**
 * The types of scenario and fixtures files inside docdouble. For users, the build writes this file from the JSON Schema, so that the
 * types need no zod and have the sentences of the editor.
 */
import type * as z from "zod";
import type { duration, matcher } from "../engine/scenario/matchers-schema.ts";
import type { expectSchema } from "../engine/scenario/expect-schema.ts";
import type { ruleSchema, webhookRule } from "../engine/scenario/rule-schema.ts";
import type { assumeSchema, scenarioSchema } from "../engine/scenario/schema.ts";
import type { FixturesFile } from "../service/service.ts";
import type { words } from "../service/words.ts";

export type { FixturesFile, OperationId, PageName } from "../service/service.ts";
export type DocumentStatus = (typeof words.statuses)[number];
export type EventName = (typeof words.events)[number];
export type Act = (typeof words.acts)[number];
export type Duration = z.input<ReturnType<typeof duration>>;
export type TemplateFile = NonNullable<FixturesFile["templates"]>[number];
export type Matcher = z.input<ReturnType<typeof matcher>>;
export type RuleFile = z.input<ReturnType<typeof ruleSchema>>;
export type WebhookRuleFile = z.input<ReturnType<typeof webhookRule>>;
export type ExpectFile = z.input<ReturnType<typeof expectSchema>>;
export type AssumeFile = z.input<ReturnType<typeof assumeSchema>>;
/** The engine does not know the fixtures of a service. */
export type ScenarioFile = Omit<z.input<ReturnType<typeof scenarioSchema>>, "world"> & { world?: FixturesFile | undefined };
