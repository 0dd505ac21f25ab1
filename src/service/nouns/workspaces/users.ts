import type { FieldMessages } from "../../../engine/core/errors.ts";
import { invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation, pageOf } from "../../../engine/core/lists.ts";
import { flag, list, maybe, oneOf, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { requireOrgAdmin } from "../members/members.ts";
import type { NoticeQuery, UserInput, UsersQuery } from "./inputs.ts";
import type { MemberRow, UserRow, WorkspaceRow } from "./row.ts";
import { LICENSES } from "./row.ts";
import { ROLES, addSeat, notifyMember, remarkGuest } from "./workspaces.ts";

function seatsOf(world: World, user: UserRow): MemberRow[] {
  return world.store.members.where("user", user.id).filter((row) => !row.removed);
}

/**
 * assumed: users.list.
 * @throws 403 for others than organization admins
 */
export function listUsers(world: World, filter: UsersQuery): { total: number; rows: UserRow[] } {
  requireOrgAdmin(world, "listing users");
  const found = world.store.users.all().filter((user) => filter.show_removed || seatsOf(world, user).length > 0);
  return { total: found.length, rows: pageOf(found.sort(byCreation), filter) };
}

export function requireUser(world: World, id: string): UserRow {
  requireOrgAdmin(world, "looking at a user");
  const user = world.store.users.get(id);
  if (!user) throw notFound(`no user ${id} in the organization`);
  return user;
}

const seatView = view<MemberRow>()({ role: text, workspace_id: text, membership_id: [text, (row) => row.id] });

export const userView = view<UserRow, World>()({
  user_id: [text, (row) => row.id],
  email: text,
  first_name: text,
  last_name: text,
  // The official schema says a text; recorded answers have null.
  phone_number: maybe(text),
  license: oneOf(LICENSES),
  is_organization_owner: flag,
  workspaces: [list(seatView), (row, world) => seatsOf(world, row)],
});

const REQUIRED = "This field is required.";
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[^\s@.,:;]+(\.[^\s@.,:;]+)+$/;
const PHONE = /^\+?[\d\s().-]{5,30}$/;

/** Error messages name fields without their path in the body, as the service does. @throws 403, 400 */
export function createUser(world: World, input: UserInput, notice: NoticeQuery): { user: UserRow; members: MemberRow[] } {
  requireOrgAdmin(world, "making a user");
  const fields: FieldMessages = {};
  const refuse = (field: string, message: string) => {
    if (!fields[field]?.includes(message)) fields[field] = [...(fields[field] ?? []), message];
  };
  const email = checkEmail(world, input.user.email, refuse);
  const phone_number = input.user.phone_number || null;
  // assumed: users.fault_text.
  if (phone_number !== null && !PHONE.test(phone_number)) refuse("phone_number", "Enter a valid phone number.");
  const license = LICENSES.find((one) => one === input.license);
  if (!license) refuse("license", input.license === undefined ? REQUIRED : "License is not a valid choice.");
  // Source: the text. assumed: users.seats.
  else if (!hasSeat(world, license)) refuse("license", "Unable to add more licenses.");
  const seats = input.workspaces.map((one) => checkSeat(world, one, refuse));
  const validSeats = seats.filter((one) => one !== undefined);
  if (new Set(validSeats.map((one) => one.workspace.id)).size < validSeats.length)
    refuse("workspace_id", "A workspace is given more than once.");
  if (!license || Object.keys(fields).length > 0) throw invalid(fields);
  const user = world.store.users.put({
    id: world.ids.short(),
    email,
    first_name: input.user.first_name ?? "",
    last_name: input.user.last_name ?? "",
    phone_number,
    avatar: null,
    license,
    is_organization_owner: false,
    is_organization_admin: false,
    removed: false,
    date_created: world.clock.now(),
  });
  const members = validSeats.map(({ workspace, role }, i) => {
    remarkGuest(world, user, role, `workspaces[${i}].role`);
    const member = addSeat(world, workspace, user.id, role);
    notifyMember(world, workspace, user, notice);
    return member;
  });
  return { user, members };
}

function hasSeat(world: World, license: UserRow["license"]): boolean {
  const seats = world.store.workspaces.get(world.caller.workspace_id)?.settings.licenses[license];
  return seats === undefined || world.store.users.all().filter((one) => !one.removed && one.license === license).length < seats;
}

type Refuse = (field: string, message: string) => void;

/** Source: the texts come from the official description of user creation. */
function checkEmail(world: World, email: string | undefined, refuse: Refuse): string {
  if (!email) refuse("email", REQUIRED);
  else if (!EMAIL.test(email)) refuse("email", "Enter a valid email address.");
  else {
    const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();
    if (world.store.users.where("email", email.toLowerCase()).length > 0) refuse("email", "User already exists");
    if (domainOf(email) !== domainOf(world.caller.email))
      refuse("email", "User email should have the same email domain as org admin.");
  }
  return email ?? "";
}

function checkSeat(
  world: World,
  { workspace_id, role }: UserInput["workspaces"][number],
  refuse: Refuse,
): { workspace: WorkspaceRow; role: string } | undefined {
  if (role === undefined) refuse("role", REQUIRED);
  else if (!(ROLES as readonly string[]).includes(role)) refuse("role", "Role is not a valid choice.");
  if (workspace_id === undefined) {
    refuse("workspace_id", REQUIRED);
    return undefined;
  }
  const workspace = world.store.workspaces.get(workspace_id);
  if (workspace?.active && role !== undefined) return { workspace, role };
  if (!workspace?.active) refuse("workspace_id", `Workspace with uuid ${workspace_id} not found.`);
  return undefined;
}
