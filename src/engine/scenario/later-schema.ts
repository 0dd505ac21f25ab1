import * as z from "zod";
import { DURATIONS_MAX, type ReadingValue, type Switches } from "../assumptions/switches.ts";
import { PROFILES } from "../assumptions/profile-names.ts";
import { parseInstant, readInstant } from "../core/clock.ts";
import { parseDuration } from "../core/time-limits.ts";
import { lazy } from "../core/operation.ts";
import { DELIVERY_STATES, SIGNINGS } from "../jobs/delivery-types.ts";
import { IMPATIENCES } from "./effect.ts";
import { checkActInput, checkCounts, refuseDropWithOthers, requireDeliveryStatus, requireOneOf } from "./refinements.ts";
import { perLanguage } from "./language.ts";
import { duration, matcher, requestWhen, subjectMatcher, toolName } from "./matchers-schema.ts";

const count = () => z.number().int().min(1);

export const webhookRule = perLanguage((language) => {
  const { statuses, events } = language;
  const event = () => z.enum(events);
  return z
    .strictObject({
      name: z.string().min(1),
      when: z
        .strictObject({
          event: z.union([event(), z.array(event()).min(1)]).optional(),
          status: z.union([z.enum(statuses), z.array(z.enum(statuses)).min(1)]).optional(),
          subscription: matcher().optional(),
          document: subjectMatcher(language).optional(),
          nth: count().optional(),
          attempt: z.union([count(), z.strictObject({ in: z.array(count()).min(1) })]).optional(),
        })
        .default({}),
      then: z
        .strictObject({
          drop: z.literal(true).optional(),
          delay: duration().optional(),
          duplicate: z.number().int().min(1).max(20).optional(),
          copy_ahead: z.union([z.enum(SIGNINGS), z.array(z.enum(SIGNINGS)).min(1).max(20)]).optional(),
          respell: z.literal(true).optional(),
          after_event: z.union([event(), z.strictObject({ event: event(), status: z.enum(statuses).optional() })]).optional(),
          batch: z.strictObject({ window: duration(), max: z.number().int().min(2).max(100).default(100) }).optional(),
          signature: z.enum(SIGNINGS).optional(),
          attempt_result: z.union([z.enum(["timeout", "refused"]), z.number().int().min(100).max(599)]).optional(),
          retries: z.array(duration()).max(10).optional(),
          times: count().optional(),
          fallthrough: z.boolean().optional(),
        })
        .refine((then) => Object.keys(then).some((key) => key !== "times" && key !== "fallthrough"), { error: "does nothing" })
        .superRefine(refuseDropWithOthers),
    })
    .superRefine(({ when, then }, context) => {
      if (when.attempt === undefined) return;
      for (const name of PLANNED)
        if (then[name] !== undefined)
          context.addIssue({
            code: "custom",
            path: ["then", name],
            message: `${name} is settled before the first attempt, so attempt does not go with it; make it a rule of its own`,
          });
    });
});

const PLANNED = ["drop", "delay", "duplicate", "copy_ahead", "respell", "after_event", "batch", "retries"] as const;

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
    .superRefine((timer, context) => checkActInput(language, timer.do, timer.with, context)),
);

/** How often something must happen: at least once by default. */
export const countMembers = () => ({
  times: z.number().int().min(0).optional(),
  at_least: z.number().int().min(0).optional(),
  at_most: z.number().int().min(0).optional(),
  never: z.literal(true).optional(),
});

const counts = () => ({
  ...countMembers(),
  note: z.string().optional(),
});

export const subjectExpectation = perLanguage((language) =>
  z.strictObject({
    match: subjectMatcher(language).default({}),
    count: z.number().int().min(0).optional(),
    status: z.enum(language.statuses).optional(),
    path: z.array(z.enum(language.statuses)).optional(),
    note: z.string().optional(),
  }),
);

export const messageExpectation = perLanguage((language) =>
  z
    .strictObject({
      match: z
        .strictObject({
          to: matcher().optional(),
          subject: matcher().optional(),
          kind: matcher().superRefine(requireOneOf(`kind of mail`, language.messageKinds)).optional(),
        })
        .default({}),
      ...counts(),
    })
    .superRefine(checkCounts),
);

export const expectSchema = perLanguage((language) => {
  return z.strictObject({
    requests: z
      .array(
        z
          .strictObject({
            // `times` and its siblings replace `call` here.
            match: requestWhen(language).omit({ call: true }).default({}),
            order: z.number().int().min(1).optional(),
            ...counts(),
          })
          .superRefine(checkCounts),
      )
      .default([]),
    tools: z.array(z.strictObject({ name: toolName(language).optional(), ...counts() }).superRefine(checkCounts)).default([]),
    documents: z.array(subjectExpectation(language)).default([]),
    deliveries: z
      .array(
        z
          .strictObject({
            match: z
              .strictObject({
                event: matcher().superRefine(requireOneOf("event", language.events)).optional(),
                status: matcher().superRefine(requireDeliveryStatus(language)).optional(),
                subscription: matcher().optional(),
                state: matcher().superRefine(requireOneOf("state of a delivery", DELIVERY_STATES)).optional(),
                document: subjectMatcher(language).optional(),
              })
              .default({}),
            acknowledged: z.boolean().optional(),
            attempts: z.number().int().min(0).optional(),
            ...counts(),
          })
          .superRefine(checkCounts),
      )
      .default([]),
    emails: z.array(messageExpectation(language)).default([]),
    rules_used: z.union([z.literal("all"), z.strictObject({ except: z.array(z.string()) })]).optional(),
    unmatched: z.literal("none").optional(),
    contract: z.union([z.literal("clean"), z.strictObject({ without: z.array(z.string().min(1)).min(1) })]).optional(),
    client: z
      .strictObject({
        ends_within: duration().optional(),
        succeeds: z.literal(true).optional(),
        truthful: z.literal(true).optional(),
        without: z.array(z.enum(IMPATIENCES)).min(1).optional(),
      })
      .refine((one) => Object.keys(one).length > 0, { error: "expects nothing; give ends_within, succeeds, truthful or without" })
      .optional(),
  });
});

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
