/** The calls that are nearest to a pattern, for refusals of a verification and for `journal.nearest`. */
import * as z from "zod";
import { badRequest } from "../../core/errors.ts";
import { noSuch } from "../../core/text.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import type { Difference, RequestPattern } from "../../rules/pattern-types.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import { loggedRequestView, toLoggedRequest } from "./journal-view.ts";
import { comparison } from "./request-pattern.ts";

export const NEAREST_MAX = 3;

export interface NearCall {
  entry: JournalEntry;
  /** How many conditions it misses. */
  failed: number;
  differences(): Difference[];
}

/** An unknown operation never matches, so a test for its absence proves nothing. @throws 400 */
export function requireKnownOperation({ service: { language, pageIds } }: Tenant, { operationId }: RequestPattern): void {
  if (operationId === undefined) return;
  const known = [...language.ids(), ...pageIds];
  if (!known.includes(operationId)) throw badRequest(noSuch("operation", operationId, known));
}

/** All calls, the nearest first, and the latest first of those that miss equally many conditions. @throws 400 */
export function nearestCalls(tenant: Tenant, pattern: RequestPattern): NearCall[] {
  requireKnownOperation(tenant, pattern);
  const { count, mismatches } = comparison(pattern);
  return tenant.journal
    .all()
    .reverse()
    .map((entry) => ({ entry, failed: count(entry), differences: () => mismatches(entry) }))
    .sort((a, b) => a.failed - b.failed);
}

export const nearCallView = () =>
  z.strictObject({
    request: loggedRequestView(),
    operationId: z.string().nullable(),
    differences: z.array(z.strictObject({ criterion: z.string(), expected: z.unknown(), actual: z.unknown() })),
  });

export function toNearCall(tenant: Tenant, { entry, differences }: NearCall) {
  return {
    request: toLoggedRequest(entry, tenant.settings.publicUrl),
    operationId: entry.operationId ?? null,
    differences: differences(),
  };
}
