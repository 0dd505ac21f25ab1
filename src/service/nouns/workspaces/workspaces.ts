import * as z from "zod";
import { defined } from "../../../engine/core/defined.ts";
import { ApiError, badRequest, invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation, pageOf } from "../../../engine/core/lists.ts";
import { pointerOf } from "../../../engine/core/text.ts";
import { as, micros, oneOf, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { ADMIN, fullName, membersOf, requireOrgAdmin, requireWorkspaceAdmin } from "../members/members.ts";
import { mail } from "../people/mails.ts";
import type { ApiKeyInput, MemberInput, NoticeQuery, WorkspaceInput, WorkspaceUpdate, WorkspacesQuery } from "./inputs.ts";
import type { ApiKeyRow, MemberRow, UserRow, WorkspaceRow } from "./row.ts";

export const ROLES = ["Admin", "Manager", "Member", "Collaborator"] as const;

/** Source: the official text about a change of the role: with any other role, a guest becomes a full user. */
const GUEST_ROLE = "Collaborator";

export function newWorkspaceSettings(): WorkspaceRow["settings"] {
  return {
    esign_disclosure: null,
    notary: true,
    payment_app: true,
    trial: false,
    cfr_part_11: false,
    sms_consent_certified: true,
    currency: "USD",
    allow_join_by_domain: true,
    allow_request_access: true,
    icon_url: null,
    custom_roles: [],
    licenses: {},
    notary_transactions: null,
    privacy: {},
    branding: { logo_url: null, accent_color: null },
  };
}

export function requireWorkspace(world: World, id: string): WorkspaceRow {
  const row = world.store.workspaces.get(id);
  if (!row?.active) throw notFound(`no active workspace ${id}`);
  return row;
}

/** assumed: workspaces.list. */
export function listWorkspaces(world: World, page: WorkspacesQuery): { total: number; rows: WorkspaceRow[] } {
  const q = page.q?.toLowerCase() ?? "";
  const found = world.store.workspaces.all().filter((row) => row.active && row.name.toLowerCase().includes(q));
  return { total: found.length, rows: pageOf(found.sort(byCreation), page) };
}

/** Returns the creator. assumed: workspaces.owner. */
export function ownerOf(world: World, workspace: WorkspaceRow): UserRow | undefined {
  if (workspace.owner_user_id !== null) return world.store.users.get(workspace.owner_user_id);
  const people = membersOf(world, workspace.id).flatMap((member) => {
    const user = world.store.users.get(member.user_id);
    return user ? [{ member, user }] : [];
  });
  const owner = people.find(({ user }) => user.is_organization_owner) ?? people.find(({ member }) => member.role === ADMIN);
  return owner?.user;
}

/** The creator becomes its admin and owner. assumed: workspaces.plan. */
export function createWorkspace(world: World, input: WorkspaceInput): WorkspaceRow {
  requireOrgAdmin(world, "making a workspace");
  const { caller, store, ids } = world;
  const plan = store.workspaces.get(caller.workspace_id)?.settings ?? newWorkspaceSettings();
  const workspace = store.workspaces.put({
    id: ids.short(),
    name: input.name,
    active: true,
    date_created: world.clock.now(),
    owner_user_id: caller.user_id,
    settings: {
      ...newWorkspaceSettings(),
      notary: plan.notary,
      trial: plan.trial,
      currency: plan.currency,
      allow_join_by_domain: input.settings?.allow_join_by_domain ?? true,
      allow_request_access: input.settings?.allow_request_access ?? true,
      icon_url: input.icon_url ?? null,
    },
  });
  addSeat(world, workspace, caller.user_id, ADMIN);
  return workspace;
}

/** assumed: workspaces.images. */
export function updateWorkspace(world: World, id: string, input: WorkspaceUpdate): WorkspaceRow {
  requireOrgAdmin(world, "updating a workspace");
  const workspace = requireWorkspace(world, id);
  const { settings } = workspace;
  return world.store.workspaces.put({
    ...workspace,
    name: input.name ?? workspace.name,
    settings: {
      ...settings,
      icon_url: input.icon_url === undefined ? settings.icon_url : input.icon_url,
      branding: { ...settings.branding, ...defined(input.branding ?? {}) },
    },
  });
}

/** assumed: workspaces.deactivate. */
export function deactivateWorkspace(world: World, id: string): void {
  requireOrgAdmin(world, "deactivating a workspace");
  const workspace = requireWorkspace(world, id);
  for (const member of membersOf(world, workspace.id)) removeSeat(world, member);
  world.store.workspaces.put({ ...workspace, active: false });
}

export const workspaceView = view<WorkspaceRow, World>()({
  id: text,
  name: text,
  date_created: micros,
  owner: [text, (row, world) => ownerOf(world, row)?.email ?? ""],
});

/** A returning member gets a new seat, so that old keys stay invalid. */
export function addSeat(world: World, workspace: WorkspaceRow, user_id: string, role: string): MemberRow {
  const now = world.clock.now();
  return world.store.members.put({
    id: world.ids.short(),
    user_id,
    workspace_id: workspace.id,
    role,
    is_active: true,
    removed: false,
    date_created: now,
    date_modified: now,
  });
}

function removeSeat(world: World, member: MemberRow): void {
  world.store.members.put({ ...member, is_active: false, removed: true, date_modified: world.clock.now() });
}

/** assumed: members.mail. */
export function notifyMember(world: World, workspace: WorkspaceRow, user: UserRow, notice: NoticeQuery): void {
  const name = fullName(user) || user.email;
  const send = (to: UserRow, subject: string) =>
    mail(world, { kind: "other", to: { email: to.email, name: to.first_name }, subject, message: `${subject}.` });
  if (notice.notify_user) send(user, `You were added to the workspace ${workspace.name}`);
  if (!notice.notify_ws_admins) return;
  for (const admin of membersOf(world, workspace.id)) {
    const to = world.store.users.get(admin.user_id);
    if (admin.role === ADMIN && to && to.id !== user.id) send(to, `${name} was added to the workspace ${workspace.name}`);
  }
}

/** The texts are the service's, without the final full stop. */
export function addMember(world: World, workspaceId: string, input: MemberInput, notice: NoticeQuery): MemberRow {
  const workspace = requireWorkspace(world, workspaceId);
  requireWorkspaceAdmin(world, workspace.id, "adding a member");
  const { user_id, role } = input;
  const user = user_id === undefined ? undefined : world.store.users.get(user_id);
  const fields: Record<string, string[]> = {};
  if (user_id === undefined) fields.user_id = ["This field is required"];
  else if (!user || user.removed) fields.user_id = ["User doesn't exist"];
  else if (membersOf(world, workspace.id).some((row) => row.user_id === user.id)) fields.user_id = ["Member already exists"];
  if (role === undefined) fields.role = ["This field is required"];
  else if (!(ROLES as readonly string[]).includes(role)) fields.role = ["Role is not a valid choice"];
  if (!user || role === undefined || Object.keys(fields).length > 0) throw invalid(fields);
  remarkGuest(world, user, role, "role");
  const member = addSeat(world, workspace, user.id, role);
  notifyMember(world, workspace, user, notice);
  return member;
}

/** assumed: users.guest_role. */
export function remarkGuest(world: World, { license }: Pick<UserRow, "license">, role: string, where: string): void {
  if (license !== "Guest" || role === GUEST_ROLE) return;
  world.remark({
    kind: "doubtful_value",
    message: `A user with the license Guest gets the role ${role}`,
    fix: `Give a guest the role ${GUEST_ROLE}, or choose another license.`,
    pointer: pointerOf(where),
  });
}

function requireSeat(world: World, workspaceId: string, memberId: string, refuse: (why: string) => ApiError): MemberRow {
  const member = world.store.members.get(memberId);
  if (!world.store.workspaces.get(workspaceId)?.active) throw refuse(`no active workspace ${workspaceId}`);
  if (member?.workspace_id !== workspaceId || member.removed) throw refuse(`no member ${memberId} in workspace ${workspaceId}`);
  return member;
}

/** The keys and tokens of the member stop working. assumed: members.remove. */
export function removeMember(world: World, workspaceId: string, memberId: string): void {
  const member = requireSeat(
    world,
    workspaceId,
    memberId,
    (why) => new ApiError("not_found", "This member or workspace does not exist.", { why }),
  );
  requireWorkspaceAdmin(world, workspaceId, "removing a member");
  if (isOwner(world, member))
    throw badRequest("Owner can not be removed.", { why: `${memberId} is the owner of workspace ${workspaceId}` });
  removeSeat(world, member);
}

function isOwner(world: World, member: MemberRow): boolean {
  const workspace = world.store.workspaces.get(member.workspace_id);
  return workspace !== undefined && ownerOf(world, workspace)?.id === member.user_id;
}

/** A guest with more than a collaborator's role gets the full license. */
export function changeMemberRole(world: World, workspaceId: string, memberId: string, role: string): MemberRow {
  const member = requireSeat(world, workspaceId, memberId, notFound);
  requireWorkspaceAdmin(world, workspaceId, "changing a role");
  const { custom_roles } = requireWorkspace(world, workspaceId).settings;
  if (![...ROLES, ...custom_roles].includes(role)) {
    const message = `The role '${role}' does not exist in the workspace with ID '${workspaceId}'. Please ensure the role is correctly defined and try again.`;
    throw invalid({ role: [message] }, `the roles of the workspace are ${[...ROLES, ...custom_roles].join(", ")}`);
  }
  if (isOwner(world, member))
    throw badRequest("Cannot change the role of the workspace owner.", { why: `${memberId} is the owner of the workspace` });
  const isLastAdmin = member.role === ADMIN && membersOf(world, workspaceId).filter((row) => row.role === ADMIN).length === 1;
  if (isLastAdmin && role !== ADMIN)
    throw badRequest("Cannot change the role of the last member with admin privileges.", {
      why: `${memberId} is the only admin of the workspace`,
    });
  const user = world.store.users.get(member.user_id);
  if (user?.license === "Guest" && role !== GUEST_ROLE) world.store.users.put({ ...user, license: "Full" });
  return world.store.members.put({ ...member, role, date_modified: world.clock.now() });
}

const userOf = (row: MemberRow, world: World) => world.store.users.get(row.user_id);

export const changedMemberView = view<MemberRow, World>()({
  member_id: [text, (row) => row.id],
  workspace_id: text,
  role: text,
  email: [text, (row, world) => userOf(row, world)?.email ?? ""],
});

export const addedMemberView = view<MemberRow, World>()({
  ...changedMemberView.shape,
  first_name: [text, (row, world) => userOf(row, world)?.first_name ?? ""],
  last_name: [text, (row, world) => userOf(row, world)?.last_name ?? ""],
});

/** Replaces the owner's key of this type in the workspace, even the key of this call. assumed: workspaces.other_keys. */
export function createApiKey(world: World, workspaceId: string, input: ApiKeyInput): ApiKeyRow {
  requireOrgAdmin(world, "making an API key");
  const workspace = requireWorkspace(world, workspaceId);
  const user_id = input.user_id ?? world.caller.user_id;
  const member = membersOf(world, workspace.id).find((row) => row.user_id === user_id);
  // assumed: workspaces.key_refusal.
  if (member?.role !== ADMIN)
    throw invalid(
      { user_id: ["User should have an Admin role in the workspace."] },
      `${user_id} is not an admin of workspace ${workspaceId}`,
    );
  for (const key of world.store.api_keys.where("workspace", workspace.id)) {
    if (key.membership_id === member.id && key.environment === input.type) world.store.api_keys.put({ ...key, revoked: true });
  }
  return world.store.api_keys.put({
    id: world.ids.hex(40),
    membership_id: member.id,
    workspace_id: workspace.id,
    environment: input.type,
    revoked: false,
  });
}

export const apiKeyView = view<ApiKeyRow, World>()({
  user_id: [text, (row, world) => world.store.members.get(row.membership_id)?.user_id ?? ""],
  type: [oneOf(["production", "sandbox"]), (row) => row.environment],
  workspace_id: text,
  key: [as(() => z.string().regex(/^[0-9a-f]{40}$/)), (row) => row.id],
});
