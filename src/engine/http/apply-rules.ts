import { tooManyRequests } from "../core/errors.ts";
import type { ArmedRule } from "../rules/rules.ts";
import { hitWindow } from "../jobs/rate-limit.ts";
import { type Effect, statusOf } from "../scenario/rule-schema.ts";
import { faultsOf } from "../scenario/test-values.ts";
import {
  type Answer,
  type Call,
  errorAnswer,
  JSON_HEADERS,
  NO_ANSWER,
  type OperationCall,
  RuleAnswer,
  subjectOf,
} from "./call.ts";
import { patched } from "./change-answer.ts";
import { injectedError, makeError } from "./injected-error.ts";
import { holdCall } from "./hold.ts";

/** Applies the rules, then the faults that the data of the subject asks for. @throws the injected refusal, or RuleAnswer */
export async function applyAllBefore(call: OperationCall): Promise<void> {
  await applyRulesBefore(call);
  applySubjectFault(call);
}

export async function applyRulesBefore(call: Call): Promise<void> {
  for (const rule of call.rules) {
    call.entry.rule ??= rule.name;
    if (rule.effect.phase === "before") await pause(call, rule);
    applyBefore(call, rule);
  }
}

function applyBefore(call: Call, rule: ArmedRule<Effect>): void {
  const { effect } = rule;
  if (effect.rate_limit) {
    const { limit, window } = effect.rate_limit;
    rule.windows ??= {};
    // Without a sign before it, a credential such as `__proto__` would name an inherited member.
    const key = `=${call.caller?.credential ?? ""}`;
    rule.windows[key] ??= [];
    const wait = hitWindow(rule.windows[key], limit, window, call.tenant.clock.now());
    call.entry.injected ||= wait > 0;
    if (wait > 0) call.acted.add(rule);
    if (wait > 0) throw tooManyRequests(wait / 1000, `rule ${rule.name} allows ${limit} calls in ${window} ms`);
  }
  if (effect.phase === "after") return;
  const error = injectedError(rule, call);
  const isLost = effect.network !== undefined && effect.network !== "slow" && effect.network !== "truncate";
  const isTaken = error !== undefined || effect.respond !== undefined || isLost;
  call.entry.injected ||= isTaken;
  if (isTaken) call.acted.add(rule);
  if (error && effect.lasting) makeTrue(call, effect);
  if (error) throw error;
  if (effect.respond) throw new RuleAnswer(respondWith(effect.respond));
  if (isLost) throw new RuleAnswer(NO_ANSWER);
}

function makeTrue(call: Call, { error }: Effect): void {
  const { tenant, caller } = call;
  const { access, subjects } = tenant.service;
  const subject = subjectOf(call);
  tenant.store.transaction(() => {
    if (error === "not_found" && subject) subjects.remove(tenant.world, subject);
    if (error === "unauthorized" && caller) access.endCredentials(tenant.world, caller);
  });
}

/** Applies the faults that the data of a subject asks for. */
export function applySubjectFault(call: OperationCall): void {
  const { service, store, world } = call.tenant;
  const subject = subjectOf(call);
  const asked = subject && service.subjects.faults(subject);
  if (!asked) return;
  const fault = faultsOf(asked.wanted)[asked.given];
  if (fault === undefined) return;
  if (fault !== "ok" && !call.target.operation.errors.includes(statusOf(fault))) return;
  store.transaction(() => service.subjects.withFaultGiven(world, subject));
  if (fault === "ok") return;
  call.entry.rule = asked.rule;
  call.entry.injected = true;
  throw makeError({ error: fault, phase: "before" }, asked.why, call);
}

export async function applyAfter(call: OperationCall, rule: ArmedRule<Effect>, answer: Answer): Promise<Answer> {
  const { effect } = rule;
  if (effect.processing !== undefined && delayProcessing(call, effect.processing)) call.acted.add(rule);
  if (effect.phase !== "after") return answer;
  await pause(call, rule);
  const error = injectedError(rule, call);
  const isTaken = error !== undefined || effect.respond !== undefined;
  call.entry.injected ||= isTaken;
  if (isTaken) call.acted.add(rule);
  if (error) return errorAnswer(call, error);
  return effect.respond ? respondWith(effect.respond) : answer;
}

/** Changes the operation's own answer as the rules say. */
export function applyOwnAnswer(call: OperationCall, answer: Answer): Answer {
  if (call.past) {
    call.entry.injected = true;
    call.acted.add(call.past);
  }
  return patched(call, answer);
}

/** Returns false when the call made no subject that is processed. */
function delayProcessing(call: OperationCall, wait_ms: number): boolean {
  const { service, store, world } = call.tenant;
  const created = call.reply?.status === 201 ? (call.reply.body as { id?: unknown } | undefined) : undefined;
  const subject = service.subjects.find(world, String(created?.id));
  return subject !== undefined && store.transaction(() => service.subjects.delayProcessing(world, subject, wait_ms));
}

/** Rules that matched and changed nothing do not count as used. For example, a rate limit that no call exceeds. */
export function countIdleRules(call: Call): void {
  for (const rule of call.rules) if (!call.acted.has(rule)) call.tenant.rules.hadNoEffect(rule);
}

const BODILESS = new Set([204, 205, 304]);

export function respondWith(respond: NonNullable<Effect["respond"]>): Answer {
  const isText = typeof respond.body === "string";
  const hasNone = respond.body === undefined || respond.body === null || BODILESS.has(respond.status);
  const body = hasNone ? null : isText ? (respond.body as string) : JSON.stringify(respond.body);
  const typeHeader = body !== null && !isText ? JSON_HEADERS : {};
  // In lower case, so that a rule's Content-Type replaces the default.
  const headers = Object.entries(respond.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { status: respond.status, headers: { ...typeHeader, ...Object.fromEntries(headers) }, body };
}

/** The seed decides the length of a delay. */
async function pause(call: Call, rule: ArmedRule<Effect>): Promise<void> {
  if (rule.effect.hold) await holdCall(call, rule, rule.effect.hold);
  const { delay } = rule.effect;
  if (!delay) return;
  const wait = call.tenant.requestIds.between(delay.min, delay.max);
  if (delay.max > 0) call.acted.add(rule);
  await call.tenant.pauseAnswer(wait);
}
