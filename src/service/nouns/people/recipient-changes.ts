import * as z from "zod";
import { defined } from "../../../engine/core/defined.ts";
import { badRequest, invalid, notFound } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import type { ContactGroupRow, ContactRow } from "../contacts.ts";
import { audit } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { requireDocument, requireUnlocked } from "../documents/row.ts";
import type { Permission } from "../documents/status-machine.ts";
import { isAllowedIn } from "../documents/status-machine.ts";
import { statusReason } from "../documents/status-reason.ts";
import { putDocument } from "../documents/transitions.ts";
import { requireAbility } from "../members/members.ts";
import { hasOptedOutOfEmail, hasOptedOutOfSms } from "../opt-outs.ts";
import { endSessions } from "../signing/embedded-sessions.ts";
import * as inputs from "./inputs.ts";
import type { GroupMember, PartyInput, PersonInput, RecipientEdit, RecipientRow } from "./inputs.ts";
import { mailInvitations } from "./mails.ts";
import {
  addGroupMember,
  addRecipient,
  assignRecipientTypes,
  earliestTurn,
  isSamePerson,
  pickDelivery,
  refuseManyRecipients,
  refuseTakenAddress,
  requireDistinctMembers,
  toRedirect,
  toVerification,
} from "./recipients.ts";
import { currentSigners, displayName, replaceSigner, withRecipient } from "./participants.ts";
import { remarkIdleValues, remarkSharedAddresses } from "./remarks.ts";
import { planReminders } from "./reminder-schedule.ts";
import { beginTurns, invite } from "./sending.ts";

/** Contact groups come from fixtures: the service creates them in its own pages. */

export interface Party {
  id: string;
  label: string;
  /** Takes over role, order and delivery of `previous`. Identity checks start anew. */
  toRecipient(previous: Partial<RecipientRow>): RecipientRow;
}

/** @throws 400. assumed: contacts.unknown_in_body. */
export function requireParty(world: World, input: PartyInput): Party {
  const isOwn = (row: { workspace_id: string } | undefined) => row?.workspace_id === world.caller.workspace_id;
  if (input.kind === "contact") {
    const contact = world.store.contacts.get(input.id);
    if (contact && isOwn(contact))
      return {
        id: contact.id,
        label: contact.email ?? contact.id,
        toRecipient: (previous) => newRecipient(world, { id: contact.id }, previous),
      };
    throw invalid({ id: ["Contact not found."] }, `no contact ${input.id} in this workspace`);
  }
  const group = world.store.contact_groups.get(input.id);
  const members = group && isOwn(group) ? membersOf(world, group) : [];
  if (!group || members.length === 0)
    throw invalid(
      { id: ["Contact group not found."] },
      `no contact group ${input.id} with members; add it to contact_groups of the fixtures`,
    );
  const asGroup = { type: "recipient_group" as const, name: group.name, members };
  return {
    id: group.id,
    label: group.name,
    // Later calls find the recipient by its group.
    toRecipient: (previous) => ({ ...newRecipient(world, asGroup, previous), contact_id: group.id }),
  };
}

function membersOf(world: World, group: ContactGroupRow): Pick<ContactRow, "email" | "phone" | "first_name" | "last_name">[] {
  return group.members.flatMap((id) => {
    const contact = world.store.contacts.get(id);
    if (!contact) return [];
    const { email, phone, first_name, last_name } = contact;
    return [{ email, phone, first_name, last_name }];
  });
}

function newRecipient(world: World, person: Parameters<typeof addRecipient>[1], previous: Partial<RecipientRow>): RecipientRow {
  const { role = "", roles = [], signing_order = null, delivery_methods = null, redirect = null } = previous;
  return { ...addRecipient(world, { ...person, signing_order, delivery_methods, redirect, role: null }, "id"), role, roles };
}

const AUDIT = { reassigned: 23, edited: 24, added: 25, deleted: 26 } as const;

export function addCc(world: World, id: string, input: PartyInput): RecipientRow {
  const document = requireDocument(world, id);
  requireAbility(world, "manage_recipients", document);
  requireUnlocked(world, document);
  requireStatus(document, "change_cc", "add a CC recipient");
  const party = requireParty(world, input);
  const added = party.toRecipient({});
  if (document.recipients.some((recipient) => recipient.contact_id === party.id || isSamePerson(recipient, added))) {
    // assumed: recipients.second_add.
    throw invalid({ id: [`${party.label} already in recipients list`] }, `${party.label} is already a recipient of the document`);
  }
  refuseManyRecipients(world, [...document.recipients, added], "id");
  remarkSharedAddresses(world, [...document.recipients, added], "id");
  audit(world, document, AUDIT.added);
  const changed = notify(world, { ...document, recipients: [...document.recipients, added] }, added.id);
  save(world, changed);
  return added;
}

