import { iso } from "../../../engine/core/clock.ts";
import { badRequest, forbidden, invalid } from "../../../engine/core/errors.ts";
import { encodeAddress } from "../../../engine/core/text.ts";
import type { World } from "../../kit/world.ts";
import { fieldValue } from "../content/content.ts";
import { keepFile } from "../content/file-content.ts";
import type { FieldRow, FieldValue } from "../content/row.ts";
import { isMarkField } from "../content/row.ts";
import { audit, recordAct } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { statusReason } from "../documents/status-reason.ts";
import { fire, putContent, putDocument, requireAllowed, toAuditUser } from "../documents/transitions.ts";
import { isFilled } from "../documents/view.ts";
import { findPerson } from "../members/members.ts";
import { putSmsOptOut, setEmailOptOut } from "../opt-outs.ts";
import type { PersonInput, RecipientRow } from "../people/inputs.ts";
import { mail } from "../people/mails.ts";
import type { Participant } from "../people/recipients.ts";
import { addRecipient } from "../people/recipients.ts";
import {
  currentSigners,
  displayName,
  participantName,
  participantOf,
  replaceSigner,
  signersOf,
  withRecipient,
} from "../people/participants.ts";
import { planReminders } from "../people/reminder-schedule.ts";
import { beginTurns, invite } from "../people/sending.ts";
import type { Choices } from "../pricing/signer-choices.ts";
import { applyChoices, choosableItems } from "../pricing/signer-choices.ts";
import { emit } from "../webhooks/subscriptions.ts";
import type { ForwardInput } from "./acts.ts";
import { endSessions } from "./embedded-sessions.ts";
import type { CommentRow } from "./sessions.ts";

/** What a signer or another recipient does with a document, and what each act asks first. */

export function currentParticipant(document: DocumentRow, { recipient, member }: Participant): Participant {
  return participantOf(document.recipients.find((one) => one.id === recipient.id) ?? recipient, member?.id);
}

export function view(world: World, document: DocumentRow, participant: Participant): DocumentRow {
  const { recipient, member } = participant;
  const now = world.clock.now();
  const isFirst = (member ?? recipient.internal).viewed_at === null;
  if (!isFirst && document.status !== "document.sent") return document;
  audit(world, document, 8, toAuditUser(participant));
  recordAct(world, document.id, "view", participant);
  const seen = withRecipient(document, recipient.id, {
    internal: { ...recipient.internal, viewed_at: recipient.internal.viewed_at ?? now },
    members: recipient.members.map((one) => (one.id === member?.id ? { ...one, viewed_at: one.viewed_at ?? now } : one)),
  });
  return document.status === "document.sent" ? fire(world, seen, "view") : putDocument(world, seen);
}

/** `values` is keyed by field name, merge field, field id or uuid. assumed: signing.choices. */
export function fill(
  world: World,
  document: DocumentRow,
  recipient: RecipientRow,
  values: Record<string, FieldValue>,
  choices: Choices = {},
): DocumentRow {
  if (Object.keys(values).length + Object.keys(choices).length === 0) return document;
  requireTurn(document, recipient);
  const ownFields = document.fields.filter((field) => field.recipient_id === recipient.id);
  const changes = new Map<string, FieldValue>();
  for (const [name, value] of Object.entries(values)) {
    const field = ownFields.find((one) => isNamed(one, name));
    if (!field)
      throw invalid(
        { [name]: ["No such field of this recipient."] },
        `the fields of ${displayName(recipient)} are ${ownFields.map((one) => one.name).join(", ") || "none"}`,
      );
    changes.set(field.uuid, isMarkField(field) ? signatureValue(value) : fieldValue(field, value, name));
  }
  recordAct(world, document.id, "fill", participantOf(recipient), filledInput(document, changes, choices));
  return putContent(world, {
    ...applyChoices(document, choices),
    fields: document.fields.map((field) =>
      changes.has(field.uuid) ? { ...field, value: changes.get(field.uuid) ?? null } : field,
    ),
  });
}

/** Names replace ids, which differ in another run. An object of a file has a name. */
function filledInput(document: DocumentRow, changes: ReadonlyMap<string, FieldValue>, choices: Choices) {
  const fields = [...changes].flatMap(([uuid, value]) => {
    const name = document.fields.find((field) => field.uuid === uuid)?.name;
    const plain = typeof value === "object" && value !== null ? (value.text ?? value.name) : value;
    return name === undefined || plain === undefined ? [] : [[name, plain]];
  });
  const items = choosableItems(document);
  const pricing = Object.entries(choices).map(([id, choice]) => [items.find((one) => one.id === id)?.name ?? id, choice]);
  return {
    ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
    ...(pricing.length > 0 ? { pricing: Object.fromEntries(pricing) } : {}),
  };
}

export function isNamed(field: FieldRow, name: string): boolean {
  return [field.uuid, field.field_id, field.merge_field, field.name].includes(name);
}

function signatureValue(value: FieldValue): FieldValue {
  if (value === null || value === "" || value === false) return null;
  return typeof value === "object" ? value : { text: String(value) };
}

