import type { ApiError } from "../../../engine/core/errors.ts";
import { forbidden, invalid, notFound } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import { addTokens, applyContent, metadataOf, refuseUnknownFields } from "../content/content.ts";
import { planImages } from "../content/file-content.ts";
import { remarkUnknownNames } from "../content/unknown-names.ts";
import { requireFolder } from "../folders.ts";
import { findMember, requireAbility, requireOwnerOrManager } from "../members/members.ts";
import type { GroupMember, RecipientRow } from "../people/inputs.ts";
import {
  addRecipient,
  assignRecipientTypes,
  mergeRecipient,
  newRecipient,
  refuseManyRecipients,
  refuseTakenAddress,
} from "../people/recipients.ts";
import { remarkIdleValues, remarkSharedAddresses } from "../people/remarks.ts";
import { planReminders } from "../people/reminder-schedule.ts";
import { endEditingSessions } from "../templates/editing-sessions.ts";
import { emit } from "../webhooks/subscriptions.ts";
import type { UpdateInput } from "./inputs.ts";
import type { DocumentRow } from "./row.ts";
import { findDocumentOrDeleted, requireDocument, requireDraft, requireUnlocked, unknownDocument } from "./row.ts";
import { putContent, putDocument, requireProcessed } from "./transitions.ts";
import { toLock } from "./view.ts";

export function remove(world: World, id: string): void {
  const document = requireDeletable(world, id);
  requireUnlocked(world, document);
  leaveTombstone(world, document);
}

/** Deletes all documents, or none on failure. assumed: delete.bulk_locked. */
export function removeAll(world: World, ids: readonly string[]): string[] {
  const documents = [...new Set(ids)].map((id) => requireDeletable(world, id));
  const locked = documents.find((document) => toLock(world, document) !== null);
  if (locked && world.decide("delete.bulk_locked") === "refuse") requireUnlocked(world, locked);
  for (const document of documents) leaveTombstone(world, document);
  return documents.map((document) => document.id);
}

function requireDeletable(world: World, id: string): DocumentRow {
  const document = findDocumentOrDeleted(world, id);
  if (!document) throw unknownDocument(id);
  if (document.internal.deleted_at !== null) throw deletedAlready(world, id);
  // spec: the caller needs delete permission for each document.
  requireOwnerOrManager(world, document.owner, "delete it");
  return document;
}

/** Source: the official changelog of 2018 answers 403 to a second delete; no newer source contradicts it. */
function deletedAlready(world: World, id: string): ApiError {
  const why = `document ${id} is deleted already`;
  return world.decide("delete.second") === 404 ? notFound(why) : forbidden(why);
}

export function deleteUnchecked(world: World, document: DocumentRow): void {
  if (document.internal.deleted_at === null) leaveTombstone(world, document);
}

function leaveTombstone(world: World, document: DocumentRow): void {
  if (document.internal.expire_job) world.jobs.cancel(document.internal.expire_job);
  const tombstone = putDocument(world, {
    ...document,
    internal: { ...document.internal, deleted_at: world.clock.now(), expire_job: null },
  });
  planReminders(world, tombstone);
  for (const session of world.store.sessions.where("document", document.id)) world.store.sessions.delete(session.id);
  endEditingSessions(world, { kind: "document", id: document.id });
  world.emitHappening({ name: "document.deleted", subject: document.id });
  emit(world, "document_deleted", tombstone);
}

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

