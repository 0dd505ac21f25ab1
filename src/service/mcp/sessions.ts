/** Open sessions of one tenant. The vendor's server seems to have none. assumed: mcp.sessions. */
import { getOrMake, makeRoom } from "../../engine/core/maps.ts";
import type { Caller } from "../model/world.ts";
import type { Tenant } from "../model/tenant.ts";

/** A session that nobody ends stays until newer ones take its room. */
const SESSIONS_MAX = 1000;

/** By id, the user who began the session. */
const sessions = new WeakMap<Tenant, Map<string, string>>();

function sessionsOf(tenant: Tenant): Map<string, string> {
  return getOrMake(sessions, tenant, () => new Map());
}

export function beginSession(tenant: Tenant, caller: Caller): string {
  const open = sessionsOf(tenant);
  makeRoom(open, SESSIONS_MAX);
  const id = tenant.requestIds.uuid();
  open.set(id, caller.user_id);
  return id;
}

/** Whether the caller may use the session. A new token of the same user keeps it. */
export function hasSession(tenant: Tenant, caller: Caller, id: string): boolean {
  return sessionsOf(tenant).get(id) === caller.user_id;
}

export function endSession(tenant: Tenant, id: string): void {
  sessionsOf(tenant).delete(id);
}
