/** Faults of a test in one line. Each is a rule for the next calls, deliveries or turns of a recipient. */
import * as z from "zod";
import { own } from "../../engine/core/maps.ts";
import { lazy, type Schema } from "../../engine/core/operation.ts";
import { noSuch } from "../../engine/core/text.ts";
import { type Rule, RUNTIME } from "../../engine/rules/rules.ts";
import type { TurnEffect } from "../../engine/runtime/scenario-runs/scenario-runner.ts";
import { readRule, readWebhookRule } from "../../engine/scenario/load.ts";
import { duration } from "../../engine/scenario/matchers-schema.ts";
import { service, type Tenant } from "../../service/service.ts";
import { words } from "../../service/words.ts";
import { SettingsError } from "../errors.ts";
import type { EventName, RuleFile, WebhookRuleFile } from "../file-types.ts";
import { checked, inOwnWords, text } from "./method.ts";
import type { CallFault, RecipientFault, WebhookFault } from "./types.ts";

const PREFIX = "fault/";
const isFault = (rule: { id: string }) => rule.id.startsWith(PREFIX);

interface Common {
  times?: number | undefined;
  document?: string | undefined;
}

interface Fault {
  /** Refuses the options of other faults. */
  options: Schema<z.ZodObject>;
  /** Adds the rule under a free name. */
  queue(tenant: Tenant, on: string, name: string, options: never): void;
}

type Shape = z.ZodRawShape;
type Given<S extends Shape> = z.output<z.ZodObject<S>> & Common;

/** A text that the schema of rules reads again. */
const wait = () =>
  z
    .string()
    .superRefine((value, context) => {
      const { error } = duration().safeParse(value);
      if (error) context.addIssue({ code: "custom", message: error.issues[0]?.message ?? "is not a duration such as 3s" });
    })
    .optional();
const aText = () => z.string().optional();
const common = () => ({ times: z.number().int().min(1).optional(), document: z.string().min(1).optional() });

const toFault = <E>(rule: Rule<E>): Rule<E> => ({ ...rule, id: `${PREFIX}${rule.id}` });

/** A fault of the next calls of an operation. */
function call<S extends Shape>(
  members: () => S,
  effect: (options: Given<S>) => RuleFile["then"],
  /** The only operations that can meet it. */
  only?: readonly string[],
): Fault {
  return {
    options: lazy(() => z.strictObject({ ...common(), undeclared: z.boolean().optional(), ...members() })),
    queue(tenant, operation, name, options: Given<S> & { undeclared?: boolean }) {
      const known = service.language.ids();
      if (!known.includes(operation)) throw new SettingsError(noSuch("operation", operation, known));
      if (only && !only.includes(operation))
        throw new SettingsError(
          `${name.split(" ").at(1)} needs an operation that creates a document: ${only.join(", ")}, not ${operation}`,
        );
      const { times = 1, document, undeclared } = options;
      const rule: RuleFile = {
        name,
        when: { operation, ...(document === undefined ? {} : { document: { id: document } }) },
        then: { ...effect(options), times, ...(undeclared ? { undeclared: true } : {}) },
      };
      tenant.rules.queue(toFault(inOwnWords(() => readRule(rule, service.language))), isFault);
    },
  };
}

/** A fault of the next deliveries of an event. */
function delivery<S extends Shape>(members: () => S, effect: (options: Given<S>) => WebhookRuleFile["then"]): Fault {
  return {
    options: lazy(() => z.strictObject({ ...common(), status: z.enum(words.statuses).optional(), ...members() })),
    queue(tenant, event, name, options: Given<S> & { status?: (typeof words.statuses)[number] }) {
      if (!(words.events as readonly string[]).includes(event)) throw new SettingsError(noSuch("event", event, words.events));
      const { times = 1, document, status } = options;
      const rule: WebhookRuleFile = {
        name,
        when: {
          event: event as EventName,
          ...(status === undefined ? {} : { status }),
          ...(document === undefined ? {} : { document: { id: document } }),
        },
        then: { ...effect(options), times },
      };
      const rules = inOwnWords(() => readWebhookRule(rule, service.language));
      for (const one of rules) tenant.scenarioRunner.deliveryRules.queue(toFault(one), isFault);
    },
  };
}

