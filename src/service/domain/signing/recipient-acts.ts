import { encodeAddress } from "../../../engine/core/text.ts";
import { badRequest, forbidden, invalid } from "../../../engine/core/errors.ts";
import { statusReason } from "../document-model/status-reason.ts";
import { audit } from "../lifecycle/audit-trail.ts";
import { recordAct } from "../lifecycle/history.ts";
import { setEmailOptOut } from "../communication-preferences/email-opt-outs.ts";
import { keepFile } from "../content/files.ts";
import { findPerson } from "../members/members.ts";
import { fire, putDocument, requireAllowed } from "../lifecycle/transitions.ts";
import { mail } from "../mails/mails.ts";
import {
  addRecipient,
  displayName,
  replaceSigner,
  type Participant,
  participantName,
  participantOf,
} from "../recipients/recipients.ts";
import { planReminders } from "../lifecycle/reminder-schedule.ts";
import { endSessions } from "../sending/embedded-sessions.ts";
import { beginTurns } from "../sending/sending.ts";
import { putSmsOptOut } from "../communication-preferences/sms-opt-outs.ts";
import { toAuditUser } from "../lifecycle/identity-checks.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { ForwardInput } from "../../model/signing/inputs.ts";
import type { CommentRow } from "../../model/signing/rows.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import type { FieldRow, FieldValue } from "../../model/content/rows.ts";
import type { PersonInput } from "../../model/recipients/inputs.ts";

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
