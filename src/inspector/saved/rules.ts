import { parseLeniently } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Tenant } from "../../service/service.ts";
import type { Story } from "./story.ts";

type Written = Record<string, unknown>;

/** Rules use the notation of scenario files. A rule for a later call comes first, so that it also counts the earlier calls. */
export function faultRules(tenant: Tenant, { steps }: Story): Written[] {
  const counts = new Map<string, number>();
  const rules: Written[] = [];
  for (const step of steps) {
    if (step.kind !== "call") continue;
    const { call } = step;
    const name = call.subject === undefined ? undefined : tenant.store.documents.get(call.subject)?.name;
    const key = `${call.operationId} ${name ?? ""}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    if (call.rule === undefined) continue;
    const when = { operation: call.operationId, ...(name === undefined ? {} : { document: { name } }), call: { nth } };
    rules.push({ name: `${call.rule}, call ${nth} of ${key.trim()}`, when, then: { ...thenOf(tenant, call), times: 1 } });
  }
  return rules.reverse();
}

function thenOf(tenant: Tenant, call: JournalEntry): Written {
  const rule = tenant.rules.list().find((one) => one.name === call.rule);
  const then = (rule?.written as { then?: Written } | undefined)?.then;
  const { times: _, fallthrough: __, rate_limit, ...rest } = then ?? {};
  if (then && rate_limit === undefined) return rest;
  if (call.status === undefined) return { network: "reset", phase: call.own === undefined ? "before" : "after" };
  const { "retry-after": retryAfter, "content-type": type } = call.responseHeaders;
  const body = parseLeniently(call.responseBody);
  const headers = { ...(type ? { "content-type": type } : {}), ...(retryAfter ? { "retry-after": retryAfter } : {}) };
  return { respond: { status: call.status, headers, body: body === undefined ? call.responseBody : body }, undeclared: true };
}

export function deliveryRules(tenant: Tenant, { documents }: Story): Written[] {
  const names = new Map(documents.map((row) => [row.id, row.name]));
  const seen = new Set<string>();
  return tenant.scenarioRunner.deliveryRules.list().flatMap((rule): Written[] => {
    const written = rule.written as { name: string; when?: { document?: { id?: unknown } }; then: Written } | undefined;
    if (!written || rule.hits === 0 || seen.has(`${rule.source}/${rule.name}`)) return [];
    seen.add(`${rule.source}/${rule.name}`);
    const id = written.when?.document?.id;
    if (typeof id !== "string") return [written];
    const name = names.get(id);
    return name === undefined ? [] : [{ ...written, when: { ...written.when, document: { name } } }];
  });
}
