import { iso } from "../../../engine/core/clock.ts";
import { badRequest, invalid } from "../../../engine/core/errors.ts";
import { audit } from "../lifecycle/audit-trail.ts";
import { recordAct } from "../lifecycle/history.ts";
import { applyChoices, choosableItems, type Choices } from "../pricing/signer-choices.ts";
import { fieldValue } from "../content/content.ts";
import { isFilled } from "../document-model/view.ts";
import { fire, putContent, putDocument, requireAllowed } from "../lifecycle/transitions.ts";
import {
  currentSigners,
  displayName,
  type Participant,
  participantOf,
  signersOf,
  withRecipient,
} from "../recipients/recipients.ts";
import { planReminders } from "../lifecycle/reminder-schedule.ts";
import { invite } from "../sending/sending.ts";
import { toAuditUser } from "../lifecycle/identity-checks.ts";
import { emit } from "../webhooks/subscriptions.ts";
import type { World } from "../../model/world.ts";
import { type FieldRow, type FieldValue, isDrawnField } from "../../model/content/rows.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";

export function currentParticipant(document: DocumentRow, { recipient, member }: Participant): Participant {
  return participantOf(document.recipients.find((one) => one.id === recipient.id) ?? recipient, member?.id);
}

export function view(world: World, document: DocumentRow, participant: Participant): DocumentRow {
  const { recipient, member } = participant;
  const now = world.clock.now();
  const isFirst = (member ? (member.viewed_at ?? null) : recipient.internal.viewed_at) === null;
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
    changes.set(field.uuid, isDrawnField(field) ? signatureValue(value) : fieldValue(field, value, name));
  }
  recordAct(world, document.id, "fill", participantOf(recipient), filledInput(document, changes, choices));
  return putContent(world, {
    ...applyChoices(document, choices),
    fields: document.fields.map((field) =>
      changes.has(field.uuid) ? { ...field, value: changes.get(field.uuid) ?? null } : field,
    ),
  });
}

/** Names replace ids, which differ in another run. A drawn signature has no text. */
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
  emit(world, "recipient_completed", finished, { participant: currentParticipant(finished, participant) });
  if (signersOf(finished).some((one) => !one.has_completed)) return finished;
  // assumed: signing.qes_audit.
  if (isQualified) audit(world, finished, 56, toAuditUser(participant));
  return fire(world, finished, finished.internal.payment ? "await_payment" : "complete", { by: toAuditUser(participant) });
}

export function decline(world: World, document: DocumentRow, participant: Participant, reason?: string): DocumentRow {
  requireTurn(document, participant.recipient, "decline the document");
  recordAct(world, document.id, "decline", participant, reason === undefined ? {} : { reason });
  return fire(world, document, "decline", { by: toAuditUser(participant), reason: reason ?? null });
}
