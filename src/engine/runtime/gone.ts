/** Judges what a limit deleted: calls of the journal, deliveries and messages. A count that may be incomplete proves no upper bound. */
import type { CountRange } from "../core/count-limits.ts";
import type { Fit } from "../core/tally.ts";
import { ApiError } from "../core/errors.ts";
import type { RowTraits } from "../journal/gone-rows.ts";
import type { CallTraits } from "../journal/journal.ts";
import { type Matcher, matchesAttribute } from "../rules/rules.ts";
import type { Tables } from "../store/store.ts";
import type { Tenant } from "./tenants/tenant.ts";
import type { RequestPattern } from "../rules/pattern-types.ts";

const NONE: CountRange = { min: 0, max: 0 };

/** @param isWhole whether the traits answer the whole question when they fit */
function fitOf(fits: boolean, isWhole: boolean): Fit {
  return fits ? (isWhole ? "yes" : "perhaps") : "no";
}

function isAsked(value: unknown): boolean {
  if (value === undefined) return false;
  return typeof value !== "object" || value === null || Object.keys(value).length > 0;
}

/** Judges dropped calls by a WireMock pattern. */
export function patternFit({ operationId, method, status, ...more }: RequestPattern): (calls: CallTraits) => Fit {
  const isWhole = !Object.values(more).some(isAsked);
  const verb = method === "ANY" ? undefined : method?.toUpperCase();
  return (calls) =>
    fitOf(
      (operationId === undefined || operationId === calls.operationId) &&
        (verb === undefined || verb === calls.method) &&
        (status === undefined || status === calls.status),
      isWhole,
    );
}

/** Judges by named attributes, of which `known` gives those that survive. */
export function attributesFit<Traits>(
  when: Readonly<Record<string, Matcher>>,
  known: (traits: Traits) => Readonly<Record<string, unknown>>,
): (traits: Traits) => Fit {
  return (traits) => {
    const values = known(traits);
    const asked = Object.entries(when);
    const told = asked.filter(([name]) => Object.hasOwn(values, name));
    return fitOf(
      told.every(([name, matcher]) => matchesAttribute(values[name], matcher)),
      told.length === asked.length,
    );
  };
}

export function conditionsFit(when: Readonly<Record<string, Matcher>>, tenant: string): (calls: CallTraits) => Fit {
  return attributesFit(when, ({ operationId, method, status, tool }) => ({
    operation: operationId,
    method,
    status,
    tool,
    tenant,
  }));
}

export function goneCalls(tenant: Tenant, fits: (calls: CallTraits) => Fit): CountRange {
  return tenant.journal.dropped === 0 ? NONE : tenant.journal.gone.range(fits);
}

export function goneRows(tenant: Tenant, collection: string, fits: (row: RowTraits) => Fit): CountRange {
  return tenant.goneRows.range((row) => (row.collection === collection ? fits(row) : "no"));
}

/** Counts what is left and what is gone. */
export function withGone(left: number, { min, max }: CountRange): CountRange {
  return { min: left + min, max: left + max };
}

/** Refuses a list of rows that may lack some. @throws 422 */
export function requireWholeRows(tenant: Tenant, collection: string, left: number, fits: (row: RowTraits) => Fit): void {
  const gone = goneRows(tenant, collection, fits);
  if (gone.max === 0) return;
  const noun = collection === "emails" ? "mails" : collection;
  const detail = `Found ${left} ${noun} among those that are left. ${goneRowsNote(tenant, collection, { ...gone, min: 0 })}`;
  throw new ApiError("invalid", detail, { status: 422 });
}

/** Judges by exact values of members that survive, and by others that do not. */
export function membersFit(known: Partial<RowTraits>, others: readonly unknown[]): (row: RowTraits) => Fit {
  return (row) =>
    fitOf(
      Object.entries(known).every(([name, value]) => value === undefined || row[name as keyof RowTraits] === value),
      others.every((one) => one === undefined),
    );
}

/** Tells how many calls are gone, how many of them may match, and how to keep more. */
export function goneCallsNote(tenant: Tenant, { min, max }: CountRange): string {
  const { dropped, entriesMax } = tenant.journal;
  const cause = `the journal keeps ${entriesMax} calls and a limited number of bytes`;
  return `${dropped} older calls are gone, because ${cause}. ${mayMatch(max - min)} To keep more calls, raise the option journalMax (--journal-max). Or clear the journal before the part to verify.`;
}

export function goneRowsNote(tenant: Tenant, collection: string, { min, max }: CountRange): string {
  const noun = collection === "emails" ? "mails" : collection;
  const tables: Tables = tenant.service.tables;
  const cause = `docdouble keeps the latest ${tables[collection]?.bound?.maxRows} ${noun}`;
  return `${tenant.trimmed[collection] ?? 0} older ${noun} are gone, because ${cause}. ${mayMatch(max - min)} Verify earlier, or reset the ${noun} before the part to verify.`;
}

function mayMatch(count: number): string {
  return `Up to ${count} of them may match.`;
}

/** Refuses a question for an exact number or list when dropped calls may belong to it. @throws 422 */
export function requireWholeAnswer(tenant: Tenant, left: number, gone: CountRange): void {
  if (gone.max === 0) return;
  const detail = `Found ${left} calls among those that are left. ${goneCallsNote(tenant, gone)}`;
  throw new ApiError("invalid", detail, {
    status: 422,
    body: { type: "docdouble_not_verified", detail, count: left, gone: tenant.journal.dropped },
  });
}
