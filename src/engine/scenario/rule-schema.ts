/** Rules for calls and for deliveries. What these schemas read is what runs. */
import * as z from "zod";
import { whyUnsendable } from "../core/header.ts";
import { PATCH_OPERATIONS, type PatchStep, pointerProblem } from "../core/json-patch.ts";
import { STATUS_OF } from "../core/errors.ts";
import { SIGNINGS } from "../jobs/delivery-types.ts";
import type { Conditions, Matcher } from "../rules/rules.ts";
import { unknownPlaces } from "./answer-paths.ts";
import { type Language, perLanguage } from "./language.ts";
import {
  conditionsOf,
  count,
  duration,
  matcher,
  oneOrMore,
  operationNames,
  operationsOf,
  prefixed,
  requestWhen,
  subjectMatcher,
} from "./matchers-schema.ts";
import { addMistake, refuseDropWithOthers } from "./refinements.ts";

export const ERROR_KINDS = ["locked", "conflict", "throttled", "not_found", "forbidden", "unauthorized", "invalid"] as const;
export type InjectedError = (typeof ERROR_KINDS)[number];

export const NETWORK_FAULTS = ["reset", "empty", "garbage", "hang", "truncate", "slow"] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

export function statusOf(error: InjectedError): (typeof STATUS_OF)[keyof typeof STATUS_OF] {
  return STATUS_OF[error === "unauthorized" ? "unauthenticated" : error];
}

/** Delays are wall time, so that a frozen clock stops no call. */
export const DELAY_MS_MAX = 30_000;
const HOLD_MS = 5000;
/** The store keeps no writes of a longer time. */
const STALE_MS_MAX = 3_600_000;

/** A false length makes the client wait, or read the next answer as part of this answer. */
const FRAMING = new Set(["content-length", "transfer-encoding"]);

function requireSendable(headers: Record<string, string>, context: z.core.$RefinementCtx): void {
  for (const [name, value] of Object.entries(headers)) {
    const message = FRAMING.has(name.toLowerCase())
      ? `docdouble sends ${name} itself; to cut an answer use network: truncate`
      : whyUnsendable(name, value);
    if (message !== undefined) addMistake(context, [name], message);
  }
}

/** The answer of a rule, or of a handler of the test. */
export const respondSchema = () =>
  z.strictObject({
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).superRefine(requireSendable).default({}),
    body: z.unknown().optional(),
  });

const pointer = () =>
  z.string().superRefine((text, context) => {
    const message = pointerProblem(text);
    if (message !== undefined) addMistake(context, [], message);
  });

/** JSON Patch: a list of steps, each with exactly the members of its operation. */
export const patchSchema = () =>
  z
    .array(
      z
        .strictObject({ op: z.enum(PATCH_OPERATIONS), path: pointer(), value: z.unknown().optional() })
        .superRefine((step, context) => {
          const needsValue = step.op !== "remove";
          const hasValue = step.value !== undefined;
          if (needsValue && !hasValue) addMistake(context, [], `${step.op} needs a value; write value: null for null`);
          if (!needsValue && hasValue) addMistake(context, ["value"], `${step.op} takes no value`);
        })
        // The checks above leave only whole steps.
        .transform((step) => step as unknown as PatchStep),
    )
    .min(1);

/** What decides the answer. */
const ANSWERS = ["error", "respond", "network", "patch", "stale"] as const;
const OTHER_EFFECTS = ["hold", "delay", "rate_limit", "processing"] as const;

const atMost = (ms: number, error: string) => duration().refine((one) => one <= ms, { error });

