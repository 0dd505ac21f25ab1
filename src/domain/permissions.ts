/** What a caller's place in the organization and in a workspace lets it do. A tenant is one organization. */
import { type ApiError, forbidden } from "../core/errors.ts";
import type { MemberRow } from "./tables.ts";
import type { Caller, World } from "./world.ts";

export const ADMIN = "Admin";

/** The owner of the organization, and who was made its admin. assumed: fixtures alone say who that is. */
export function isOrgAdmin(world: World): boolean {
  const user = world.store.users.get(world.caller.user_id);
  return user !== undefined && (user.is_organization_owner || user.is_organization_admin);
}

export function requireOrgAdmin(world: World, what: string): void {
  if (isOrgAdmin(world)) return;
  throw forbidden(
    `${what} is for organization admins; ${world.caller.email} is none (fixtures: is_organization_owner or is_organization_admin)`,
  );
}

/** Its members that were not removed. */
export function membersOf(world: World, workspaceId: string): MemberRow[] {
  return world.store.members.where("workspace", workspaceId).filter((row) => !row.removed);
}

export function requireWorkspaceAdmin(world: World, workspaceId: string, what: string): void {
  const isAdmin = membersOf(world, workspaceId).some((row) => row.user_id === world.caller.user_id && row.role === ADMIN);
  if (isAdmin || isOrgAdmin(world)) return;
  throw forbidden(`${what} is for admins of the workspace or of the organization; ${world.caller.email} is neither`);
}

const HAVE_SAY: readonly string[] = [ADMIN, "Manager"];

/** assumed: who may delete a document or give it away: its owner, admins and managers. */
export function requireSay(world: World, owner: string, what: string): void {
  const { caller } = world;
  if (owner === caller.membership_id || HAVE_SAY.includes(caller.role) || isOrgAdmin(world)) return;
  throw forbidden(`${caller.email} is ${caller.role} and not the document's owner; its owner, admins and managers ${what}`);
}

const READS = new Set(["GET", "HEAD"]);

/** Source: downloads take both scopes, as creating, sending and deleting do. */
const DOWNLOADS: readonly string[] = ["downloadDocument", "downloadProtectedDocument"];

/** assumed: what a token without the scope gets is not published; reading takes `read`, all else takes `write`. */
export function refuseScope(caller: Caller, method: string, operationId: string): ApiError | undefined {
  const scope = READS.has(method) && !DOWNLOADS.includes(operationId) ? "read" : "write";
  if (caller.scopes.includes(scope)) return undefined;
  return forbidden(`the token has the scope ${caller.scopes.join(" ")}, and this call takes ${scope}`);
}
