/** The strict schema of the scenario file. Checks, the editor's JSON Schema and the types derive from it. */
import * as z from "zod";
import { whyUnsendable } from "../core/header.ts";
import { CLOCK_MODES, DURATION_S_MAX } from "../core/time-limits.ts";
import type { Assume } from "../assumptions/switches.ts";
import { lazy, shapeOf } from "../core/operation.ts";
import { DELAY_MS_MAX, ERROR_KINDS, HOLD_MS, NETWORK_FAULTS, STALE_MS_MAX } from "./effect.ts";
import { type Language, perLanguage } from "./language.ts";
import { checkActInput } from "./refinements.ts";
import { patchSchema } from "./patch-schema.ts";
import { assumeSchema, expectSchema, timerSchema, webhookRule } from "./later-schema.ts";
import { clockSpeed, duration, instantText, matcher, requestWhen, subjectMatcher } from "./matchers-schema.ts";

const count = () => z.number().int().min(1);

/** A false length makes the client wait, or read the next answer as part of this answer. */
const FRAMING = new Set(["content-length", "transfer-encoding"]);

function requireSendable(headers: Record<string, string>, context: z.core.$RefinementCtx): void {
  for (const [name, value] of Object.entries(headers)) {
    const message = FRAMING.has(name.toLowerCase())
      ? `docdouble sends ${name} itself; to cut an answer use network: truncate`
      : whyUnsendable(name, value);
    if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
  }
}

/** The answer of a rule, or of a handler of the test. */
export const respondSchema = () =>
  z.strictObject({
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).superRefine(requireSendable).default({}),
    body: z.unknown().optional(),
  });

/** What decides the answer. */
const ANSWERS = ["error", "respond", "network", "patch", "stale"] as const;
const OTHER_EFFECTS = ["hold", "delay", "rate_limit", "processing"] as const;

export const ruleSchema = perLanguage((language) =>
  z.strictObject({
    name: z.string().min(1),
    when: requestWhen(language).omit({ status: true }).default({}),
    then: z
      .strictObject({
        error: z.enum(ERROR_KINDS).optional(),
        detail: z.string().optional(),
        retry_after: duration().optional(),
        lock: z.strictObject({ by: z.string().optional(), expires_in: duration().optional() }).optional(),
        respond: respondSchema().optional(),
        network: z.enum(NETWORK_FAULTS).optional(),
        phase: z.enum(["before", "after"]).default("before"),
        delay: z.union([duration(), z.strictObject({ min: duration(), max: duration() })]).optional(),
        rate_limit: z.strictObject({ limit: count(), window: duration() }).optional(),
        processing: duration().optional(),
        patch: patchSchema().optional(),
        stale: duration().optional(),
        hold: z
          .strictObject({
            until: z.strictObject({ operation: z.union([z.string(), z.array(z.string()).min(1)]), nth: count().default(1) }),
            at_most: duration().default(HOLD_MS),
          })
          .optional(),
        times: count().optional(),
        fallthrough: z.boolean().optional(),
        undeclared: z.boolean().optional(),
        lasting: z.boolean().optional(),
      })
      .superRefine((then, context) => {
        const used = ANSWERS.filter((kind) => then[kind] !== undefined);
        // A patch may change what a stale read answers.
        const isPair = used.length === 2 && used.includes("patch") && used.includes("stale");
        if (used.length > 1 && !isPair)
          context.addIssue({ code: "custom", path: [used[1] as string], message: `write only one of ${used.join(" and ")}` });
        if (used.length === 0 && !OTHER_EFFECTS.some((name) => then[name] !== undefined))
          context.addIssue({
            code: "custom",
            message: `does nothing; give one of ${[...ANSWERS, ...OTHER_EFFECTS].join(", ")}`,
          });
        const needs = (name: "detail" | "retry_after" | "lock" | "undeclared" | "lasting", error: string, holds: boolean) => {
          if (then[name] !== undefined && !holds)
            context.addIssue({ code: "custom", path: [name], message: `${name} needs ${error}` });
        };
        needs("detail", "error", then.error !== undefined);
        needs("retry_after", "error: throttled", then.error === "throttled");
        needs("lock", "error: locked", then.error === "locked");
        needs("lasting", "error: not_found or unauthorized", then.error === "not_found" || then.error === "unauthorized");
        needs("undeclared", "error or respond", then.error !== undefined || then.respond !== undefined);
        const limited = (path: string[], ms: number | undefined, max: number, message: string) => {
          if ((ms ?? 0) > max) context.addIssue({ code: "custom", path, message });
        };
        limited(["hold", "at_most"], then.hold?.at_most, DELAY_MS_MAX, "is at most 30s, because a real clock makes it real time");
        limited(["stale"], then.stale, STALE_MS_MAX, "is at most 1h, because docdouble remembers no longer time");
        if (then.stale === 0) context.addIssue({ code: "custom", path: ["stale"], message: "must be longer than 0" });
        const longest = typeof then.delay === "object" ? then.delay.max : (then.delay ?? 0);
        if (longest > DELAY_MS_MAX)
          context.addIssue({
            code: "custom",
            path: ["delay"],
            message: "is real time, and at most 30s; what shall take longer is for the clock",
          });
        if (typeof then.delay === "object" && then.delay.max < then.delay.min)
          context.addIssue({ code: "custom", path: ["delay", "max"], message: "max is less than min" });
      }),
  }),
);

