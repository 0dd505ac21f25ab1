import { documentContext, deliveryContext, entryContext } from "../../scenario/request-context.ts";
import type { Expectations } from "../../scenario/effect.ts";
import { type CountLimits, isWithin, limitWords, withDefaultLimit } from "../../core/count-limits.ts";
import { matches } from "../../engine/rules.ts";
import type { JournalEntry } from "../../engine/journal.ts";
import { lintClient } from "../lint/client-lint.ts";
import { adviceLine } from "../lint/finding.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Unmet } from "./unmet.ts";

export interface Checked {
  part: Unmet["part"];
  text: string;
  unmet: Unmet[];
}

export function checkExpectations(tenant: Tenant, expect: Expectations): Checked[] {
  const as = (part: Unmet["part"], text: string, unmet: Unmet[]): Checked => ({ part, text, unmet });
  return [
    ...expect.requests.map((one) =>
      as("requests", one.text, checkCount("requests", one.text, one, matchingExchanges(tenant, one.when).length)),
    ),
    ...(expect.requests.some((one) => one.order !== undefined)
      ? [as("requests", "requests come in their order", checkOrder(tenant, expect))]
      : []),
    ...expect.documents.map((one) => as("documents", one.text, checkDocuments(tenant, one))),
    ...expect.deliveries.map((one) => as("deliveries", one.text, checkDeliveries(tenant, one))),
    ...expect.emails.map((one) => as("emails", one.text, checkEmails(tenant, one))),
    ...(expect.rules_used ? [as("rules_used", "every rule acted", checkRules(tenant, expect))] : []),
    ...(expect.unmatched ? [as("unmatched", "every request has an operation", checkUnmatched(tenant))] : []),
    ...(expect.contract || expect.contract_without?.length
      ? [as("contract", "client lint finds nothing", checkContract(tenant, expect))]
      : []),
  ];
}

export function unmetExpectations(tenant: Tenant, expect: Expectations): Unmet[] {
  return checkExpectations(tenant, expect).flatMap((one) => one.unmet);
}

function checkCount(part: Unmet["part"], text: string, limits: CountLimits, found: number): Unmet[] {
  if (isWithin(found, limits)) return [];
  return [{ part, text, expected: limits.times === 0 ? "none" : limitWords(limits), found: String(found) }];
}

function matchingExchanges(tenant: Tenant, when: Parameters<typeof matches>[0]): JournalEntry[] {
  return tenant.journal
    .all()
    .filter((entry) => matches(when, entryContext(entry, tenant.id, tenant.store.documents.get(entry.subject ?? ""))));
}

function checkOrder(tenant: Tenant, expect: Expectations): Unmet[] {
  const ordered = expect.requests
    .filter((one) => one.order !== undefined)
    .sort((a, b) => (a.order as number) - (b.order as number));
  const all = tenant.journal.all();
  let after = -1;
  for (const one of ordered) {
    const wanted = new Set(matchingExchanges(tenant, one.when));
    const at = all.findIndex((entry, i) => i > after && wanted.has(entry));
    if (at < 0) {
      const found = wanted.size > 0 ? "earlier than its predecessor" : "never";
      return [{ part: "requests", text: one.text, expected: `as number ${one.order} of the order`, found }];
    }
    after = at;
  }
  return [];
}

function checkDocuments(tenant: Tenant, one: Expectations["documents"][number]): Unmet[] {
  const documents = tenant.store.documents
    .all()
    .filter((row) => row.internal.deleted_at === null && matches(one.document, documentContext(row)));
  const unmet = checkCount("documents", one.text, withDefaultLimit(one), documents.length);
  for (const document of documents) {
    if (one.status !== undefined && document.status !== one.status) {
      unmet.push({ part: "documents", text: `${one.text}, ${document.name}`, expected: one.status, found: document.status });
    }
    const { path } = document.internal;
    if (one.path && one.path.join() !== path.join()) {
      unmet.push({
        part: "documents",
        text: `${one.text}, path of ${document.name}`,
        expected: one.path.join(" → "),
        found: path.join(" → "),
      });
    }
  }
  return unmet;
}

function checkDeliveries(tenant: Tenant, one: Expectations["deliveries"][number]): Unmet[] {
  const rows = tenant.store.deliveries.all().filter((row) => {
    if (!matches(one.match, deliveryContext(row, "", 0, tenant.store.documents.get(row.subject)))) return false;
    if (one.acknowledged !== undefined && (row.state === "delivered") !== one.acknowledged) return false;
    return one.attempts === undefined || row.attempts.length === one.attempts;
  });
  const unmet = checkCount("deliveries", one.text, one, rows.length);
  if (tenant.store.subscriptions.size > 0) return unmet;
  return unmet.map((line) => ({ ...line, found: `${line.found}, as nobody has subscribed to webhooks` }));
}

function checkEmails(tenant: Tenant, one: Expectations["emails"][number]): Unmet[] {
  const rows = tenant.store.emails
    .all()
    .filter((row) => matches(one.match, (name) => ({ to: row.to, subject: row.subject, kind: row.kind })[name]));
  return checkCount("emails", one.text, one, rows.length);
}

function checkRules(tenant: Tenant, expect: Expectations): Unmet[] {
  if (!expect.rules_used) return [];
  const { except } = expect.rules_used;
  return [
    ...tenant.rules.pending(),
    ...tenant.scenarioRunner.deliveryRules.pending(),
    ...tenant.scenarioRunner.turnRules.pending(),
  ]
    .filter((rule) => !except.includes(rule.name))
    .map((rule) => ({
      part: "rules_used" as const,
      text: `rule ${rule.name}`,
      expected: rule.times === undefined ? "at least 1 hit" : hits(rule.times),
      found: hits(rule.hits),
    }));
}

function hits(count: number): string {
  return `${count} hit${count === 1 ? "" : "s"}`;
}

function checkUnmatched(tenant: Tenant): Unmet[] {
  return tenant.journal.all().flatMap((one) => {
    if (one.operationId !== undefined) return [];
    const text = `${one.method} ${one.url}`;
    return [{ part: "unmatched", text, expected: "no request without an operation", found: one.why ?? "" }];
  });
}

function checkContract(tenant: Tenant, { contract, contract_without: unwanted = [] }: Expectations): Unmet[] {
  const findings = lintClient(tenant).filter(({ kind }) => contract || unwanted.includes(kind));
  return findings.map((one) => ({ part: "contract", text: one.kind, expected: "a clean contract", found: adviceLine(one) }));
}

export function reportUnmet(unmet: readonly Unmet[]): string {
  return unmet.map((one) => `✗ ${unmetLine(one)}`).join("\n");
}

export function unmetLine({ part, text, expected, found }: Unmet): string {
  // A description without a note already begins with the part. A note may be a sentence.
  return `${text.startsWith(part) ? "" : `${part}: `}${text.replace(/\.$/, "")}: expected ${expected}, found ${found}`;
}
