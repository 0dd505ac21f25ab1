import { documentContext, deliveryContext, entryContext } from "../../scenario/request-context.ts";
import type { Expectations } from "../../scenario/effect.ts";
import { type CountLimits, isWithin, limitWords, orAtLeastOne } from "../../core/count-limits.ts";
import { matches } from "../../engine/rules.ts";
import type { JournalEntry } from "../../engine/journal.ts";
import { lintClient } from "../lint/client-lint.ts";
import type { Tenant } from "../tenants/tenant.ts";

export interface Unmet {
  part: "requests" | "documents" | "deliveries" | "emails" | "rules_used" | "unmatched" | "contract";
  /** The expectation's `note`, or a description of its match. */
  text: string;
  expected: string;
  found: string;
}

/** The expectations of `expect` that fail now. */
export function unmetExpectations(tenant: Tenant, expect: Expectations): Unmet[] {
  return [
    ...expect.requests.flatMap((one) => checkCount("requests", one.text, one, matchingExchanges(tenant, one.when).length)),
    ...checkOrder(tenant, expect),
    ...expect.documents.flatMap((one) => checkDocuments(tenant, one)),
    ...expect.deliveries.flatMap((one) => checkDeliveries(tenant, one)),
    ...expect.emails.flatMap((one) => checkEmails(tenant, one)),
    ...checkRules(tenant, expect),
    ...checkJournal(tenant, expect),
  ];
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

/** Checks that requests with an `order` came in that order. */
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
      const found = wanted.size > 0 ? "earlier than the one before it" : "never";
      return [{ part: "requests", text: one.text, expected: `in place ${one.order} of the order`, found }];
    }
    after = at;
  }
  return [];
}

function checkDocuments(tenant: Tenant, one: Expectations["documents"][number]): Unmet[] {
  const documents = tenant.store.documents
    .all()
    .filter((row) => row.internal.deleted_at === null && matches(one.document, documentContext(row)));
  const unmet = checkCount("documents", one.text, orAtLeastOne(one), documents.length);
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
  return [...tenant.rules.pending(), ...tenant.scenarioRunner.deliveryRules.pending()]
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

function checkJournal(tenant: Tenant, expect: Expectations): Unmet[] {
  const unmet: Unmet[] = [];
  if (expect.unmatched) {
    for (const one of tenant.journal.all()) {
      if (one.operationId === undefined)
        unmet.push({
          part: "unmatched",
          text: `${one.method} ${one.url}`,
          expected: "no request without an operation",
          found: one.why ?? "",
        });
    }
  }
  if (expect.contract) {
    for (const one of lintClient(tenant))
      unmet.push({ part: "contract", text: one.kind, expected: "a clean contract", found: one.message });
  }
  return unmet;
}

/** Formats failed expectations for people, one per line. */
export function reportUnmet(unmet: readonly Unmet[]): string {
  return unmet.map((one) => `✗ ${one.part}: ${one.text}: expected ${one.expected}, found ${one.found}`).join("\n");
}