export function removeRecipient(world: World, id: string, recipientId: string): void {
  const document = requireDocument(world, id);
  requireAbility(world, "manage_recipients", document);
  requireUnlocked(world, document);
  const recipient = requireRecipient(document, recipientId);
  if (recipient.recipient_type === "CC") requireStatus(document, "change_cc", "remove a CC recipient");
  else requireStatus(document, "edit", "remove a signer");
  audit(world, document, AUDIT.deleted);
  endSessions(world, document, recipient);
  save(world, {
    ...document,
    recipients: document.recipients.filter((one) => one.id !== recipient.id),
    fields: document.fields.map((field) =>
      field.recipient_id === recipient.id ? { ...field, recipient_id: null, role: null } : field,
    ),
  });
}

export function editRecipient(world: World, id: string, recipientId: string, input: RecipientEdit): void {
  const document = requireDocument(world, id);
  requireAbility(world, "edit_document", document);
  requireUnlocked(world, document);
  const recipient = requireRecipient(document, recipientId);
  if (recipient.recipient_type === "CC") requireStatus(document, "change_cc", "edit a CC recipient");
  else requireUnsigned(document, recipient, "edit a signer");
  const isGroup = recipient.type === "recipient_group";
  // A group has a name and members only.
  const ofPeople = Object.keys(input).filter((name) => name !== "name" && name !== "members");
  remarkIdleValues(world, input, { isGroup, where: "", ofPeople });
  const changed = isGroup ? editGroup(world, document, recipient, input) : editPerson(world, document, recipient, input);
  audit(world, document, AUDIT.edited);
  save(world, changed);
}

function editPerson(world: World, document: DocumentRow, recipient: RecipientRow, input: RecipientEdit): DocumentRow {
  const before = world.store.contacts.get(recipient.contact_id);
  const email = input.email === undefined ? recipient.email : input.email || null;
  const phone = input.phone === undefined ? recipient.phone : input.phone || null;
  if (!email && !phone)
    throw invalid({ email: ["Email or phone is required."] }, "a recipient needs an email address or a phone number");
  const isNewAddress = email?.toLowerCase() !== recipient.email?.toLowerCase();
  if (isNewAddress || (email === null && phone !== recipient.phone))
    refuseTakenAddress(world, document.recipients, { ...recipient, email, phone }, email === null ? "phone" : "email");
  if (isNewAddress) refuseEmail(world, recipient, email);
  const delivery_methods = { ...recipient.delivery_methods, ...pickDelivery(input.delivery_methods) };
  if (isAllowedIn(document.status, "notify")) refuseOptedOut(world, document, recipient, { email, phone, delivery_methods });
  const person = {
    email,
    phone,
    first_name: input.first_name === undefined ? recipient.first_name : (input.first_name ?? ""),
    last_name: input.last_name === undefined ? recipient.last_name : (input.last_name ?? ""),
  };
  const { company, title: job_title, state, street_address, city, postal_code, country } = input;
  const address = defined({ company, job_title, state, street_address, city, postal_code, country });
  if (before) world.store.contacts.put({ ...before, ...person, ...address });
  const verification = input.verification_settings;
  const changed = withRecipient(document, recipient.id, {
    ...person,
    delivery_methods,
    redirect: input.redirect === undefined ? recipient.redirect : toRedirect(input.redirect),
    ...(verification !== undefined && {
      verification_settings: toVerification(verification, ""),
      internal: { ...recipient.internal, verified: false },
    }),
  });
  return isNewAddress ? replaceLink(world, changed, recipient.id) : changed;
}

/**
 * Source: the official description: on a sent document, when an address changes or its channel is switched on.
 * assumed: recipients.opt_out_texts.
 * @throws 400 when the address has opted out
 */
function refuseOptedOut(
  world: World,
  document: DocumentRow,
  before: RecipientRow,
  after: Pick<RecipientRow, "email" | "phone" | "delivery_methods">,
): void {
  const { email, phone, delivery_methods } = after;
  const isOn = (channel: "email" | "sms") => delivery_methods[channel] && !before.delivery_methods[channel];
  if (phone && (phone !== before.phone || isOn("sms")) && hasOptedOutOfSms(world, phone, document.workspace_id))
    throw invalid({ phone: ["This phone number has opted out of text messages."] }, `${phone} has opted out of text messages`);
  const isNewAddress = email?.toLowerCase() !== before.email?.toLowerCase();
  if (email && (isNewAddress || isOn("email")) && hasOptedOutOfEmail(world, email))
    throw invalid(
      { email: ["This email address has opted out of emails."] },
      `${email} has opted out of emails from this organization`,
    );
}