export function missingFields(document: DocumentRow, recipient: RecipientRow): FieldRow[] {
  return document.fields.filter(
    (field) =>
      field.recipient_id === recipient.id && field.settings.required && field.type !== "payment_details" && !isFilled(field),
  );
}

export function requireTurn(document: DocumentRow, recipient: RecipientRow, act?: string): void {
  requireAllowed(document, "sign", act);
  if (recipient.recipient_type !== "signer") {
    throw badRequest(`${displayName(recipient)} has no fields to complete.`, {
      why: "only signers complete a document; a recipient without fields is a CC",
    });
  }
  if (recipient.has_completed)
    throw badRequest(`${displayName(recipient)} has completed the document already.`, { why: "each signer completes once" });
  const turn = currentSigners(document);
  if (!turn.some((one) => one.id === recipient.id)) {
    const names = turn.map(displayName).join(", ");
    throw badRequest(`It is not the turn of ${displayName(recipient)} yet.`, {
      why: `signing order: ${names} must finish first`,
    });
  }
}

/** The day on the clock, as `2026-03-02`. */
export function dayOf(world: World): string {
  return iso(world.clock.now()).slice(0, "2026-03-02".length);
}

/** assumed: fields.autofilled. */
function withSigningDay(world: World, document: DocumentRow, recipient: RecipientRow): DocumentRow {
  const isDue = (field: FieldRow) =>
    field.type === "date" && field.settings.autofilled === true && field.recipient_id === recipient.id;
  if (!document.fields.some(isDue)) return document;
  const today = dayOf(world);
  return { ...document, fields: document.fields.map((field) => (isDue(field) ? { ...field, value: today } : field)) };
}

export function complete(world: World, before: DocumentRow, participant: Participant): DocumentRow {
  const { recipient, member } = currentParticipant(before, participant);
  requireTurn(before, recipient);
  const document = withSigningDay(world, before, recipient);
  const missing = missingFields(document, recipient);
  if (missing.length > 0) {
    throw invalid(
      Object.fromEntries(missing.map((field) => [field.name, ["This field is required."]])),
      "fill every required field before you complete",
    );
  }
  const now = world.clock.now();
  const completed = withRecipient(document, recipient.id, {
    has_completed: true,
    signature_date: now,
    members: recipient.members.map((one) => (one.id === member?.id ? { ...one, signature_date: now } : one)),
  });
  recordAct(world, document.id, "sign", participant);
  const finished = putDocument(world, invite(world, completed));
  planReminders(world, finished);
  const isQualified = finished.internal.settings.qualified_electronic_signature;
  if (isQualified) audit(world, finished, 55, toAuditUser(participant));
  audit(world, finished, 9, toAuditUser(participant));
  if (signersOf(finished).some((one) => !one.has_completed)) {
    emit(world, "recipient_completed", finished);
    return finished;
  }
  // assumed: signing.qes_audit.
  if (isQualified) audit(world, finished, 56, toAuditUser(participant));
  return fire(world, finished, finished.internal.payment ? "await_payment" : "complete", {
    by: toAuditUser(participant),
    // assumed: webhook.last_signer.
    before: "recipient_completed",
  });
}

export function decline(world: World, document: DocumentRow, participant: Participant, reason?: string): DocumentRow {
  requireTurn(document, participant.recipient, "decline the document");
  recordAct(world, document.id, "decline", participant, reason === undefined ? {} : { reason });
  return fire(world, document, "decline", { by: toAuditUser(participant), reason: reason ?? null });
}

const AUDIT = { forwarded: 12, payment_failed: 17, reassigned: 23 } as const;

export function commentsOf(world: World, document: DocumentRow): CommentRow[] {
  return world.store.comments.where("document", document.id).sort((a, b) => a.at - b.at);
}

export function authorOf(document: DocumentRow, { recipient_id, member_id }: CommentRow): string {
  const recipient = document.recipients.find((one) => one.id === recipient_id);
  return recipient ? participantName(participantOf(recipient, member_id)) : "Somebody";
}

function addComment(
  world: World,
  document: DocumentRow,
  { recipient, member }: Participant,
  kind: CommentRow["kind"],
  text: string | undefined,
): string {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") throw invalid({ text: ["This field may not be blank."] }, "the text is empty");
  const by = { recipient_id: recipient.id, ...(member ? { member_id: member.id } : {}) };
  const row = { id: world.ids.uuid(), document_id: document.id, ...by, kind, text: trimmed };
  if (kind === "comment") {
    const { email } = member ?? recipient;
    world.emitHappening({ name: "act", subject: document.id, act: { action: "comment", by: email ?? "", reason: trimmed } });
  }
  return world.store.comments.put({ ...row, at: world.clock.now() }).text;
}

/** spec: silent sends no comment mail. */
export function comment(world: World, document: DocumentRow, participant: Participant, text: string | undefined): DocumentRow {
  const message = addComment(world, document, participant, "comment", text);
  recordAct(world, document.id, "comment", participant, { text: message });
  const owner = findPerson(world, document.owner)?.user;
  if (owner && !document.internal.silent) {
    mail(world, {
      kind: "comment",
      document,
      to: { email: owner.email, name: `${owner.first_name} ${owner.last_name}` },
      message: `${participantName(participant)}: ${message}`,
    });
  }
  return document;
}

