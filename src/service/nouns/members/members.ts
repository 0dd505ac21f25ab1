import type { ApiError } from "../../../engine/core/errors.ts";
import { forbidden, invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation } from "../../../engine/core/lists.ts";
import { flag, maybe, micros, text, view } from "../../kit/view.ts";
import type { Caller, World } from "../../kit/world.ts";
import type { MemberRow, UserRow } from "../workspaces/row.ts";

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

export interface Person {
  member: MemberRow;
  user: UserRow;
}

export function fullName(person: { first_name?: string | null; last_name?: string | null } | undefined): string {
  return [person?.first_name, person?.last_name].filter(Boolean).join(" ");
}

export function findPerson(world: World, membershipId: string): Person | undefined {
  const member = world.store.members.get(membershipId);
  const user = member && world.store.users.get(member.user_id);
  return member && user ? { member, user } : undefined;
}

export function findMember(world: World, by: { membership_id?: string; email?: string }): Person | undefined {
  const { workspace_id } = world.caller;
  if (by.membership_id !== undefined) {
    const person = findPerson(world, by.membership_id);
    return person?.member.workspace_id === workspace_id && person.member.is_active ? person : undefined;
  }
  for (const user of world.store.users.where("email", by.email?.toLowerCase() ?? "")) {
    const member = world.store.members.where("user", user.id).find((one) => one.workspace_id === workspace_id && one.is_active);
    if (member) return { member, user };
  }
  return undefined;
}

/** @throws 400 on `field`. assumed: members.unknown_text. */
export function requireMember(world: World, field: string, by: { membership_id?: string; email?: string }): Person {
  const person = findMember(world, by);
  if (person) return person;
  if (by.membership_id === undefined && by.email === undefined)
    throw invalid({ [field]: ["Either membership_id or email is required."] });
  throw invalid({ [field]: ["Member not found."] }, `no active member ${by.membership_id ?? by.email} in this workspace`);
}

/** assumed: members.order. */
export function listMembers(world: World): Person[] {
  const rows = membersOf(world, world.caller.workspace_id).sort(byCreation);
  return rows.flatMap((row) => findPerson(world, row.id) ?? []);
}

/** assumed: members.not_found. */
export function requireMembership(world: World, membershipId: string): Person {
  const person = findPerson(world, membershipId);
  if (person?.member.workspace_id !== world.caller.workspace_id || person.member.removed)
    throw notFound(`no member ${membershipId} in this workspace`);
  return person;
}

export const memberView = view<Person, World>()({
  user_id: [text, ({ user }) => user.id],
  membership_id: [text, ({ member }) => member.id],
  email: [text, ({ user }) => user.email],
  first_name: [text, ({ user }) => user.first_name],
  last_name: [text, ({ user }) => user.last_name],
  is_active: [flag, ({ member }) => member.is_active],
  // assumed: members.current_workspace.
  workspace: [text, ({ member }) => member.workspace_id],
  workspace_name: [text, ({ member }, world) => world.store.workspaces.get(member.workspace_id)?.name ?? ""],
  // Source: the official schema says `emails_verified`, its examples say `email_verified`. assumed: members.verified_email.
  email_verified: [flag, () => true],
  emails_verified: [flag, () => true],
  role: [text, ({ member }) => member.role],
  user_license: [text, ({ user }) => (user.license === "eSign" ? "eSignature" : user.license)],
  date_created: [micros, ({ member }) => member.date_created],
  date_modified: [micros, ({ member }) => member.date_modified],
});

type Named = Pick<UserRow, "id" | "email" | "first_name" | "last_name" | "avatar">;

const NOBODY: Named = { id: "", email: "", first_name: "", last_name: "", avatar: null };

export const userView = view<Named>()({ id: text, email: text, first_name: text, last_name: text, avatar: maybe(text) });

export const personView = view<Named & { membership_id: string }>()({ ...userView.shape, membership_id: text });

/** The person behind a membership, also of one that is no more. */
export function personOf(world: World, membership_id: string) {
  return personView.of({ ...(findPerson(world, membership_id)?.user ?? NOBODY), membership_id });
}
