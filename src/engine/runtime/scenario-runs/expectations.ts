import { deliveryContext } from "../../scenario/request-context.ts";
import type { Expectations } from "../../scenario/expect-schema.ts";
import { boundsOf, type CountLimits, judgeCount, limitWords } from "../../core/count-limits.ts";
import { type ArmedRule, type Conditions, matches } from "../../rules/rules.ts";
import { progressOf } from "../../rules/rule-progress.ts";
import { callsThatMeet, subjectContext } from "../search.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { droppedNote } from "../dropped.ts";
import type { Unmet } from "./unmet.ts";

export interface Checked {
  part: Unmet["part"];
  text: string;
  unmet: Unmet[];
  /** No later call, delivery or message can meet it, because counts only grow. */
  isLost?: boolean;
}

/** What a check found, before its answer. */
interface Found extends Unmet {
  isLost?: boolean;
}

export function checkExpectations(tenant: Tenant, expect: Expectations): Checked[] {
  const as = (part: Unmet["part"], text: string, found: readonly Found[]): Checked => ({
    part,
    text,
    unmet: found.map(({ isLost: _, ...one }) => one),
    isLost: found.some((one) => one.isLost === true),
  });
  return [
    ...expect.requests.map((one) => as("requests", one.text, checkCalls("requests", tenant, one, one.match))),
    ...(expect.requests.some((one) => one.order !== undefined)
      ? [as("requests", "requests come in their order", checkOrder(tenant, expect))]
      : []),
    ...expect.tools.map((one) => as("tools", one.text, checkCalls("tools", tenant, one, { tool: one.name }))),
    ...expect.documents.map((one) => as(`documents`, one.text, checkSubjects(tenant, one))),
    ...expect.deliveries.map((one) => as("deliveries", one.text, checkDeliveries(tenant, one))),
    ...expect.emails.map((one) => as("emails", one.text, checkMessages(tenant, one))),
    ...(expect.rules_used ? [as("rules_used", "every rule acted", checkRules(tenant, expect))] : []),
    ...(expect.unmatched ? [as("unmatched", "every request has an operation", checkUnmatched(tenant))] : []),
    ...(expect.contract.length > 0 ? [as("contract", "client lint finds nothing", checkContract(tenant, expect))] : []),
  ];
}

export function unmetExpectations(tenant: Tenant, expect: Expectations): Unmet[] {
  return checkExpectations(tenant, expect).flatMap((one) => one.unmet);
}

/** @param note why the count may be too low */
function checkCount(part: Unmet["part"], text: string, limits: CountLimits, count: number, note?: string): Found[] {
  const judged = judgeCount(count, limits, note === undefined);
  if (judged === "met") return [];
  const found = judged === "unproven" ? `${count}, and ${note}` : String(count);
  const { most } = boundsOf(limits);
  return [{ part, text, expected: most === 0 ? "none" : limitWords(limits), found, isLost: count > most }];
}

function checkCalls(part: "requests" | "tools", tenant: Tenant, one: CountLimits & { text: string }, when: Conditions): Found[] {
  return checkCount(part, one.text, one, callsThatMeet(tenant, when).length, droppedNote(tenant, "requests"));
}

function checkOrder(tenant: Tenant, expect: Expectations): Unmet[] {
  const ordered = expect.requests
    .filter((one) => one.order !== undefined)
    .sort((a, b) => (a.order as number) - (b.order as number));
  const all = tenant.journal.all();
  let after = -1;
  for (const one of ordered) {
    const wanted = new Set(callsThatMeet(tenant, one.match));
    const at = all.findIndex((entry, i) => i > after && wanted.has(entry));
    if (at < 0) {
      const place = wanted.size > 0 ? "earlier than its predecessor" : "never";
      const note = droppedNote(tenant, "requests");
      const found = note === undefined ? place : `${place}, and ${note}`;
      return [{ part: "requests", text: one.text, expected: `as number ${one.order} of the order`, found }];
    }
    after = at;
  }
  return [];
}

function checkSubjects(tenant: Tenant, one: Expectations["documents"][number]): Found[] {
  const { subjects } = tenant.service;
  const part = `documents`;
  const rows = subjects.all(tenant.world).filter((row) => matches(one.match, subjects.attributes(row)));
  // A change can take a row out of the count, so nothing is lost.
  const unmet: Found[] = checkCount(part, one.text, { times: one.count }, rows.length).map((found) => ({
    ...found,
    isLost: false,
  }));
  for (const row of rows) {
    const { name, path } = subjects.describe(row);
    if (one.status !== undefined && row.status !== one.status)
      unmet.push({ part, text: `${one.text}, ${name}`, expected: one.status, found: row.status });
    if (one.path && one.path.join() !== path.join())
      unmet.push({
        ...{ part, text: `${one.text}, path of ${name}`, expected: one.path.join(" → "), found: path.join(" → ") },
        isLost: path.some((status, i) => status !== one.path?.[i]),
      });
  }
  return unmet;
}