/** The service restricts new email addresses in two ways. assumed: recipients.email_texts. */
function refuseEmail(world: World, recipient: RecipientRow, email: string | null): void {
  if (recipient.email !== null && world.store.users.where("email", recipient.email.toLowerCase()).length > 0) {
    throw invalid(
      { email: ["You cannot change the email of a PandaDoc user."] },
      `${recipient.email} belongs to a user of the service`,
    );
  }
  if (email === null) return;
  // The address of a user would turn the recipient into that user.
  if (world.store.users.where("email", email.toLowerCase()).length > 0)
    throw invalid(
      { email: ["You cannot use the email of a PandaDoc user."] },
      `${email} belongs to a user of the service; reassign the recipient instead`,
    );
  const isTaken = world.store.contacts
    .where("email", `${world.caller.workspace_id}:${email.toLowerCase()}`)
    .some((contact) => contact.id !== recipient.contact_id);
  if (isTaken) {
    throw invalid(
      { email: ["Contact with this email already exists."] },
      `${email} belongs to another contact; reassign the recipient to that contact instead`,
    );
  }
}

function replaceLink(world: World, document: DocumentRow, recipientId: string): DocumentRow {
  const recipient = requireRecipient(document, recipientId);
  if (!isAllowedIn(document.status, "notify")) return document;
  endSessions(world, document, recipient);
  const relinked = withRecipient(document, recipientId, {
    internal: { ...recipient.internal, link_token: world.ids.hex(40), viewed_at: null, verified: false },
  });
  return wasNotified(recipient) ? notify(world, relinked, recipientId) : relinked;
}

/** A CC is notified when the document is sent, a signer when their turn begins. */
function wasNotified(recipient: RecipientRow): boolean {
  return recipient.recipient_type === "CC" || recipient.internal.notified_at !== null;
}

function editGroup(world: World, document: DocumentRow, group: RecipientRow, input: RecipientEdit): DocumentRow {
  if (input.name === undefined && input.members === undefined) {
    throw invalid({ non_field_errors: ["Provide at least one of name or members."] }, "the recipient is a group");
  }
  const members = input.members?.map((one, i) => mergeMember(world, group, one, `members[${i}]`)) ?? group.members;
  requireDistinctMembers(members, "");
  const changed = withRecipient(document, group.id, { name: input.name ?? group.name, members });
  refuseManyRecipients(world, changed.recipients, "members");
  if (input.members) remarkSharedAddresses(world, changed.recipients, "members");
  const newMembers = members.filter((member) => !group.members.some((one) => one.id === member.id));
  if (newMembers.length > 0 && wasNotified(group) && isAllowedIn(document.status, "notify")) {
    const newGroup = { ...requireRecipient(changed, group.id), members: newMembers };
    mailInvitations(world, changed, [newGroup]);
    if (hasTurn(document, group)) beginTurns(world, changed, [newGroup]);
  }
  return changed;
}

function mergeMember(world: World, group: RecipientRow, input: PersonInput & { email: string }, where: string): GroupMember {
  const existing = group.members.find((member) => member.email?.toLowerCase() === input.email.toLowerCase());
  const newMember = addGroupMember(world, input, where);
  return existing
    ? {
        ...existing,
        first_name: input.first_name ?? existing.first_name,
        last_name: input.last_name ?? existing.last_name,
        phone: input.phone ?? existing.phone,
      }
    : newMember;
}