export function review(world: World, document: DocumentRow, participant: Participant, text?: string): DocumentRow {
  requireAllowed(document, "sign", "review the document");
  if (text !== undefined) addComment(world, document, participant, "suggestion", text);
  recordAct(world, document.id, "review", participant, text === undefined ? {} : { text });
  return fire(world, document, "review", { by: toAuditUser(participant), reason: text ?? null });
}

export function failPayment(world: World, document: DocumentRow, participant: Participant, reason?: string): DocumentRow {
  if (document.status !== "document.waiting_pay") {
    throw badRequest("The document does not wait for a payment.", {
      why: statusReason(document, "fail a payment", ["document.waiting_pay"]),
    });
  }
  audit(world, document, AUDIT.payment_failed, toAuditUser(participant), reason ?? null);
  recordAct(world, document.id, "pay_fail", participant, reason === undefined ? {} : { reason });
  return document;
}

const ADDRESS_MAX = 254;

export function forward(world: World, document: DocumentRow, participant: Participant, to: ForwardInput): DocumentRow {
  requireAllowed(document, "sign", "forward the document");
  const { forwarding_allowed, forwarding_with_reassigning_allowed } = document.internal.forwarding;
  if (!forwarding_allowed) throw forbidden("the sender does not allow forwarding");
  if (to.reassign && !forwarding_with_reassigning_allowed) throw forbidden("the sender does not allow reassigning");
  const email = to.email?.trim().toLowerCase() ?? "";
  if (email.length > ADDRESS_MAX || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalid({ email: ["Enter a valid email address."] });
  if (document.recipients.some((one) => one.email?.toLowerCase() === email)) {
    throw invalid({ email: ["This person is a recipient of the document already."] });
  }
  const input = { email, first_name: to.first_name?.trim() || null, last_name: to.last_name?.trim() || null };
  recordAct(world, document.id, "forward", participant, { to: { ...to, email } });
  return to.reassign ? reassign(world, document, participant, input) : forwardCopy(world, document, participant, input);
}

function forwardCopy(world: World, document: DocumentRow, participant: Participant, input: PersonInput): DocumentRow {
  const added = addRecipient(world, { ...input, role: null }, "to");
  const changed = putDocument(world, { ...document, recipients: [...document.recipients, added] });
  audit(world, changed, AUDIT.forwarded, toAuditUser(participant));
  mail(world, { kind: "forwarded", document: changed, recipient: added });
  return changed;
}

function reassign(world: World, document: DocumentRow, participant: Participant, input: PersonInput): DocumentRow {
  const { recipient } = participant;
  if (recipient.has_completed) throw badRequest(`${displayName(recipient)} has completed the document already.`);
  if (recipient.type === "recipient_group") throw badRequest("A group cannot be reassigned by one of its members.");
  const { id, contact_id, email, phone, first_name, last_name, internal } = addRecipient(world, input, "to");
  const newRecipient: RecipientRow = {
    ...recipient,
    ...{ id, contact_id, email, phone, first_name, last_name },
    verification_settings: null,
    internal: { ...internal, notified_at: world.clock.now() },
  };
  endSessions(world, document, recipient);
  const changed = putDocument(world, replaceSigner(document, recipient, newRecipient));
  audit(world, changed, AUDIT.reassigned, toAuditUser(participant));
  planReminders(world, changed);
  mail(world, { kind: "forwarded", document: changed, recipient: newRecipient });
  beginTurns(world, changed, [newRecipient]);
  return changed;
}

/** spec: collect_file value has name and url. */
export function storeFieldFile(
  world: World,
  field: FieldRow,
  file: { name: string; type: string; bytes: Uint8Array },
): FieldValue {
  if (file.bytes.length > FILE_BYTES_MAX) throw invalid({ [field.name]: ["The file is larger than 25 MB."] });
  const id = keepFile(world, file);
  return { name: file.name, url: `${world.settings.publicUrl}/files/${id}/${encodeAddress(file.name)}` };
}

/** assumed: signing.file_limit. */
const FILE_BYTES_MAX = 25 * 1024 * 1024;

/** Default channel: sms. @throws 400 when the recipient has no address for the channel */
export function setOptOut(
  world: World,
  document: DocumentRow,
  participant: Participant,
  status: "opt-in" | "opt-out",
  channel?: "sms" | "email",
): DocumentRow {
  const { phone, email } = participant.member ?? participant.recipient;
  if (channel === "email") {
    if (!email)
      throw badRequest("The recipient has no email address.", { why: `${participantName(participant)} has no email address` });
    setEmailOptOut(world, email, status === "opt-out");
    return document;
  }
  if (!phone)
    throw badRequest("The recipient has no phone number.", {
      why: `${participantName(participant)} has no phone number`,
    });
  putSmsOptOut(world, { workspace_id: document.workspace_id, phone_number: phone, status });
  return document;
}
