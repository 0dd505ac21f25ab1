import { limitsOf } from "../core/count-limits.ts";
import type { z } from "zod";
import type { Matcher, Rule, WrittenRule } from "../rules/rules.ts";
import {
  type Actor,
  type DeliveryEffect,
  type Effect,
  type Expectations,
  type Hold,
  statusOf,
  type Substitute,
  type TimerSpec,
} from "./effect.ts";
import type { expectSchema, timerSchema, webhookRule } from "./later-schema.ts";
import { globSource, type requestWhen } from "./matchers-schema.ts";
import { fitsGlob, hint } from "../core/text.ts";
import { unknownPlaces } from "./answer-paths.ts";
import type { Language } from "./language.ts";
import type { Path } from "./parse.ts";
import type { CheckedRule, CheckedScenario } from "./schema.ts";

export function checkRule(rule: CheckedRule, language: Language): [Path, string][] {
  const mistakes: [Path, string][] = [];
  const named = rule.when.operation === undefined ? [] : [rule.when.operation].flat();
  for (const [i, name] of named.entries()) {
    const path = Array.isArray(rule.when.operation) ? ["when", "operation", i] : ["when", "operation"];
    for (const message of requestNames(name, language.ids())) mistakes.push([path, message]);
  }
  mistakes.push(...checkReading(rule, named, language));
  const status = rule.then.respond?.status ?? (rule.then.error && statusOf(rule.then.error));
  if (status === undefined || rule.then.undeclared) return mistakes;
  const part = rule.then.error ? "error" : "respond";
  const allow = "to allow it, add undeclared: true";
  for (const name of named) {
    const ids = operationsOf(name, language.ids());
    const declared = ids.map((id) => language.statusesOf(id)).filter((one) => one !== undefined);
    // Some operation of the pattern must declare the status, but not every operation.
    if (declared.length === 0 || declared.some((one) => one.includes(status))) continue;
    const what = name.includes("*")
      ? `no operation that fits "${name}" declares ${status}`
      : `${name} does not declare ${status}`;
    mistakes.push([["then", part], `${what}${name.includes("*") ? "" : `, only ${declared.flat().join(", ")}`}; ${allow}`]);
  }
  return mistakes;
}

/** Mistakes of effects that concern the operation's own answer, and of the call that a hold waits for. */
function checkReading({ then }: CheckedRule, named: readonly string[], language: Language): [Path, string][] {
  const mistakes: [Path, string][] = [];
  const ids = named.flatMap((name) => operationsOf(name, language.ids()));
  if (then.stale !== undefined && ids.length > 0 && !ids.some((id) => language.isRead(id)))
    mistakes.push([["then", "stale"], `only reads can be stale, and ${named.join(", ")} does more than read`]);
  const answers = ids.flatMap((id) => language.answersOf(id));
  if (then.patch && ids.length > 0 && answers.length === 0)
    mistakes.push([["then", "patch"], `${named.join(", ")} has no answer in JSON`]);
  else if (then.patch && ids.length > 0)
    for (const [i, message] of unknownPlaces(then.patch, named.join(", "), answers))
      mistakes.push([["then", "patch", i, "path"], message]);
  const awaited = then.hold?.until.operation;
  for (const [i, name] of [awaited ?? []].flat().entries())
    for (const message of requestNames(name, language.ids()))
      mistakes.push([["then", "hold", "until", "operation", ...(Array.isArray(awaited) ? [i] : [])], message]);
  return mistakes;
}

export function requestNames(operation: string | string[] | undefined, ids: readonly string[]): string[] {
  return (operation === undefined ? [] : [operation].flat())
    .filter((name) => operationsOf(name, ids).length === 0)
    .map((name) => (name.includes("*") ? `no operation fits "${name}"` : `unknown operation "${name}"${hint(name, ids)}`));
}

function operationsOf(name: string, ids: readonly string[]): string[] {
  if (!name.includes("*")) return ids.includes(name) ? [name] : [];
  return ids.filter((id) => fitsGlob(id, name));
}

type RawMatcher = string | number | boolean | null | { [name: string]: unknown };

function toMatcher(raw: RawMatcher): Matcher {
  if (raw === null) return { exists: false };
  return typeof raw === "object" ? (raw as Matcher) : { eq: raw };
}

