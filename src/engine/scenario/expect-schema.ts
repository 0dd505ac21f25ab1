import * as z from "zod";
import type { CountLimits } from "../core/count-limits.ts";
import { DELIVERY_STATES } from "../jobs/delivery-types.ts";
import { conditionsOf, count, duration, matcher, prefixed, requestWhen, subjectMatcher, toolName } from "./matchers-schema.ts";
import { perLanguage } from "./language.ts";
import { addMistake, requireDeliveryStatus, requireOneOf } from "./refinements.ts";

const fromZero = () => z.number().int().min(0).optional();

/** How often something must happen: at least once by default. */
export const countMembers = () => ({
  times: fromZero(),
  at_least: fromZero(),
  at_most: fromZero(),
  never: z.literal(true).optional(),
});

export function checkCounts(counts: CountLimits, context: z.core.$RefinementCtx): void {
  const used = (["never", "times", "at_least", "at_most"] as const).filter((name) => counts[name] !== undefined);
  const [first, second] = used;
  if ((first === "never" || first === "times") && second !== undefined)
    addMistake(context, [second], `write only one of ${used.join(" and ")}`);
  const { at_least, at_most } = counts;
  if (at_least !== undefined && at_most !== undefined && at_most < at_least)
    addMistake(context, ["at_most"], "at_most is less than at_least");
}

const note = () => z.string().optional();

/** A list of expectations, each with a count. */
const counted = <S extends z.ZodRawShape>(members: S) =>
  z
    .array(
      z
        .strictObject({ ...members, ...countMembers(), note: note() })
        .superRefine((one, context) => checkCounts(one as CountLimits, context)),
    )
    .default([]);

/** Symptoms of clients that do not wait. They need real time. */
export const IMPATIENCES = ["ignored_retry_after", "polls_too_fast"] as const;

export const expectSchema = perLanguage((language) => {
  const { events, statuses, messageKinds } = language;
  return z.strictObject({
    requests: counted({
      // `times` and its siblings replace `call` here.
      match: requestWhen(language)
        .omit({ call: true })
        .transform((when) => conditionsOf(when, language.ids()))
        .default({}),
      order: count().optional(),
    }),
    tools: counted({ name: toolName(language).default({ exists: true }) }),
    documents: z
      .array(
        z.strictObject({
          match: subjectMatcher(language).default({}),
          count: fromZero(),
          status: z.enum(statuses).optional(),
          path: z.array(z.enum(statuses)).optional(),
          note: note(),
        }),
      )
      .default([]),
    deliveries: counted({
      match: z
        .strictObject({
          event: matcher().superRefine(requireOneOf("event", events)).optional(),
          status: matcher().superRefine(requireDeliveryStatus(language)).optional(),
          subscription: matcher().optional(),
          state: matcher().superRefine(requireOneOf("state of a delivery", DELIVERY_STATES)).optional(),
          document: subjectMatcher(language).optional(),
        })
        .transform(({ document, ...others }) => ({ ...others, ...prefixed("subject.", document) }))
        .default({}),
      acknowledged: z.boolean().optional(),
      attempts: fromZero(),
    }),
    emails: counted({
      match: z
        .strictObject({
          to: matcher().optional(),
          subject: matcher().optional(),
          kind: matcher().superRefine(requireOneOf(`kind of mail`, messageKinds)).optional(),
        })
        .default({}),
    }),
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

/** The lists of expectations. */
export const EXPECTED = ["requests", "tools", "documents", "deliveries", "emails"] as const;

type Checked = z.output<ReturnType<typeof expectSchema>>;
/** `text` names the expectation in reports. */
type Told<T> = T & { text: string };
export type Expectations = Omit<Checked, (typeof EXPECTED)[number] | "contract"> & {
  [Name in (typeof EXPECTED)[number]]: Told<Checked[Name][number]>[];
} & {
  /** Kinds of findings that must not be. `*` is any kind. */
  contract: readonly string[];
};
export type ClientExpectations = NonNullable<Checked["client"]>;
