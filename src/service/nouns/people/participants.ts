import type { DocumentRow } from "../documents/row.ts";
import { fullName } from "../members/members.ts";
import type { GroupMember, RecipientRow } from "./inputs.ts";
import type { Participant } from "./recipients.ts";
import { assignRecipientTypes } from "./recipients.ts";

export function signersOf(document: DocumentRow): RecipientRow[] {
  return document.recipients.filter((recipient) => recipient.recipient_type === "signer");
}

export function currentSigners(document: DocumentRow): RecipientRow[] {
  const open = signersOf(document).filter((recipient) => !recipient.has_completed);
  const ordered = open.filter((recipient) => recipient.signing_order !== null);
  if (ordered.length === 0) return open;
  const level = Math.min(...ordered.map((recipient) => recipient.signing_order as number));
  return open.filter((recipient) => recipient.signing_order === null || recipient.signing_order === level);
}

export function waitsForTurn(document: DocumentRow, recipient: RecipientRow): boolean {
  if (recipient.recipient_type !== "signer" || recipient.has_completed) return false;
  return !currentSigners(document).some((one) => one.id === recipient.id);
}

/** assumed: recipients.payer. */
export function payerOf(document: DocumentRow): RecipientRow | undefined {
  const field = document.fields.find((one) => one.type === "payment_details");
  return (
    document.recipients.find((one) => one.id === field?.recipient_id) ?? signersOf(document).at(-1) ?? document.recipients[0]
  );
}

export function replaceSigner(document: DocumentRow, signer: RecipientRow, taker: RecipientRow, wasSent = true): DocumentRow {
  const fields = document.fields.map((field) => {
    if (field.recipient_id !== signer.id) return field;
    const value = wasSent ? (field.type === "checkbox" ? false : null) : field.value;
    return { ...field, recipient_id: taker.id, value };
  });
  const others = document.recipients.filter((one) => one.id !== taker.id);
  const recipients = others.map((one) => (one.id === signer.id ? taker : one));
  return { ...document, recipients: assignRecipientTypes(recipients, fields), fields };
}

/** Finds a participant by id, email address, role or group name. assumed: recipients.group_acts. */
export function findParticipant(document: DocumentRow, by: string): Participant | undefined {
  const participants = participantsOf(document);
  return (
    participants.find(({ recipient, member }) => recipient.id === by || member?.id === by) ??
    participantByEmail(document, by) ??
    openPart(
      document,
      participants.filter(({ recipient }) => recipient.roles.includes(by)),
    ) ??
    participants.find(({ recipient }) => recipient.name !== null && recipient.name === by)
  );
}

export function participantByEmail(document: DocumentRow, address: string): Participant | undefined {
  const email = address.toLowerCase();
  const parts = participantsOf(document).filter(({ recipient, member }) => (member ?? recipient).email?.toLowerCase() === email);
  return openPart(document, parts);
}

export function participantNames(document: DocumentRow): string {
  const names = participantsOf(document).map(
    ({ recipient, member }) => member?.email ?? recipient.email ?? displayName(recipient),
  );
  return [...new Set(names)].join(", ") || "none";
}

export function participantOf(recipient: RecipientRow, memberId?: string): Participant {
  const member = recipient.members.find((one) => one.id === memberId);
  return { recipient, member: member ?? recipient.members[0] };
}

export function participantsOf({ recipients }: { recipients: readonly RecipientRow[] }): Participant[] {
  return recipients.flatMap((recipient): Participant[] =>
    recipient.members.length === 0
      ? [{ recipient, member: undefined }]
      : recipient.members.map((member) => ({ recipient, member })),
  );
}

function openPart(document: DocumentRow, parts: readonly Participant[]): Participant | undefined {
  const turn = currentSigners(document);
  const isOpen = ({ recipient }: Participant) => recipient.recipient_type === "signer" && !recipient.has_completed;
  return parts.find(({ recipient }) => turn.includes(recipient)) ?? parts.find(isOpen) ?? parts[0];
}

export function signedMember(recipient: RecipientRow): GroupMember | undefined {
  return recipient.members.find((member) => member.signature_date !== null);
}

export function withRecipient(document: DocumentRow, id: string, change: Partial<RecipientRow>): DocumentRow {
  return {
    ...document,
    recipients: document.recipients.map((recipient) => (recipient.id === id ? { ...recipient, ...change } : recipient)),
  };
}

export function displayName(recipient: RecipientRow): string {
  return recipient.name ?? personalName(recipient);
}

export function participantName({ recipient, member }: Participant): string {
  return personalName(member ?? recipient);
}

function personalName(person: GroupMember | RecipientRow): string {
  return fullName(person) || person.email || person.phone || person.id;
}