export function mapMatchers(raw: Readonly<Record<string, unknown>>, prefix = "", lower = false): Record<string, Matcher> {
  return Object.fromEntries(
    Object.entries(raw)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [prefix + (lower ? name.toLowerCase() : name), toMatcher(one as RawMatcher)]),
  );
}

function pathMatcher(path: unknown): unknown {
  return typeof path === "string" && path.includes("*") ? { regex: globSource(path) } : path;
}

type When = Omit<z.output<ReturnType<typeof requestWhen>>, "call" | "tenant"> & { tenant?: unknown };

export function requestConditions(when: When, ids: readonly string[]): Record<string, Matcher> {
  return {
    ...(when.operation === undefined
      ? {}
      : { operation: { in: [when.operation].flat().flatMap((name) => operationsOf(name, ids)) } }),
    ...mapMatchers({
      path: pathMatcher(when.path),
      method: when.method,
      tenant: when.tenant,
      status: when.status,
      tool: when.tool,
    }),
    ...mapMatchers(when.query ?? {}, "query."),
    ...mapMatchers(when.headers ?? {}, "headers.", true),
    ...mapMatchers(when.body ?? {}, "body."),
    ...mapMatchers(when.document ?? {}, "subject."),
  };
}

export function toRule(rule: CheckedRule, source: string, language: Language, raw: unknown): Rule<Effect> {
  const { when, then } = rule;
  const { delay, rate_limit: limit, respond, retry_after, lock, processing, patch, stale, hold } = then;
  return {
    id: `${source}/${rule.name}`,
    name: rule.name,
    source,
    written: toWritten(raw),
    when: requestConditions(when, language.ids()),
    call: when.call && { ...when.call, per: perOf(when.call.per) },
    times: then.times,
    fallthrough: then.fallthrough,
    effect: {
      phase: then.phase,
      error: then.error,
      detail: then.detail,
      retry_after_s: retry_after === undefined ? undefined : Math.ceil(retry_after / 1000),
      lock: lock && { by: lock.by, expires_in_ms: lock.expires_in },
      ...(then.lasting ? { lasting: true } : {}),
      respond: respond && { status: respond.status, headers: respond.headers, body: respond.body },
      network: then.network,
      delay_ms: typeof delay === "number" ? { min: delay, max: delay } : delay,
      rate_limit: limit && { limit: limit.limit, window_ms: limit.window },
      ...(processing === undefined ? {} : { processing_ms: processing }),
      ...(patch ? { patch } : {}),
      ...(stale === undefined ? {} : { stale_ms: stale }),
      ...(hold ? { hold: toHold(hold, language) } : {}),
    },
  };
}

function toHold({ until, at_most }: NonNullable<CheckedRule["then"]["hold"]>, language: Language): Hold {
  const ids = language.ids();
  const operations = [until.operation].flat().flatMap((name) => operationsOf(name, ids));
  return { operations, nth: until.nth, at_most_ms: at_most };
}

/** Calls with an equal attribute of this name count together. */
function perOf(per: string | undefined): string | undefined {
  if (per === "rule") return undefined;
  return per === "document" ? "subject" : per;
}

function toWritten(raw: unknown): WrittenRule {
  const { when, then } = raw as WrittenRule;
  return { when, then };
}

type WebhookInput = z.output<ReturnType<typeof webhookRule>>;

/** Makes one rule for the plan of a delivery and one rule for each attempt. */
export function toDeliveryRules(input: WebhookInput, source: string, raw: unknown): Rule<DeliveryEffect>[] {
  const { when, then } = input;
  const list = (value: string | string[] | undefined) => (value === undefined ? {} : { in: [value].flat() });
  const conditions: Record<string, Matcher> = {
    ...(when.event === undefined ? {} : { event: list(when.event) }),
    ...(when.status === undefined ? {} : { status: list(when.status) }),
    ...mapMatchers({ subscription: when.subscription }),
    ...mapMatchers(when.document ?? {}, "subject."),
  };
  const after = typeof then.after_event === "string" ? { event: then.after_event } : then.after_event;
  const plan: DeliveryEffect = {
    ...(then.drop ? { drop: true } : {}),
    ...(then.delay === undefined ? {} : { delay_ms: then.delay }),
    ...(then.duplicate === undefined ? {} : { copies: then.duplicate + 1 }),
    ...(then.copy_ahead ? { copies_ahead: [then.copy_ahead].flat() } : {}),
    ...(then.respell ? { respell: true } : {}),
    ...(after ? { held_for: { event: after.event, status: after.status ?? null } } : {}),
    ...(then.batch ? { batch: { window_ms: then.batch.window, max: then.batch.max } } : {}),
    ...(then.retries ? { retries_ms: then.retries } : {}),
  };
  const perform: DeliveryEffect = {
    ...(then.signature ? { signed: then.signature } : {}),
    ...(then.attempt_result === undefined ? {} : { result: then.attempt_result }),
  };
  const attempt: Record<string, Matcher> =
    when.attempt === undefined ? {} : { attempt: typeof when.attempt === "number" ? { eq: when.attempt } : when.attempt };
  const common = {
    name: input.name,
    source,
    written: toWritten(raw),
    call: when.nth === undefined ? undefined : { nth: when.nth, of: "delivery" as const },
    times: then.times,
    fallthrough: then.fallthrough,
  };
  const make = (phase: "plan" | "perform", effect: DeliveryEffect, more: Record<string, Matcher>): Rule<DeliveryEffect>[] =>
    Object.keys(effect).length === 0
      ? []
      : [{ ...common, id: `${source}/${input.name}/${phase}`, when: { phase: { eq: phase }, ...conditions, ...more }, effect }];
  return [...make("plan", plan, {}), ...make("perform", perform, attempt)];
}

