/** `faults`: the faults that tests need most, by name. Each becomes a rule at run time. */
import * as z from "zod";
import { ruleVocabulary } from "../admin/scenario-runs/rule-vocabulary.ts";
import type { Tenant } from "../admin/tenants/tenant.ts";
import { lazy } from "../core/operation.ts";
import { noSuch } from "../core/text.ts";
import { requireDocument } from "../domain/document-model/find.ts";
import { EVENTS, STATUSES } from "../domain/document-model/status-machine.ts";
import { act } from "../domain/signing/act-table.ts";
import { type Rule, RUNTIME } from "../engine/rules.ts";
import { SettingsError } from "../errors.ts";
import type { RuleFile, WebhookRuleFile } from "../scenario/file-types.ts";
import { readRule, readWebhookRule } from "../scenario/load.ts";
import { duration } from "../scenario/matchers-schema.ts";
import { checked, named } from "./options.ts";
import type { CallFault, CallFaultOptions, Faults, WebhookFault, WebhookFaultOptions } from "./types.ts";

/** Marks the rules of this file, so that `clear` and the order of faults find them. */
const PREFIX = "fault/";
const isFault = (rule: { id: string }) => rule.id.startsWith(PREFIX);

type Effect = RuleFile["then"];

/** What each fault does, and the options that it takes beside `times`, `document` and `undeclared`. */
const CALL_FAULTS: Readonly<
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
    // A gateway declares nothing and answers in HTML.
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
};

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

const common = () => ({ times: z.number().int().min(1).optional(), document: z.string().min(1).optional() });
const callOptions = lazy(() =>
  z.strictObject({
    ...common(),
    retryAfter: durationOption().optional(),
    delay: durationOption().optional(),
    for: durationOption().optional(),
    detail: z.string().optional(),
    undeclared: z.boolean().optional(),
  }),
);
const webhookOptions = lazy(() =>
  z.strictObject({
    ...common(),
    status: z.enum(STATUSES).optional(),
    delay: durationOption().optional(),
    after: z.union([z.enum(EVENTS), z.strictObject({ event: z.enum(EVENTS), status: z.enum(STATUSES).optional() })]).optional(),
  }),
);
const lockOptions = lazy(() => z.strictObject({ for: durationOption().optional() }));
const lostOptions = lazy(() => z.strictObject(common()));

/** A duration that stays a text, as rules take it. */
function durationOption() {
  return z.string().superRefine((text, context) => {
    const { error } = duration().safeParse(text);
    if (error) context.addIssue({ code: "custom", message: error.issues[0]?.message ?? "is no duration such as 3s" });
  });
}

export function faultsOf(tenant: Tenant, requireOpen: () => void): Faults {
  const { rules, scenarioRunner } = tenant;
  const all = () => [...rules.list(), ...scenarioRunner.deliveryRules.list()].filter(isFault);
  /** A name that no other fault has. */
  const freeName = (text: string): string => {
    const taken = new Set(all().map((rule) => rule.name));
    for (let n = 1; ; n++) {
      const name = n === 1 ? text : `${text} ${n}`;
      if (!taken.has(name)) return name;
    }
  };
  const toFault = <E>(rule: Rule<E>): Rule<E> => ({ ...rule, id: `${PREFIX}${rule.id}` });

  const nextCall = (method: string, operation: string, fault: CallFault, given: CallFaultOptions) => {
    const options = checked(method, given, callOptions) as CallFaultOptions;
    const { takes, effect } = CALL_FAULTS[fault];
    refuseForeign(method, fault, options, ["times", "document", "undeclared", ...takes]);
    const rule: RuleFile = {
      name: freeName(`${operation} ${fault}`),
      when: { operation, ...(options.document === undefined ? {} : { document: { id: options.document } }) },
      then: { ...effect(options), times: options.times ?? 1, ...(options.undeclared ? { undeclared: true } : {}) },
    };
    const compiled = named(method, () => readRule(JSON.stringify(rule), RUNTIME, ruleVocabulary));
    rules.queue(toFault(compiled), isFault);
  };

  const nextDelivery = (method: string, event: string, fault: WebhookFault, given: WebhookFaultOptions) => {
    if (!(EVENTS as readonly string[]).includes(event)) throw new SettingsError(`${method}: ${noSuch("event", event, EVENTS)}`);
    const options = checked(method, given, webhookOptions) as WebhookFaultOptions;
    const { takes, effect } = WEBHOOK_FAULTS[fault];
    refuseForeign(method, fault, options, ["times", "document", "status", ...takes]);
    const { document, status } = options;
    const rule: WebhookRuleFile = {
      name: freeName(`${event} ${fault}`),
      when: {
        event: event as (typeof EVENTS)[number],
        ...(status === undefined ? {} : { status }),
        ...(document === undefined ? {} : { document: { id: document } }),
      },
      then: { ...effect(options), times: options.times ?? 1 },
    };
    const compiled = named(method, () => readWebhookRule(JSON.stringify(rule), RUNTIME));
    for (const one of compiled) scenarioRunner.deliveryRules.queue(toFault(one), isFault);
  };

  return {
    next(name: string, fault: string, options: CallFaultOptions & WebhookFaultOptions = {}) {
      requireOpen();
      if (fault in WEBHOOK_FAULTS) return nextDelivery("faults.next", name, fault as WebhookFault, options);
      if (fault in CALL_FAULTS) return nextCall("faults.next", name, fault as CallFault, options);
      throw new SettingsError(
        `faults.next: ${noSuch("fault", String(fault), [...Object.keys(CALL_FAULTS), ...Object.keys(WEBHOOK_FAULTS)])}`,
      );
    },
    lostAnswer(operation, options = {}) {
      requireOpen();
      nextCall("faults.lostAnswer", operation, "reset_after", checked("faults.lostAnswer", options, lostOptions));
    },
    locked(documentId, options = {}) {
      requireOpen();
      const expires_in = checked("faults.locked", options, lockOptions).for;
      lock(tenant, "faults.locked", documentId, "lock", expires_in === undefined ? {} : { expires_in });
    },
    unlock(documentId) {
      requireOpen();
      lock(tenant, "faults.unlock", documentId, "unlock", {});
    },
    pending: () => [
      ...new Set([...rules.pending(), ...scenarioRunner.deliveryRules.pending()].filter(isFault).map((rule) => rule.name)),
    ],
    clear() {
      requireOpen();
      for (const rule of rules.list().filter(isFault)) rules.remove(rule.id);
      for (const rule of scenarioRunner.deliveryRules.list().filter(isFault)) scenarioRunner.deliveryRules.remove(rule.id);
    },
  };
}

/** An option without effect would hide a mistake. */
function refuseForeign(method: string, fault: string, options: object, takes: readonly string[]): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !takes.includes(name))
      throw new SettingsError(`${method}: ${fault} does not take the option ${name}; it takes ${takes.join(", ")}`);
}

function lock(tenant: Tenant, method: string, id: string, name: "lock" | "unlock", input: { expires_in?: string }): void {
  const { store, world } = tenant;
  named(method, () => store.transaction(() => act(world, requireDocument(world, id).id, name, input)));
}