/** What a recipient does at the next turns, or what happens then. */
function turn<S extends Shape>(members: () => S, effect: (options: Given<S>) => Pick<TurnEffect, "do" | "with">): Fault {
  return {
    options: lazy(() => z.strictObject({ ...common(), delay: wait(), ...members() })),
    queue(tenant, recipient, name, options: Given<S> & { delay?: string }) {
      const { times = 1, document, delay = "1m" } = options;
      const who: Rule<TurnEffect>["when"] = recipient.includes("@")
        ? { email: { eq: recipient.toLowerCase() } }
        : { role: { eq: recipient } };
      const rule: Rule<TurnEffect> = {
        id: name,
        name,
        source: RUNTIME,
        when: { ...who, ...(document === undefined ? {} : { subject: { eq: document } }) },
        times,
        effect: { ...effect(options), after_ms: duration().parse(delay) },
      };
      tenant.scenarioRunner.turnRules.queue(toFault(rule), isFault);
    },
  };
}

const none = () => ({});
const detail = () => ({ detail: aText() });
const person = () => z.strictObject({ email: z.email(), first_name: z.string().optional(), last_name: z.string().optional() });
const event = () => z.enum(words.events);

const FAULTS: Readonly<Record<CallFault | WebhookFault | RecipientFault, Fault>> = {
  throttled: call(
    () => ({ retryAfter: wait(), detail: aText() }),
    ({ retryAfter, detail }) => ({ error: "throttled", retry_after: retryAfter, detail }),
  ),
  conflict: call(detail, ({ detail }) => ({ error: "conflict", detail })),
  locked: call(
    () => ({ for: wait(), detail: aText() }),
    ({ detail, for: expires_in }) => ({
      ...{ error: "locked", detail },
      ...(expires_in === undefined ? {} : { lock: { expires_in } }),
    }),
  ),
  unauthorized: call(detail, ({ detail }) => ({ error: "unauthorized", detail })),
  forbidden: call(detail, ({ detail }) => ({ error: "forbidden", detail })),
  not_found: call(detail, ({ detail }) => ({ error: "not_found", detail })),
  invalid: call(detail, ({ detail }) => ({ error: "invalid", detail })),
  // Gateways answer in HTML.
  gateway_error: call(detail, ({ detail = "502 Bad Gateway" }) => ({
    respond: {
      status: 502,
      headers: { "content-type": "text/html" },
      body: `<html><head><title>502 Bad Gateway</title></head><body><h1>${detail}</h1></body></html>`,
    },
    undeclared: true,
  })),
  reset_before: call(none, () => ({ network: "reset" })),
  reset_after: call(none, () => ({ network: "reset", phase: "after" })),
  truncated: call(none, () => ({ network: "truncate" })),
  slow: call(
    () => ({ delay: wait() }),
    ({ delay = "1s" }) => ({ delay }),
  ),
  hang: call(none, () => ({ network: "hang" })),
  pdf_not_ready: call(
    () => ({ retryAfter: wait() }),
    ({ retryAfter = "5s" }) => ({
      respond: { status: 202, headers: { "retry-after": String(Math.ceil(duration().parse(retryAfter) / 1000)) } },
    }),
  ),
  slow_processing: call(
    () => ({ delay: wait() }),
    ({ delay = "1m" }) => ({ processing: delay }),
    service.subjects.creators,
  ),
  // The schema of rules checks the steps.
  patched: call(
    () => ({ patch: z.array(z.unknown()) }),
    ({ patch }) => ({ patch: patch as NonNullable<RuleFile["then"]["patch"]> }),
  ),
  stale_read: call(
    () => ({ delay: wait() }),
    ({ delay = "2s" }) => ({ stale: delay }),
  ),
  held: call(
    () => ({ until: z.looseObject({}), delay: wait() }),
    ({ until, delay }) => ({ hold: { until: until as NonNullable<RuleFile["then"]["hold"]>["until"], at_most: delay } }),
  ),
  webhook_duplicate: delivery(none, () => ({ duplicate: 1 })),
  webhook_late: delivery(
    () => ({ delay: wait() }),
    ({ delay = "1h" }) => ({ delay }),
  ),
  webhook_reordered: delivery(
    () => ({ after: z.union([event(), z.strictObject({ event: event(), status: z.enum(words.statuses).optional() })]) }),
    ({ after }) => ({ after_event: after }),
  ),
  webhook_lost: delivery(none, () => ({ drop: true })),
  webhook_forged: delivery(none, () => ({ signature: "invalid" })),
  recipient_declines: turn(
    () => ({ reason: aText() }),
    ({ reason }) => ({ do: "decline", with: { reason } }),
  ),
  recipient_forwards: turn(
    () => ({ to: person().optional() }),
    ({ to = { email: "somebody.else@client.example" } }) => ({ do: "forward", with: { to } }),
  ),
  document_expires: turn(none, () => ({ do: "expire", with: {} })),
};