function checkDeliveries(tenant: Tenant, one: Expectations["deliveries"][number]): Found[] {
  const rows = tenant.store.deliveries.all().filter((row) => {
    if (!matches(one.match as Conditions, deliveryContext(row, "", 0, subjectContext(tenant, row.subject).row))) return false;
    if (one.acknowledged !== undefined && (row.state === "delivered") !== one.acknowledged) return false;
    return one.attempts === undefined || row.attempts.length === one.attempts;
  });
  const unmet = checkCount("deliveries", one.text, one, rows.length, droppedNote(tenant, "deliveries"));
  if (tenant.service.deliveries.hasSubscribers(tenant.world)) return unmet;
  return unmet.map((line) => ({ ...line, found: `${line.found}, as nobody has subscribed to webhooks` }));
}

function checkMessages(tenant: Tenant, one: Expectations["emails"][number]): Found[] {
  const rows = tenant.service.messages
    .all(tenant.world)
    .filter((row) => matches(one.match as Conditions, (name) => ({ to: row.to, subject: row.subject, kind: row.kind })[name]));
  return checkCount("emails", one.text, one, rows.length, droppedNote(tenant, "emails"));
}

function checkRules(tenant: Tenant, expect: Expectations): Unmet[] {
  const except = typeof expect.rules_used === "object" ? expect.rules_used.except : [];
  const { deliveryRules, turnRules } = tenant.scenarioRunner;
  const pending: [rule: ArmedRule<unknown>, noun: string][] = [
    ...tenant.rules.pending().map((rule): [ArmedRule<unknown>, string] => [rule, "call"]),
    ...deliveryRules.pending().map((rule): [ArmedRule<unknown>, string] => [rule, deliveryNoun(rule)]),
    ...turnRules.pending().map((rule): [ArmedRule<unknown>, string] => [rule, "turn"]),
  ];
  return pending
    .filter(([rule]) => !except.includes(rule.name))
    .map(([rule, noun]) => ({
      part: "rules_used" as const,
      text: `rule ${rule.name}`,
      expected: rule.times === undefined ? "at least 1 hit" : hits(rule.times),
      found: progressOf(rule, noun),
    }));
}

/** A rule for a plan counts deliveries, and a rule for attempts counts attempts. */
export function deliveryNoun({ when }: Pick<ArmedRule<unknown>, "when">): string {
  return when.phase?.eq === "plan" ? "delivery" : "attempt";
}

function hits(count: number): string {
  return `${count} hit${count === 1 ? "" : "s"}`;
}

function checkUnmatched(tenant: Tenant): Found[] {
  const expected = "no request without an operation";
  const left = tenant.journal.all().flatMap((one): Found[] => {
    if (one.operationId !== undefined) return [];
    return [{ part: "unmatched", text: `${one.method} ${one.url}`, expected, found: one.why ?? "", isLost: true }];
  });
  const found = droppedNote(tenant, "requests");
  return found === undefined ? left : [...left, { part: "unmatched", text: "older calls", expected, found }];
}

function checkContract(tenant: Tenant, { contract }: Expectations): Found[] {
  const { findings, unread } = tenant.inspection.lint(tenant);
  const expected = "a clean contract";
  const unmet = findings
    .filter(({ kind }) => contract.includes("*") || contract.includes(kind))
    .map((one): Found => ({ part: "contract", text: one.kind, expected, found: tenant.inspection.advice(one), isLost: true }));
  if (unread === undefined) return unmet;
  return [...unmet, { part: "contract", text: "client lint", expected, found: `an incomplete list: ${unread}` }];
}

export function reportUnmet(unmet: readonly Unmet[]): string {
  return unmet.map((one) => `✗ ${unmetLine(one)}`).join("\n");
}

export function unmetLine({ part, text, expected, found }: Unmet): string {
  // A description without a note already begins with the part. A note may be a sentence.
  return `${text.startsWith(part) ? "" : `${part}: `}${text.replace(/\.$/, "")}: expected ${expected}, found ${found}`;
}
