import { service } from "../../service/service.ts";
import * as z from "zod";
import type { Tenant } from "../../service/service.ts";
import { lazy } from "../../engine/core/operation.ts";
import { noSuch } from "../../engine/core/text.ts";
import { type Rule, RUNTIME } from "../../engine/rules/rules.ts";
import { SettingsError } from "../errors.ts";
import type { TurnEffect } from "../../engine/scenario/effect.ts";
import type { RuleFile, WebhookRuleFile } from "../file-types.ts";
import { readRule, readWebhookRule } from "../../engine/scenario/load.ts";
import { duration } from "../../engine/scenario/matchers-schema.ts";
import { type Argument, checked, named } from "./options.ts";
import type {
  CallFault,
  CallFaultOptions,
  RecipientFault,
  RecipientFaultOptions,
  WebhookFault,
  WebhookFaultOptions,
} from "./types.ts";
import { words } from "../../service/words.ts";

const PREFIX = "fault/";
const DEFAULT_TURN_MS = 60_000;
const isFault = (rule: { id: string }) => rule.id.startsWith(PREFIX);

type Effect = RuleFile["then"];

/** `takes` lists options beside `times`, `document` and `undeclared`. */
export const CALL_FAULTS: Readonly<
  Record<CallFault, { takes: readonly (keyof CallFaultOptions)[]; effect(options: CallFaultOptions): Effect }>
> = {
  throttled: {
    takes: ["retryAfter", "detail"],
    effect: ({ retryAfter, detail }) => ({ error: "throttled", retry_after: retryAfter, detail }),
  },
  conflict: { takes: ["detail"], effect: ({ detail }) => ({ error: "conflict", detail }) },
  locked: {
    takes: ["for", "detail"],
    effect: ({ detail, for: expires_in }) => ({
      error: "locked",
      detail,
      ...(expires_in === undefined ? {} : { lock: { expires_in } }),
    }),
  },
  unauthorized: { takes: ["detail"], effect: ({ detail }) => ({ error: "unauthorized", detail }) },
  forbidden: { takes: ["detail"], effect: ({ detail }) => ({ error: "forbidden", detail }) },
  not_found: { takes: ["detail"], effect: ({ detail }) => ({ error: "not_found", detail }) },
  invalid: { takes: ["detail"], effect: ({ detail }) => ({ error: "invalid", detail }) },
  gateway_error: {
    takes: ["detail"],
    // Gateways answer in HTML.
    effect: ({ detail }) => ({
      respond: {
        status: 502,
        headers: { "content-type": "text/html" },
        body: `<html><head><title>502 Bad Gateway</title></head><body><h1>${detail ?? "502 Bad Gateway"}</h1></body></html>`,
      },
      undeclared: true,
    }),
  },
  reset_before: { takes: [], effect: () => ({ network: "reset" }) },
  reset_after: { takes: [], effect: () => ({ network: "reset", phase: "after" }) },
  truncated: { takes: [], effect: () => ({ network: "truncate" }) },
  slow: { takes: ["delay"], effect: ({ delay }) => ({ delay: delay ?? "1s" }) },
  hang: { takes: [], effect: () => ({ network: "hang" }) },
  pdf_not_ready: {
    takes: ["retryAfter"],
    effect: ({ retryAfter }) => ({
      respond: { status: 202, headers: { "retry-after": String(Math.ceil(duration().parse(retryAfter ?? "5s") / 1000)) } },
    }),
  },
  slow_processing: { takes: ["delay"], effect: ({ delay }) => ({ processing: delay ?? "1m" }) },
  patched: {
    takes: ["patch"],
    effect: ({ patch }) => ({ patch: needed("patched", "patch", patch, '{ patch: [{ op: "remove", path: "/name" }] }') }),
  },
  stale_read: { takes: ["delay"], effect: ({ delay }) => ({ stale: delay ?? "2s" }) },
  held: {
    takes: ["until", "delay"],
    effect: ({ until, delay }) => ({
      hold: { until: needed("held", "until", until, '{ until: { operation: "sendDocument" } }'), at_most: delay },
    }),
  },
};

/** @throws SettingsError */
function needed<T>(fault: CallFault, option: string, value: T | undefined, example: string): T {
  if (value !== undefined) return value;
  throw new SettingsError(`faults.next: ${fault} needs the option ${option}, such as ${example}`);
}

const WEBHOOK_FAULTS: Readonly<
  Record<
    WebhookFault,
    { takes: readonly (keyof WebhookFaultOptions)[]; effect(options: WebhookFaultOptions): WebhookRuleFile["then"] }
  >