export function reassign(world: World, id: string, recipientId: string, input: PartyInput): RecipientRow {
  const document = requireDocument(world, id);
  requireAbility(world, "manage_recipients", document);
  requireUnlocked(world, document);
  const signer = requireRecipient(document, recipientId);
  // assumed: recipients.reassign_cc.
  if (signer.recipient_type === "CC") {
    throw badRequest("Only a signer can be reassigned.", {
      why: `${displayName(signer)} is a CC recipient`,
      assumption: "recipients.reassign_cc",
    });
  }
  requireUnsigned(document, signer, "change a signer");
  const party = requireParty(world, input);
  const added = party.toRecipient(signer);
  const isParty = (one: RecipientRow) => one.contact_id === party.id || isSamePerson(one, added);
  const existing = document.recipients.find((one) => isParty(one) && one.id !== signer.id);
  if (isParty(signer) || existing?.has_completed) {
    throw invalid(
      { id: ["This contact cannot be the new signer of the document."] },
      isParty(signer) ? `${party.label} is already this signer` : `${party.label} has signed the document already`,
    );
  }
  // assumed: recipients.reassign_to_recipient.
  const newSigner: RecipientRow = existing
    ? {
        ...existing,
        role: existing.role || signer.role,
        roles: [...new Set([...existing.roles, ...signer.roles])],
        signing_order: earliestTurn(existing, signer),
      }
    : added;
  const wasSent = isAllowedIn(document.status, "notify");
  audit(world, document, AUDIT.reassigned);
  endSessions(world, document, signer);
  const changed = replaceSigner(document, signer, newSigner, wasSent);
  save(world, wasSent ? invite(world, changed) : changed);
  return newSigner;
}

function requireRecipient(document: DocumentRow, recipientId: string): RecipientRow {
  const recipient = document.recipients.find((one) => one.id === recipientId);
  if (recipient) return recipient;
  throw notFound(`document ${document.id} has no recipient ${recipientId}; use the recipient's id, not the id of the contact`);
}

/** assumed: recipients.wrong_status. */
function requireStatus(document: DocumentRow, permission: Permission, act: string): void {
  if (isAllowedIn(document.status, permission)) return;
  throw badRequest(`Cannot ${act}: the document is in ${document.status}.`, {
    type: "request_error",
    why: statusReason(document, act, permission),
    assumption: "recipients.wrong_status",
  });
}

function requireUnsigned(document: DocumentRow, recipient: RecipientRow, act: string): void {
  requireStatus(document, "change_signer", act);
  if (!recipient.has_completed) return;
  throw badRequest(`Cannot ${act}: the recipient has signed the document.`, {
    type: "request_error",
    why: `${displayName(recipient)} has signed already`,
  });
}

function notify(world: World, document: DocumentRow, recipientId: string): DocumentRow {
  if (!isAllowedIn(document.status, "notify")) return document;
  const recipient = requireRecipient(document, recipientId);
  const { internal } = recipient;
  mailInvitations(world, document, [recipient]);
  if (hasTurn(document, recipient)) beginTurns(world, document, [recipient]);
  return withRecipient(document, recipientId, { internal: { ...internal, notified_at: world.clock.now() } });
}

function hasTurn(document: DocumentRow, recipient: RecipientRow): boolean {
  return isAllowedIn(document.status, "sign") && currentSigners(document).some((one) => one.id === recipient.id);
}

/** spec: recipients change `date_modified`, not `content_date_modified`. */
function save(world: World, document: DocumentRow): void {
  const saved = putDocument(world, { ...document, recipients: assignRecipientTypes(document.recipients, document.fields) });
  planReminders(world, saved);
}

const recipientChanged = lazy(() => z.strictObject({ recipient_id: z.string() }));

export const recipientsGroup = group("Document Recipients", [
  operation({
    id: "addDocumentRecipient",
    route: "POST /public/v1/documents/{id}/recipients",
    body: inputs.contactRequest,
    responses: { 200: recipientChanged },
    errors: [400, 401, 403, 404, 423, 429],
    handle: ({ params, body }, world) => ok({ recipient_id: addCc(world, params.id, body).id }),
  }),
  operation({
    id: "deleteDocumentRecipient",
    route: "DELETE /public/v1/documents/{id}/recipients/{recipient_id}",
    responses: { 204: null },
    errors: [401, 403, 404, 423, 429],
    furtherErrors: [400],
    handle: ({ params }, world) => removeRecipient(world, params.id, params.recipient_id),
  }),
  operation({
    id: "editDocumentRecipient",
    route: "PATCH /public/v1/documents/{id}/recipients/recipient/{recipient_id}",
    secret: { request: ["passcode"] },
    body: inputs.recipientEditRequest,
    responses: { 204: null },
    errors: [400, 401, 403, 404, 423, 429],
    handle: ({ params, body }, world) => editRecipient(world, params.id, params.recipient_id, body),
  }),
  operation({
    id: "reassignDocumentRecipient",
    route: "POST /public/v1/documents/{id}/recipients/{recipient_id}/reassign",
    body: inputs.contactRequest,
    responses: { 200: recipientChanged },
    errors: [400, 401, 403, 404, 423, 429],
    handle: ({ params, body }, world) => ok({ recipient_id: reassign(world, params.id, params.recipient_id, body).id }),
  }),
]);
