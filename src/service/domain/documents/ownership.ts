import { invalid, notFound } from "../../../engine/core/errors.ts";
import { requireFolder } from "../folders/folders.ts";
import { putDocument, requireProcessed } from "../lifecycle/transitions.ts";
import { findMember } from "../members/members.ts";
import { requireOwnerOrManager } from "../members/permissions.ts";
import type { World } from "../../model/world.ts";
import { requireDocument } from "../document-model/find.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";

export function transferOwnership(world: World, id: string, membershipId: string | undefined): void {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  requireProcessed(document);
  const owner = requireMembership(world, "membership_id", membershipId);
  requireOwnerOrManager(world, document.owner, "transfer it");
  putDocument(world, { ...document, owner });
}

/** Transfers every document of a member, locked ones too: 423 is not declared here. */
export function transferAllOwnership(world: World, input: { from_membership_id?: string; to_membership_id?: string }): void {
  const from = requireMembership(world, "from_membership_id", input.from_membership_id);
  const to = requireMembership(world, "to_membership_id", input.to_membership_id);
  requireOwnerOrManager(world, from, "transfer their documents");
  // assumed: ownership.same_member.
  if (from === to)
    world.remark({
      kind: "doubtful_value",
      message: "Both members of the transfer are the same, so nothing changes hands",
      fix: "Send two different members.",
      pointer: "/to_membership_id",
    });
  const documents = world.store.documents.where("owner", `${world.caller.workspace_id}:live:${from}`);
  for (const document of documents) putDocument(world, { ...document, owner: to });
}

export function moveToFolder(world: World, id: string, folderId: string): void {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  const folder = requireFolder(world, "document", folderId);
  putDocument(world, { ...document, folder_uuid: folder.id });
}

/** assumed: ownership.unknown_member. */
function requireMembership(world: World, field: string, membershipId: string | undefined): string {
  if (membershipId === undefined) throw invalid({ [field]: ["This field is required."] });
  const person = findMember(world, { membership_id: membershipId });
  if (!person) throw notFound(`no active member ${membershipId} in this workspace`);
  return person.member.id;
}