> = {
  webhook_duplicate: { takes: [], effect: () => ({ duplicate: 1 }) },
  webhook_late: { takes: ["delay"], effect: ({ delay }) => ({ delay: delay ?? "1h" }) },
  webhook_reordered: {
    takes: ["after"],
    effect({ after }) {
      if (after === undefined)
        throw new SettingsError(
          'faults.next: webhook_reordered needs the option after, such as { after: "recipient_completed" }',
        );
      return { after_event: after };
    },
  },
  webhook_lost: { takes: [], effect: () => ({ drop: true }) },
  webhook_forged: { takes: [], effect: () => ({ signature: "invalid" }) },
};

const RECIPIENT_FAULTS: Readonly<
  Record<
    RecipientFault,
    { takes: readonly (keyof RecipientFaultOptions)[]; effect(options: RecipientFaultOptions): Omit<TurnEffect, "after_ms"> }
  >
> = {
  recipient_declines: { takes: ["reason"], effect: ({ reason }) => ({ do: "decline", with: { reason } }) },
  recipient_forwards: {
    takes: ["to"],
    effect: ({ to }) => ({ do: "forward", with: { to: to ?? { email: "somebody.else@client.example" } } }),
  },
  document_expires: { takes: [], effect: () => ({ do: "expire", with: {} }) },
};

export const FAULT_NAMES = [CALL_FAULTS, WEBHOOK_FAULTS, RECIPIENT_FAULTS].flatMap(Object.keys);

const common = () => ({ times: z.number().int().min(1).optional(), document: z.string().min(1).optional() });
const callOptions = optionsLike("{ times: 2 }", () =>
  z.strictObject({
    ...common(),
    retryAfter: durationOption().optional(),
    delay: durationOption().optional(),
    for: durationOption().optional(),
    detail: z.string().optional(),
    // The schema of rules checks them.
    patch: z.array(z.unknown()).optional(),
    until: z.looseObject({}).optional(),
    undeclared: z.boolean().optional(),
  }),
);
const webhookOptions = optionsLike("{ times: 2 }", () =>
  z.strictObject({
    ...common(),
    status: z.enum(words.statuses).optional(),
    delay: durationOption().optional(),
    after: z
      .union([z.enum(words.events), z.strictObject({ event: z.enum(words.events), status: z.enum(words.statuses).optional() })])
      .optional(),
  }),
);
const recipientOptions = optionsLike('{ delay: "2h" }', () =>
  z.strictObject({
    ...common(),
    delay: duration().optional(),
    reason: z.string().optional(),
    to: z.strictObject({ email: z.email(), first_name: z.string().optional(), last_name: z.string().optional() }).optional(),
  }),
);
/** The options of all faults. Each fault refuses those that it does not take. */
export const anyOptions = () => ({
  ...recipientOptions.schema().shape,
  ...webhookOptions.schema().shape,
  ...callOptions.schema().shape,
});
const lockOptions = optionsLike('{ for: "5m" }', () => z.strictObject({ for: durationOption().optional() }));
const lostOptions = optionsLike("{ times: 2 }", () => z.strictObject(common()));

function optionsLike<T extends z.ZodType>(example: string, make: () => T): Argument<T> {
  return { name: "the options", is: `are an object such as ${example}`, schema: lazy(make) };
}

function durationOption() {
  return z.string().superRefine((text, context) => {
    const { error } = duration().safeParse(text);
    if (error) context.addIssue({ code: "custom", message: error.issues[0]?.message ?? "is not a duration such as 3s" });
  });
}

/** Rules for calls, deliveries and turns. Each may hold faults. */
const rulesOf = ({ rules, scenarioRunner }: Tenant) => [rules, scenarioRunner.deliveryRules, scenarioRunner.turnRules];