export function update(world: World, id: string, input: UpdateInput): void {
  const document = requireDocument(world, id);
  requireAbility(world, "edit_document", document);
  requireUnlocked(world, document);
  requireDraft(world, document);
  refuseUnknownFields(world, document.fields, input.fields);
  const recipients = assignRecipientTypes(changeRecipients(world, document.recipients, input.recipients ?? []), document.fields);
  if (input.recipients) {
    refuseManyRecipients(world, recipients);
    remarkSharedAddresses(world, recipients);
  }
  const { name, fields, tokens, texts, images, tables, pricing_tables } = input;
  // assumed: update.empty.
  if (Object.values(input).every((part) => part === undefined)) return;
  const isContent = [name, fields, tokens, texts, images, tables, pricing_tables].some((part) => part !== undefined);
  // spec: recipients change only date_modified. assumed: update.content_date.
  const put = isContent ? putContent : putDocument;
  const changed = put(world, {
    ...applyContent(world, document, input),
    tokens: addTokens(document.tokens, tokens ?? []),
    name: name ?? document.name,
    // assumed: update.tags_and_metadata.
    tags: input.tags ?? document.tags,
    metadata: { ...document.metadata, ...metadataOf(world, input.metadata) },
    recipients,
  });
  planImages(world, changed);
  // An update adds unknown tokens.
  remarkUnknownNames(world, document, { ...input, tokens: [] });
}

/** Addresses are compared at the end of the request, so two recipients may swap theirs. */
function changeRecipients(
  world: World,
  recipients: readonly RecipientRow[],
  input: NonNullable<UpdateInput["recipients"]>,
): RecipientRow[] {
  const pathOf = (i: number) => `recipients[${i}]`;
  let changed = [...recipients];
  for (const [i, one] of input.entries()) {
    if (one.id === undefined) continue;
    const index = changed.findIndex((recipient) => recipient.id === one.id);
    const before = changed[index];
    if (!before) throw invalid({ [`${pathOf(i)}.id`]: ["Recipient not found."] }, `the document has no recipient ${one.id}`);
    changed[index] = changeRecipient(world, before, one, pathOf(i));
  }
  const waiting = new Set(input.map(({ id }) => id));
  for (const [i, { id }] of input.entries()) {
    waiting.delete(id);
    const after = changed.find((recipient) => recipient.id === id);
    const settled = changed.filter((recipient) => !waiting.has(recipient.id));
    if (after?.type === "recipient")
      refuseTakenAddress(world, settled, after, `${pathOf(i)}.${after.email === null ? "phone" : "email"}`);
  }
  for (const [i, one] of input.entries()) {
    if (one.id !== undefined) continue;
    changed = mergeRecipient(world, changed, addRecipient(world, { ...one, role: null }, pathOf(i)), pathOf(i));
  }
  return changed;
}

function changeRecipient(
  world: World,
  before: RecipientRow,
  one: NonNullable<UpdateInput["recipients"]>[number],
  path: string,
): RecipientRow {
  remarkIdleValues(world, one, { isGroup: before.type === "recipient_group", where: path });
  const person = {
    type: before.type,
    name: one.name ?? before.name ?? "",
    members:
      one.members ?? before.members.map(({ email, phone, first_name, last_name }) => ({ email, phone, first_name, last_name })),
    email: one.email ?? before.email,
    phone: one.phone ?? before.phone,
    first_name: one.first_name ?? before.first_name,
    last_name: one.last_name ?? before.last_name,
    signing_order: one.signing_order === undefined ? before.signing_order : one.signing_order,
    delivery_methods: { ...before.delivery_methods, ...one.delivery_methods },
    redirect: one.redirect ?? before.redirect,
    verification_settings: before.verification_settings,
  };
  const after = newRecipient(world, person, path);
  return {
    ...after,
    id: before.id,
    role: before.role,
    roles: before.roles,
    recipient_type: before.recipient_type,
    // The contact keeps a phone number that the update removes.
    phone: one.phone === null ? null : after.phone,
    members: after.members.map((member) => ({ ...member, ...identityOf(before.members, member) })),
    internal: before.internal,
  };
}

function identityOf(members: readonly GroupMember[], member: GroupMember): Partial<GroupMember> {
  const existing = members.find((one) =>
    one.email === null ? one.phone === member.phone : one.email.toLowerCase() === member.email?.toLowerCase(),
  );
  return existing ? { id: existing.id, link_token: existing.link_token, signature_date: existing.signature_date } : {};
}