export function toActor(actor: CheckedScenario["actors"][number], source: string): Actor {
  const participant = actor.recipient;
  return {
    name: actor.name,
    source,
    on: typeof actor.on === "string" ? [actor.on] : actor.on,
    subject: mapMatchers(actor.document ?? {}),
    participant: participant && mapMatchers(participant),
    steps: actor.steps.map((step) => ({ after_ms: step.after, do: step.do, with: step.with })),
  };
}

export function toSubstitute(one: CheckedScenario["instead"][number]): Substitute {
  return {
    of: [one.of].flat(),
    subject: mapMatchers(one.document ?? {}),
    participant: mapMatchers(one.recipient ?? {}),
    do: one.do,
    with: one.with,
  };
}

export function toTimer(timer: z.output<ReturnType<typeof timerSchema>>, index: number): TimerSpec {
  return {
    name: timer.name ?? `timer ${index + 1}`,
    at: timer.at ?? { after_ms: timer.every ?? 0 },
    every_ms: timer.every,
    subject: mapMatchers(timer.document ?? {}),
    do: timer.do,
    with: timer.with,
  };
}

type ExpectInput = z.output<ReturnType<typeof expectSchema>>;

export function toExpectations(input: ExpectInput, language: Language): Expectations {
  return {
    requests: input.requests.map((one) => ({
      when: requestConditions(one.match, language.ids()),
      order: one.order,
      text: one.note ?? `requests ${describe(one.match)}`,
      ...limitsOf(one),
    })),
    tools: input.tools.map(({ name, ...one }) => ({
      when: name === undefined ? { tool: { exists: true } } : mapMatchers({ tool: name }),
      text: one.note ?? `tools ${name === undefined ? "of any name" : describe({ name })}`,
      ...limitsOf(one),
    })),
    subjects: input.documents.map((one) => ({
      subject: mapMatchers(one.match),
      status: one.status,
      path: one.path,
      text: one.note ?? `documents ${describe(one.match)}`,
      times: one.count,
    })),
    deliveries: input.deliveries.map(({ match, ...one }) => ({
      match: deliveryConditions(match),
      acknowledged: one.acknowledged,
      attempts: one.attempts,
      text: one.note ?? `deliveries ${describe({ ...match, acknowledged: one.acknowledged, attempts: one.attempts })}`,
      ...limitsOf(one),
    })),
    messages: input.emails.map((one) => ({
      match: mapMatchers(one.match),
      text: one.note ?? `emails ${describe(one.match)}`,
      ...limitsOf(one),
    })),
    rules_used: input.rules_used === undefined ? undefined : input.rules_used === "all" ? { except: [] } : input.rules_used,
    unmatched: input.unmatched === "none",
    contract: input.contract === "clean",
    contract_without: typeof input.contract === "object" ? input.contract.without : [],
    client: input.client ?? {},
  };
}

function deliveryConditions({ document = {}, ...others }: ExpectInput["deliveries"][number]["match"]): Record<string, Matcher> {
  return { ...mapMatchers(others), ...mapMatchers(document, "subject.") };
}

function describe(match: object): string {
  const text = JSON.stringify(match);
  return text === "{}" ? "of any kind" : text;
}
