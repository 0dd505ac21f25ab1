import { type ApiError, forbidden } from "../../../engine/core/errors.ts";
import type { Caller, World } from "../../model/world.ts";
import type { MemberRow } from "../../model/workspaces/rows.ts";

export const ADMIN = "Admin";

/** Whether the caller owns or administers the organization. assumed: members.org_admin. */
export function isOrgAdmin(world: World): boolean {
  const user = world.store.users.get(world.caller.user_id);
  return user !== undefined && (user.is_organization_owner || user.is_organization_admin);
}

export function requireOrgAdmin(world: World, what: string): void {
  if (isOrgAdmin(world)) return;
  throw forbidden(
    `${what} needs an organization admin, and ${world.caller.email} is not one (fixtures: is_organization_owner or is_organization_admin)`,
  );
}

export function membersOf(world: World, workspaceId: string): MemberRow[] {
  return world.store.members.where("workspace", workspaceId).filter((row) => !row.removed);
}

/** Whether the caller administers the workspace or the organization. */
export function isWorkspaceAdmin(world: World, workspaceId: string): boolean {
  const isAdmin = membersOf(world, workspaceId).some((row) => row.user_id === world.caller.user_id && row.role === ADMIN);
  return isAdmin || isOrgAdmin(world);
}

export function requireWorkspaceAdmin(world: World, workspaceId: string, what: string): void {
  if (isWorkspaceAdmin(world, workspaceId)) return;
  throw forbidden(`${what} needs an admin of the workspace or the organization; ${world.caller.email} is neither`);
}

const MANAGING_ROLES: readonly string[] = [ADMIN, "Manager"];

/** assumed: members.delete_right. */
export function requireOwnerOrManager(world: World, owner: string, what: string): void {
  const { caller } = world;
  if (owner === caller.membership_id || MANAGING_ROLES.includes(caller.role) || isOrgAdmin(world)) return;
  throw forbidden(`only the document's owner, admins and managers may ${what}; ${caller.email} is ${caller.role}`);
}

type Coverage = "any" | "own" | "none";

/** Source: the official descriptions name these abilities. */
const ABILITIES = {
  edit_document: "'Can Edit Document'",
  manage_recipients: "'Can Manage Recipients'",
  duplicate_templates: "can_duplicate_templates",
  share_templates: "'Can Edit Template' and 'Can Share Templates'",
} as const;
export type Ability = keyof typeof ABILITIES;

/** assumed: members.abilities. */
const COVERAGE: Readonly<Record<string, Readonly<Record<Ability, Coverage>>>> = {
  Admin: { edit_document: "any", manage_recipients: "any", duplicate_templates: "any", share_templates: "any" },
  Manager: { edit_document: "any", manage_recipients: "any", duplicate_templates: "any", share_templates: "any" },
  Member: { edit_document: "own", manage_recipients: "own", duplicate_templates: "own", share_templates: "own" },
  Collaborator: { edit_document: "none", manage_recipients: "none", duplicate_templates: "none", share_templates: "none" },
};

/** assumed: members.custom_role. */
const CUSTOM_ROLE_EQUIVALENT = "Member";

export function requireAbility(world: World, ability: Ability, row: { owner: string; created_by: string }): void {
  const { caller } = world;
  const coverage = (COVERAGE[caller.role] ?? COVERAGE[CUSTOM_ROLE_EQUIVALENT])?.[ability];
  const isOwn = [row.owner, row.created_by].includes(caller.membership_id);
  if (coverage === "any" || (coverage === "own" && isOwn) || isOrgAdmin(world)) return;
  throw forbidden(
    coverage === "own"
      ? `the role ${caller.role} has ${ABILITIES[ability]} only for what ${caller.email} owns or created`
      : `the role ${caller.role} of ${caller.email} does not have ${ABILITIES[ability]}`,
  );
}

const READ_METHODS: readonly string[] = ["GET", "HEAD"];

/** Source: downloads need both scopes, as creating, sending and deleting do. */
const DOWNLOADS: readonly string[] = ["downloadDocument", "downloadProtectedDocument"];

/** Its list of ids is too long for a query, so it is a POST that only reads. */
const READING_POST = "batchGetDocumentAiMetadata";

/** assumed: oauth.scope. */
export function scopeRefusal(caller: Caller, method: string, operationId: string): ApiError | undefined {
  const isRead = (READ_METHODS.includes(method) && !DOWNLOADS.includes(operationId)) || operationId === READING_POST;
  const scope = isRead ? "read" : "write";
  if (caller.scopes.includes(scope)) return undefined;
  return forbidden(`this call needs the scope ${scope}; the token has ${caller.scopes.join(" ")}`);
}
