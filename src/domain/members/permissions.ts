/** What a caller's place in the organization and in a workspace lets it do. A tenant is one organization. */
import { type ApiError, forbidden } from "../../core/errors.ts";
import type { Caller, World } from "../world.ts";
import type { MemberRow } from "../workspaces/rows.ts";

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
export function requireOwnerOrManager(world: World, owner: string, what: string): void {
  const { caller } = world;
  if (owner === caller.membership_id || HAVE_SAY.includes(caller.role) || isOrgAdmin(world)) return;
  throw forbidden(`${caller.email} is ${caller.role} and not the document's owner; its owner, admins and managers ${what}`);
}

/** What a role lets do: to whatever there is, to what is one's own, or to nothing. */
type Reach = "any" | "own" | "none";

/** The service's names of abilities. Source: the official descriptions of the operations that ask for them. */
const ABILITIES = {
  edit_document: "'Can Edit Document'",
  manage_recipients: "'Can Manage Recipients'",
  duplicate_templates: "can_duplicate_templates",
} as const;
export type Ability = keyof typeof ABILITIES;

/** assumed: which role has which ability is not published; members work on what is theirs, collaborators look on. */
const REACH: Readonly<Record<string, Readonly<Record<Ability, Reach>>>> = {
  Admin: { edit_document: "any", manage_recipients: "any", duplicate_templates: "any" },
  Manager: { edit_document: "any", manage_recipients: "any", duplicate_templates: "any" },
  Member: { edit_document: "own", manage_recipients: "own", duplicate_templates: "own" },
  Collaborator: { edit_document: "none", manage_recipients: "none", duplicate_templates: "none" },
};

/** assumed: a role of the workspace's own making is as a member's. */
const CUSTOM = "Member";

/** @throws 403 unless the caller's role lets them do it to what has this owner and this creator */
export function requireAbility(world: World, ability: Ability, thing: { owner: string; created_by: string }): void {
  const { caller } = world;
  const reach = (REACH[caller.role] ?? REACH[CUSTOM])?.[ability];
  const isOwn = [thing.owner, thing.created_by].includes(caller.membership_id);
  if (reach === "any" || (reach === "own" && isOwn) || isOrgAdmin(world)) return;
  throw forbidden(
    `${caller.email} is ${caller.role}: ${ABILITIES[ability]} reaches ${reach === "own" ? "what is theirs, and this is not" : "nothing"}`,
  );
}

const READS = new Set(["GET", "HEAD"]);

/** Source: downloads take both scopes, as creating, sending and deleting do. */
const DOWNLOADS: readonly string[] = ["downloadDocument", "downloadProtectedDocument"];

/** assumed: what a token without the scope gets is not published; reading takes `read`, all else takes `write`. */
export function scopeRefusal(caller: Caller, method: string, operationId: string): ApiError | undefined {
  const scope = READS.has(method) && !DOWNLOADS.includes(operationId) ? "read" : "write";
  if (caller.scopes.includes(scope)) return undefined;
  return forbidden(`the token has the scope ${caller.scopes.join(" ")}, and this call takes ${scope}`);
}