export const FAULT_NAMES = Object.keys(FAULTS);

/** The options of all faults, for the description of the verb. Each fault refuses those of others. */
export function anyOptions(): Record<string, z.ZodType> {
  const shapes = Object.values(FAULTS).map((one) => one.options().shape);
  return Object.fromEntries(shapes.flatMap(Object.entries).map(([name, schema]) => [name, z.optional(schema as z.ZodType)]));
}

/** Rules for calls, deliveries and turns. Each may hold faults. */
const rulesOf = ({ rules, scenarioRunner }: Tenant) => [rules, scenarioRunner.deliveryRules, scenarioRunner.turnRules];

function freeName(tenant: Tenant, wanted: string): string {
  const taken = new Set(
    rulesOf(tenant).flatMap((one) =>
      one
        .list()
        .filter(isFault)
        .map((rule) => rule.name),
    ),
  );
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted} ${n}`;
    if (!taken.has(name)) return name;
  }
}

const ON =
  'the first argument is a text such as "createDocument", "document_state_changed" or "Client": an operation, an event or a recipient';

/** @param on an operation, an event, or a recipient's role or email address. @throws SettingsError */
export function nextFault(tenant: Tenant, on: string, fault: string, options: object = {}): void {
  text(on, ON);
  text(fault, 'the fault is a text such as "throttled"');
  const known = own(FAULTS, fault);
  if (!known) throw new SettingsError(noSuch("fault", fault, FAULT_NAMES));
  const given = checked(options, known.options, "the options are an object such as { times: 2 }");
  known.queue(tenant, on, freeName(tenant, `${on} ${fault}`), given as never);
}

export function pendingFaults(tenant: Tenant): string[] {
  const waiting = rulesOf(tenant).flatMap((one) => one.pending().filter(isFault));
  return [...new Set(waiting.map((rule) => rule.name))];
}

export function clearFaults(tenant: Tenant): void {
  for (const one of rulesOf(tenant)) for (const rule of one.list().filter(isFault)) one.remove(rule.id);
}

const lockOptions = lazy(() => z.strictObject({ for: wait() }));

/** @throws SettingsError */
export function lockDocument(tenant: Tenant, id: string, options: object = {}): void {
  const { for: expires_in } = checked(options, lockOptions, 'the options are an object such as { for: "5m" }');
  perform(tenant, id, "lock", expires_in === undefined ? {} : { expires_in });
}

/** @throws SettingsError */
export function unlockDocument(tenant: Tenant, id: string): void {
  perform(tenant, id, "unlock", {});
}

function perform({ store, world }: Tenant, id: string, act: "lock" | "unlock", input: { expires_in?: string }): void {
  inOwnWords(() => store.transaction(() => service.acts.perform(world, id, act, input)));
}
