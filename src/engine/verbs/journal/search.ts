import * as z from "zod";
import { badRequest } from "../../core/errors.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import type { Conditions } from "../../rules/rules.ts";
import { differencesOf, missedBy } from "../../runtime/search.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import { journalWhen } from "../../scenario/matchers-schema.ts";
import { problemsIn } from "../../scenario/parse.ts";
import { callView, toCallView } from "./call-view.ts";

export const conditions = () =>
  z
    .looseObject({})
    .describe("conditions of a rule: operation, method, path, query, headers, body, document, tool and status of the answer");

/** An unknown name matches nothing, so a search for it proves nothing. @throws 400, which names each mistake */
export function readConditions({ service: { language } }: Tenant, given: object, name?: string): Conditions {
  const schema = journalWhen(language);
  const result = schema.safeParse(given, { reportInput: true });
  if (result.success) return result.data;
  const mistakes = problemsIn(result.error.issues, schema).map(({ sentence }) => sentence);
  throw badRequest(mistakes.map((one) => (name === undefined ? one : `${name}: ${one}`)).join("; "));
}

export const NEAREST_MAX = 3;

/** All calls, the nearest first, and the latest first of those that miss equally many conditions. */
export function nearestCalls(tenant: Tenant, when: Conditions): { entry: JournalEntry; missed: number }[] {
  return tenant.journal
    .all()
    .reverse()
    .map((entry) => ({ entry, missed: missedBy(tenant, when, entry).length }))
    .sort((a, b) => a.missed - b.missed);
}

export const nearCallView = () =>
  z.strictObject({
    call: callView(),
    differences: z.array(z.strictObject({ criterion: z.string(), expected: z.unknown(), actual: z.unknown() })),
  });

export function toNearCall(tenant: Tenant, when: Conditions, entry: JournalEntry) {
  return { call: toCallView(entry, tenant), differences: differencesOf(tenant, when, entry) };
}
