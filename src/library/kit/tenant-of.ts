import { droppedNote, type Evidence } from "../../engine/runtime/dropped.ts";
import type { Tenant } from "../../service/service.ts";
import type { Handles } from "../types.ts";

/** By the journal of the handles, because runners may wrap the sandbox itself. */
const tenants = new WeakMap<Handles["journal"], Tenant>();

export function rememberTenant(handles: Handles, tenant: Tenant): void {
  tenants.set(handles.journal, tenant);
}

/** Undefined for an object that only looks like a sandbox. */
export function tenantOf(handles: Handles): Tenant | undefined {
  return tenants.get(handles.journal);
}

/** Why a count of a sandbox may be too low. Undefined when it is whole. */
export function droppedIn(handles: Handles, kind: Evidence): string | undefined {
  const tenant = tenantOf(handles);
  return tenant && droppedNote(tenant, kind);
}