const thenSchema = (language: Language) =>
  z
    .strictObject({
      error: z.enum(ERROR_KINDS).optional(),
      detail: z.string().optional(),
      retry_after: duration().optional(),
      lock: z.strictObject({ by: z.string().optional(), expires_in: duration().optional() }).optional(),
      respond: respondSchema().optional(),
      network: z.enum(NETWORK_FAULTS).optional(),
      /** `after`: the operation runs, then its answer is lost or replaced. */
      phase: z.enum(["before", "after"]).default("before"),
      /** Milliseconds of wall time. */
      delay: z
        .union([
          duration(),
          z.strictObject({ min: duration(), max: duration() }).superRefine(({ min, max }, context) => {
            if (max < min) addMistake(context, ["max"], "max is less than min");
          }),
        ])
        .transform((delay) => (typeof delay === "number" ? { min: delay, max: delay } : delay))
        .refine(({ max }) => max <= DELAY_MS_MAX, {
          error: "is real time, and at most 30s; what shall take longer is for the clock",
        })
        .optional(),
      rate_limit: z.strictObject({ limit: count(), window: duration() }).optional(),
      /** Milliseconds on the tenant's clock. */
      processing: duration().optional(),
      /** Changes the operation's own successful answer. */
      patch: patchSchema().optional(),
      /** A read answers as the world was this long ago. Milliseconds on the tenant's clock. */
      stale: atMost(STALE_MS_MAX, "is at most 1h, because docdouble remembers no longer time")
        .refine((ms) => ms > 0, { error: "must be longer than 0" })
        .optional(),
      /** The call waits until the `nth` call of one of these operations has arrived, counted since the rule was added. */
      hold: z
        .strictObject({
          until: z
            .strictObject({ operation: operationNames(language.ids), nth: count().default(1) })
            .transform(({ operation, nth }) => ({ operations: operationsOf(operation, language.ids()), nth })),
          /** Real milliseconds where the clock is real. Elsewhere also milliseconds on the tenant's clock. */
          at_most: atMost(DELAY_MS_MAX, "is at most 30s, because a real clock makes it real time").default(HOLD_MS),
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
      if (used.length > 1 && !isPair) addMistake(context, [used[1] as string], `write only one of ${used.join(" and ")}`);
      if (used.length === 0 && !OTHER_EFFECTS.some((name) => then[name] !== undefined))
        addMistake(context, [], `does nothing; give one of ${[...ANSWERS, ...OTHER_EFFECTS].join(", ")}`);
      const needs = (name: keyof typeof then, error: string, holds: boolean) => {
        if (then[name] !== undefined && !holds) addMistake(context, [name], `${name} needs ${error}`);
      };
      needs("detail", "error", then.error !== undefined);
      needs("retry_after", "error: throttled", then.error === "throttled");
      needs("lock", "error: locked", then.error === "locked");
      needs("lasting", "error: not_found or unauthorized", then.error === "not_found" || then.error === "unauthorized");
      needs("undeclared", "error or respond", then.error !== undefined || then.respond !== undefined);
    });

type Then = z.output<ReturnType<typeof thenSchema>>;

/** What a rule does with a call. */
export type Effect = Omit<Then, "times" | "fallthrough" | "undeclared">;

/** Mistakes about the operations that the rule names. */
function checkOperations(
  { when: { operation = [] }, then }: { when: { operation?: string | string[] | undefined }; then: Then },
  context: z.core.$RefinementCtx,
  language: Language,
): void {
  const named = [operation].flat();
  const ids = operationsOf(named, language.ids());
  if (then.stale !== undefined && ids.length > 0 && !ids.some((id) => language.isRead(id)))
    addMistake(context, ["then", "stale"], `only reads can be stale, and ${named.join(", ")} does more than read`);
  const answers = ids.flatMap((id) => language.answersOf(id));
  if (then.patch && ids.length > 0 && answers.length === 0)
    addMistake(context, ["then", "patch"], `${named.join(", ")} has no answer in JSON`);
  else if (then.patch && ids.length > 0)
    for (const [i, message] of unknownPlaces(then.patch, named.join(", "), answers))
      addMistake(context, ["then", "patch", i, "path"], message);
  const status = then.respond?.status ?? (then.error && statusOf(then.error));
  if (status === undefined || then.undeclared) return;
  for (const name of named) {
    const declared = operationsOf(name, language.ids()).flatMap((id) => [language.statusesOf(id) ?? []]);
    // Some operation of the pattern must declare the status, but not every operation.
    if (declared.length === 0 || declared.some((one) => one.includes(status))) continue;
    const what = name.includes("*")
      ? `no operation that fits "${name}" declares ${status}`
      : `${name} does not declare ${status}, only ${declared.flat().join(", ")}`;
    addMistake(context, ["then", then.error ? "error" : "respond"], `${what}; to allow it, add undeclared: true`);
  }
}

export const ruleSchema = perLanguage((language) =>
  z
    .strictObject({
      name: z.string().min(1),
      when: requestWhen(language).omit({ status: true }).default({}),
      then: thenSchema(language),
    })
    .superRefine((rule, context) => checkOperations(rule, context, language))
    .transform(({ name, when, then: { times, fallthrough, undeclared: _, ...effect } }) => ({
      ...{ name, when: conditionsOf(when, language.ids()), call: when.call, times, fallthrough },
      effect: effect satisfies Effect,
    })),
);

const deliveryThen = ({ events, statuses }: Language) => {
  const event = () => z.enum(events);
  return z
    .strictObject({
      drop: z.literal(true).optional(),
      delay: duration().optional(),
      duplicate: z.number().int().min(1).max(20).optional(),
      /** Sends copies with these signatures ahead of the delivery. */
      copy_ahead: z
        .union([z.enum(SIGNINGS), z.array(z.enum(SIGNINGS)).min(1).max(20)])
        .transform((one) => [one].flat())
        .optional(),
      /** Writes the JSON of the body in another way. */
      respell: z.literal(true).optional(),
      after_event: z
        .union([event(), z.strictObject({ event: event(), status: z.enum(statuses).optional() })])
        .transform((one) => ({ status: null, ...(typeof one === "string" ? { event: one } : one) }))
        .optional(),
      batch: z.strictObject({ window: duration(), max: z.number().int().min(2).max(100).default(100) }).optional(),
      retries: z.array(duration()).max(10).optional(),
      signature: z.enum(SIGNINGS).optional(),
      attempt_result: z.union([z.enum(["timeout", "refused"]), z.number().int().min(100).max(599)]).optional(),
      times: count().optional(),
      fallthrough: z.boolean().optional(),
    })
    .refine((then) => Object.keys(then).some((key) => key !== "times" && key !== "fallthrough"), { error: "does nothing" })
    .superRefine(refuseDropWithOthers);
};

/** What a rule does with a delivery, before the first attempt or at each attempt. */
export type DeliveryEffect = Omit<z.output<ReturnType<typeof deliveryThen>>, "times" | "fallthrough">;

const AT_ATTEMPTS = ["signature", "attempt_result"];
const isPlanned = (name: string) => !AT_ATTEMPTS.includes(name);

/** Becomes one rule for the plan of a delivery, and one for each attempt. */
export const webhookRule = perLanguage((language) =>
  z
    .strictObject({
      name: z.string().min(1),
      when: z
        .strictObject({
          event: oneOrMore(() => z.enum(language.events)).optional(),
          status: oneOrMore(() => z.enum(language.statuses)).optional(),
          subscription: matcher().optional(),
          document: subjectMatcher(language).optional(),
          nth: count().optional(),
          attempt: z
            .union([count(), z.strictObject({ in: z.array(count()).min(1) })])
            .transform((one): Matcher => (typeof one === "number" ? { eq: one } : one))
            .optional(),
        })
        .default({}),
      then: deliveryThen(language),
    })
    .superRefine(({ when, then: { times: _, fallthrough: __, ...then } }, context) => {
      if (when.attempt === undefined) return;
      for (const name of Object.keys(then).filter(isPlanned))
        addMistake(
          context,
          ["then", name],
          `docdouble decides ${name} before the first attempt, so a rule with attempt cannot have it; write a second rule for ${name}`,
        );
    })
    .transform(({ name, when: { event, status, document, nth, attempt, ...when }, then: { times, fallthrough, ...then } }) => {
      const conditions = {
        ...(event ? { event: { in: event } } : {}),
        ...(status ? { status: { in: status } } : {}),
        ...when,
        ...prefixed("subject.", document),
      };
      const call = nth === undefined ? undefined : { nth, of: "delivery" };
      const part = (phase: "plan" | "perform", isIn: (name: string) => boolean, more: Conditions) => {
        const effect: DeliveryEffect = Object.fromEntries(Object.entries(then).filter(([one]) => isIn(one)));
        const isEmpty = Object.keys(effect).length === 0;
        const all: Conditions = { phase: { eq: phase }, ...conditions, ...more };
        return isEmpty ? [] : [{ name, when: all, call, times, fallthrough, effect }];
      };
      return [...part("plan", isPlanned, {}), ...part("perform", (one) => !isPlanned(one), attempt ? { attempt } : {})];
    }),
);
