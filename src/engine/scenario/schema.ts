/** The strict schema of the scenario file. Checks, the editor's JSON Schema, the types and what runs derive from it. */
import * as z from "zod";
import { CLOCK_MODES, DURATION_S_MAX, parseDuration } from "../core/time-limits.ts";
import { PROFILES } from "../assumptions/profile-names.ts";
import { type Assume, DURATIONS_MAX, type ReadingValue, type Switches } from "../assumptions/switches.ts";
import { parseInstant, readInstant } from "../core/clock.ts";
import { lazy, shapeOf } from "../core/operation.ts";
import { expectSchema } from "./expect-schema.ts";
import { type Language, perLanguage } from "./language.ts";
import { clockSpeed, count, duration, instantText, matcher, oneOrMore, subjectMatcher } from "./matchers-schema.ts";
import { checkActInput } from "./refinements.ts";
import { ruleSchema, webhookRule } from "./rule-schema.ts";

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
    on: oneOrMore(() => z.enum(language.triggers)),
    document: subjectMatcher(language).default({}),
    /** Undefined selects the participant whose turn it is. */
    recipient: participantMatcher(language).optional(),
    steps: z.array(step(language)).min(1),
  }),
);

export const substituteSchema = perLanguage((language) =>
  z
    .strictObject({
      of: oneOrMore(() => z.enum(language.acts)).prefault(language.usualAct),
      document: subjectMatcher(language).default({}),
      recipient: participantMatcher(language).default({}),
      do: z.union([z.enum(language.acts), z.literal("nothing")]),
      with: language.actInput().default({}),
    })
    .superRefine((one, context) => {
      if (one.do !== "nothing") checkActInput(language, one.do, one.with, context);
    }),
);

/** `+3d` and `3d` count from loading. An ISO 8601 instant is absolute. */
const moment = lazy(() =>
  z.string().transform((text, context) => {
    const after = duration().safeParse(text.replace(/^\+/, ""));
    if (after.success) return { after_ms: after.data };
    const instant = readInstant(text);
    if (instant.problem === undefined) return { instant: instant.value };
    const problem =
      parseInstant(text) !== undefined
        ? instant.problem
        : parseDuration(text.replace(/^\+/, "")) !== undefined
          ? after.error.issues[0]?.message
          : `"${text}" is neither a duration such as +3d nor an ISO 8601 instant`;
    context.addIssue({ code: "custom", message: problem });
    return z.NEVER;
  }),
);

export const timerSchema = perLanguage((language) =>
  z
    .strictObject({
      name: z.string().min(1).optional(),
      at: moment().optional(),
      every: duration().optional(),
      do: z.enum(language.acts),
      document: subjectMatcher(language).default({}),
      with: language.actInput().default({}),
    })
    .refine((timer) => timer.at !== undefined || timer.every !== undefined, { error: "give at, every or both" })
    .refine((timer) => timer.every === undefined || timer.every > 0, {
      error: "every must be longer than 0",
      path: ["every"],
    })
    .superRefine((timer, context) => checkActInput(language, timer.do, timer.with, context))
    .transform((timer) => ({ ...timer, at: timer.at ?? { after_ms: timer.every ?? 0 } })),
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

export const assumeSchema = perLanguage(({ switches }) =>
  z.strictObject(Object.fromEntries(switches.ids.map((id) => [id, readingSchema(switches, id).optional()]))),
);

function readingSchema(switches: Switches, id: string): z.ZodType<ReadingValue, unknown> {
  const { readings } = switches.of(id);
  if (readings === "durations") return z.array(duration()).max(DURATIONS_MAX);
  if (!readings.includes("on")) return z.literal(readings);
  return z.union([z.literal(readings), z.boolean().transform((flag) => (flag ? "on" : "off"))]);
}

export const assumeFileSchema = perLanguage((language) =>
  assumeSchema(language).extend({ profile: z.enum(PROFILES).optional(), assume: assumeSchema(language).optional() }),
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
  timers: () =>
    z
      .array(timerSchema(language))
      .transform((timers) => timers.map((timer, i) => ({ ...timer, name: timer.name ?? `timer ${i + 1}` })))
      .default([]),
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
export type Actor = CheckedScenario["actors"][number];
export type Timer = CheckedScenario["timers"][number];
/** The input of an act, as the service declares it. */
export type ActInput = Readonly<Record<string, unknown>>;
