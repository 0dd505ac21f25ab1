import { iso } from "../../../engine/core/clock.ts";
import { invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation } from "../../../engine/core/lists.ts";
import { membersOf } from "./permissions.ts";
import type { World } from "../../model/world.ts";
import type { MemberRow, UserRow } from "../../model/workspaces/rows.ts";

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

export function toMember(world: World, { member, user }: Person) {
  return {
    user_id: user.id,
    membership_id: member.id,
    email: user.email,
    first_name: user.first_name,
    last_name: user.last_name,
    is_active: member.is_active,
    // assumed: members.current_workspace.
    workspace: member.workspace_id,
    workspace_name: world.store.workspaces.get(member.workspace_id)?.name ?? "",
    // Source: the official schema says `emails_verified`, its examples say `email_verified`. assumed: members.verified_email.
    email_verified: true,
    emails_verified: true,
    role: member.role,
    user_license: user.license === "eSign" ? "eSignature" : user.license,
    date_created: iso(member.date_created),
    date_modified: iso(member.date_modified),
  };
}

export function toPerson(world: World, membershipId: string) {
  const person = findPerson(world, membershipId);
  return {
    id: person?.user.id ?? "",
    email: person?.user.email ?? "",
    first_name: person?.user.first_name ?? "",
    last_name: person?.user.last_name ?? "",
    avatar: person?.user.avatar ?? null,
    membership_id: membershipId,
  };
}