function queue(tenant: Tenant) {
  const { rules, scenarioRunner } = tenant;
  const all = () => rulesOf(tenant).flatMap((one) => one.list().filter(isFault));
  const freeName = (text: string): string => {
    const taken = new Set(all().map((rule) => rule.name));
    for (let n = 1; ; n++) {
      const name = n === 1 ? text : `${text} ${n}`;
      if (!taken.has(name)) return name;
    }
  };
  const toFault = <E>(rule: Rule<E>): Rule<E> => ({ ...rule, id: `${PREFIX}${rule.id}` });

  const nextCall = (method: string, operation: string, fault: CallFault, input: CallFaultOptions) => {
    const options = checked(method, input, callOptions) as CallFaultOptions;
    const { takes, effect } = CALL_FAULTS[fault];
    const { creators } = service.subjects;
    if (!service.language.ids().includes(operation))
      throw new SettingsError(`${method}: ${noSuch("operation", operation, service.language.ids())}`);
    if (fault === "slow_processing" && !creators.includes(operation))
      throw new SettingsError(
        `${method}: slow_processing needs an operation that creates a document: ${creators.join(", ")}, not ${operation}`,
      );
    refuseForeign(method, fault, options, ["times", "document", "undeclared", ...takes]);
    const rule: RuleFile = {
      name: freeName(`${operation} ${fault}`),
      when: { operation, ...(options.document === undefined ? {} : { document: { id: options.document } }) },
      then: { ...effect(options), times: options.times ?? 1, ...(options.undeclared ? { undeclared: true } : {}) },
    };
    const compiled = named(method, () => readRule(rule, service.language));
    rules.queue(toFault(compiled), isFault);
  };

  const nextDelivery = (method: string, event: string, fault: WebhookFault, input: WebhookFaultOptions) => {
    if (!(words.events as readonly string[]).includes(event))
      throw new SettingsError(`${method}: ${noSuch("event", event, words.events)}`);
    const options = checked(method, input, webhookOptions) as WebhookFaultOptions;
    const { takes, effect } = WEBHOOK_FAULTS[fault];
    refuseForeign(method, fault, options, ["times", "document", "status", ...takes]);
    const { document, status } = options;
    const rule: WebhookRuleFile = {
      name: freeName(`${event} ${fault}`),
      when: {
        event: event as (typeof words.events)[number],
        ...(status === undefined ? {} : { status }),
        ...(document === undefined ? {} : { document: { id: document } }),
      },
      then: { ...effect(options), times: options.times ?? 1 },
    };
    const compiled = named(method, () => readWebhookRule(rule, service.language));
    for (const one of compiled) scenarioRunner.deliveryRules.queue(toFault(one), isFault);
  };

  const nextTurn = (method: string, recipient: string, fault: RecipientFault, input: RecipientFaultOptions) => {
    const { times = 1, document, delay = DEFAULT_TURN_MS, ...rest } = checked(method, input, recipientOptions);
    const { takes, effect } = RECIPIENT_FAULTS[fault];
    refuseForeign(method, fault, input, ["times", "document", "delay", ...takes]);
    const name = freeName(`${recipient} ${fault}`);
    const who: Rule<TurnEffect>["when"] = recipient.includes("@")
      ? { email: { eq: recipient.toLowerCase() } }
      : { role: { eq: recipient } };
    scenarioRunner.turnRules.queue(
      {
        id: `${PREFIX}${name}`,
        name,
        source: RUNTIME,
        when: { ...who, ...(document === undefined ? {} : { subject: { eq: document } }) },
        times,
        effect: { ...effect(rest), after_ms: delay },
      },
      isFault,
    );
  };

  return { nextCall, nextDelivery, nextTurn };
}

/** @param on an operation, an event, or a recipient's role or email address. @throws SettingsError */
export function nextFault(tenant: Tenant, on: string, fault: string, options: object = {}): void {
  const { nextCall, nextDelivery, nextTurn } = queue(tenant);
  const method = "faults.next";
  if (Object.hasOwn(RECIPIENT_FAULTS, fault)) nextTurn(method, on, fault as RecipientFault, options);
  else if (Object.hasOwn(WEBHOOK_FAULTS, fault)) nextDelivery(method, on, fault as WebhookFault, options);
  else if (Object.hasOwn(CALL_FAULTS, fault)) nextCall(method, on, fault as CallFault, options);
  else throw new SettingsError(`${method}: ${noSuch("fault", String(fault), FAULT_NAMES)}`);
}

/** @throws SettingsError */
export function loseAnswer(tenant: Tenant, operation: string, options: object = {}): void {
  const given = checked("faults.lostAnswer", options, lostOptions);
  queue(tenant).nextCall("faults.lostAnswer", operation, "reset_after", given);
}

export function pendingFaults(tenant: Tenant): string[] {
  return [
    ...new Set(
      rulesOf(tenant)
        .flatMap((one) => one.pending().filter(isFault))
        .map((rule) => rule.name),
    ),
  ];
}

export function clearFaults(tenant: Tenant): void {
  for (const one of rulesOf(tenant)) for (const rule of one.list().filter(isFault)) one.remove(rule.id);
}

/** @throws SettingsError */
export function lockDocument(tenant: Tenant, id: string, options: object = {}) {
  const expires_in = checked("faults.locked", options, lockOptions).for;
  return lock(tenant, "faults.locked", id, "lock", expires_in === undefined ? {} : { expires_in });
}

/** @throws SettingsError */
export function unlockDocument(tenant: Tenant, id: string) {
  return lock(tenant, "faults.unlock", id, "unlock", {});
}

/** Ignoring an option would hide a mistake. */
function refuseForeign(method: string, fault: string, options: object, takes: readonly string[]): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !takes.includes(name))
      throw new SettingsError(`${method}: ${fault} does not take the option ${name}; it takes ${takes.join(", ")}`);
}

function lock(tenant: Tenant, method: string, id: string, name: "lock" | "unlock", input: { expires_in?: string }) {
  const { store, world } = tenant;
  return named(method, () => store.transaction(() => service.acts.perform(world, id, name, input)));
}
