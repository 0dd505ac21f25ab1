/** What a limit deleted. After that, a count proves no upper bound, and a list may lack something. */
import { ApiError } from "../core/errors.ts";
import type { Tenant } from "./tenants/tenant.ts";

const NOUNS = { requests: "calls", deliveries: "deliveries", emails: "mails" } as const;

/** What expectations count. */
export type Evidence = keyof typeof NOUNS;

/** Why a count or a list may lack something, and the next step. Undefined when it is whole. */
export function droppedNote({ trimmed }: Pick<Tenant, "trimmed">, kind: Evidence): string | undefined {
  const count = trimmed[kind];
  if (count === undefined) return undefined;
  return kind === "requests"
    ? `the journal dropped ${count} calls: raise --journal-max`
    : `docdouble dropped the oldest ${count} ${NOUNS[kind]}: verify earlier`;
}

/** Refuses an exact number or list that may lack something. @throws 422 */
export function requireWhole(tenant: Tenant, kind: Evidence, found: number): void {
  const note = droppedNote(tenant, kind);
  if (note === undefined) return;
  const detail = `Found ${found} ${NOUNS[kind]}, and ${note}.`;
  const body = { type: "docdouble_not_verified", detail, count: found, gone: tenant.trimmed[kind] };
  throw new ApiError("invalid", detail, { status: 422, body });
}