const step = perLanguage((language) =>
  z
    .strictObject({
      after: duration().default(0),
      do: z.enum(language.acts),
      with: language.actInput().default({}),
    })
    .superRefine((one, context) => checkActInput(language, one.do, one.with, context)),
);

const participantMatcher = perLanguage(({ participantFacts }) =>
  z.strictObject(Object.fromEntries(participantFacts.map((name) => [name, matcher().optional()]))),
);

export const actorSchema = perLanguage((language) =>
  z.strictObject({
    name: z.string().min(1),
    on: z.union([z.enum(language.triggers), z.array(z.enum(language.triggers)).min(1)]),
    document: subjectMatcher(language).default({}),
    recipient: participantMatcher(language).optional(),
    steps: z.array(step(language)).min(1),
  }),
);

function actsOrUsual({ acts, usualAct }: Language) {
  return z.union([z.enum(acts), z.array(z.enum(acts)).min(1)]).default(usualAct);
}

export const substituteSchema = perLanguage((language) =>
  z
    .strictObject({
      of: actsOrUsual(language),
      document: subjectMatcher(language).default({}),
      recipient: participantMatcher(language).default({}),
      do: z.union([z.enum(language.acts), z.literal("nothing")]),
      with: language.actInput().default({}),
    })
    .superRefine((one, context) => {
      if (one.do !== "nothing") checkActInput(language, one.do, one.with, context);
    }),
);

const seconds = () => z.union([z.number().min(0).max(DURATION_S_MAX), duration().transform((ms) => ms / 1000)]);

export const progression = lazy(() =>
  z.union([
    z.literal("immediate").transform(() => ({ progression: "immediate" as const })),
    z.literal("manual").transform(() => ({ progression: "manual" as const })),
    z.literal("fail").transform(() => ({ progression: "fail" as const })),
    z.strictObject({ time: seconds() }).transform((one) => ({ progression: "time" as const, seconds: one.time })),
    z.strictObject({ polls: count() }).transform((one) => ({ progression: "polls" as const, times: one.polls })),
    z
      .strictObject({ fail: z.strictObject({ after: seconds().optional(), detail: z.string().optional() }) })
      .transform(({ fail }) => ({ progression: "fail" as const, seconds: fail.after, detail: fail.detail })),
  ]),
);

const INTRODUCTION = lazy(() => ({
  $schema: z.string().optional(),
  version: z.literal(1),
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  seed: z.union([z.number(), z.string()]).optional(),
  clock: z
    .strictObject({
      mode: z.enum(CLOCK_MODES).optional(),
      now: instantText().optional(),
      speed: clockSpeed().optional(),
    })
    .optional(),
}));

const sectionsOf = (language: Language) => ({
  transitions: () => z.partialRecord(z.enum(language.models), progression()).optional(),
  fixtures: () => z.string().min(1).optional(),
  world: (raw?: unknown) => (raw === undefined ? language.fixtures() : language.fixturesFor(raw)).optional(),
  rules: () => z.array(ruleSchema(language)).default([]),
  actors: () => z.array(actorSchema(language)).default([]),
  instead: () => z.array(substituteSchema(language)).default([]),
  include: () => z.array(z.string().min(1)).default([]),
  // The schema lists each switch, which its type does not know.
  assume: () => (assumeSchema(language) as unknown as z.ZodType<Assume, object>).optional(),
  webhooks: () => z.array(webhookRule(language)).default([]),
  timers: () => z.array(timerSchema(language)).default([]),
  expect: () => expectSchema(language).optional(),
});

export const scenarioSchema = perLanguage((language) => z.strictObject({ ...INTRODUCTION(), ...shapeOf(sectionsOf(language)) }));

/** As `scenarioSchema`, but only with the sections that `raw` has. Other lists are empty. */
export function scenarioFor(language: Language, raw: unknown): ReturnType<typeof scenarioSchema> {
  const none = z.array(z.never()).default([]);
  const lists = { rules: none, actors: none, instead: none, include: none, webhooks: none, timers: none };
  return z.strictObject({ ...INTRODUCTION(), ...lists, ...shapeOf(sectionsOf(language), raw) }) as unknown as ReturnType<
    typeof scenarioSchema
  >;
}

export type CheckedScenario = z.output<ReturnType<typeof scenarioSchema>>;
export type CheckedRule = z.output<ReturnType<typeof ruleSchema>>;
