/**
 * The types of scenario and fixtures files inside docdouble. For users, the build writes this file from the JSON Schema, so that the
 * types need no zod and have the sentences of the editor.
 */
import type * as z from "zod";
import type { duration } from "../engine/scenario/matchers-schema.ts";
import type { assumeSchema, expectSchema, webhookRule } from "../engine/scenario/later-schema.ts";
import type { ruleSchema, scenarioSchema } from "../engine/scenario/schema.ts";
import type { OperationId } from "../service/api/index.ts";
import type { EVENTS, STATUSES } from "../service/model/documents/status-machine.ts";
import type { ACTS } from "../service/model/signing/acts.ts";
import type { fixtures } from "../service/model/world/inputs.ts";
import type { PAGE_IDS } from "../service/pages/page-call.ts";

export type { OperationId };
export type DocumentStatus = (typeof STATUSES)[number];
export type EventName = (typeof EVENTS)[number];
export type Act = (typeof ACTS)[number];
export type PageName = (typeof PAGE_IDS)[number];
export type Duration = z.input<ReturnType<typeof duration>>;
export type FixturesFile = z.input<ReturnType<typeof fixtures>>;
export type TemplateFile = NonNullable<FixturesFile["templates"]>[number];
export type RuleFile = z.input<ReturnType<typeof ruleSchema>>;
export type WebhookRuleFile = z.input<ReturnType<typeof webhookRule>>;
export type ExpectFile = z.input<ReturnType<typeof expectSchema>>;
export type AssumeFile = z.input<ReturnType<typeof assumeSchema>>;
/** The engine does not know the fixtures of a service. */
export type ScenarioFile = Omit<z.input<ReturnType<typeof scenarioSchema>>, "world"> & { world?: FixturesFile | undefined };
