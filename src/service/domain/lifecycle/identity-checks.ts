import { audit } from "./audit-trail.ts";
import { mail } from "../mails/mails.ts";
import { type Participant, withRecipient } from "../recipients/recipients.ts";
import type { World } from "../../model/world.ts";
import type { RecipientRow, VerificationSettings } from "../../model/recipients/rows.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { SessionRow } from "../../model/signing/rows.ts";

export type VerificationKind = "passcode" | "phone" | "email" | "kba" | "id";

export function pendingCheck(
  { internal, verification_settings: settings }: RecipientRow,
  place: VerificationSettings["verification_place"],
): VerificationKind | undefined {
  if (internal.verified || settings?.verification_place !== place) return undefined;
  if (settings.passcode_verification) return "passcode";
  if (settings.phone_verification) return "phone";
  if (settings.email_otp_verification) return "email";
  if (settings.kba_verification) return "kba";
  return settings.id_verification?.enabled ? "id" : undefined;
}

/** Audit codes. Source: the official description of the audit trail. */
const PASSED: Readonly<Record<VerificationKind, number>> = { kba: 47, id: 48, phone: 49, passcode: 50, email: 69 };
const FAILED: Readonly<Record<VerificationKind, number>> = { kba: 51, id: 52, phone: 53, passcode: 54, email: 70 };

export function toAuditUser({ recipient, member }: Participant): { id: string; email: string } {
  return member ? { id: member.id, email: member.email ?? "" } : { id: recipient.contact_id, email: recipient.email ?? "" };
}

/** The checks kba and id accept the answer `pass`. assumed: signing.verification_attempts. */
export function verify(
  world: World,
  document: DocumentRow,
  participant: Participant,
  kind: VerificationKind,
  answer: string,
  code?: SessionRow["code"],
): boolean {
  const passed = answer.trim() !== "" && answer.trim() === expectedAnswer(participant.recipient, kind, code);
  if (passed) pass(world, document, participant, kind);
  else audit(world, document, FAILED[kind], toAuditUser(participant));
  return passed;
}

function expectedAnswer(recipient: RecipientRow, kind: VerificationKind, code: string | undefined): string | undefined {
  if (kind === "passcode") return recipient.verification_settings?.passcode_verification?.passcode;
  return kind === "kba" || kind === "id" ? "pass" : code;
}

function pass(world: World, document: DocumentRow, participant: Participant, kind: VerificationKind): DocumentRow {
  const { recipient } = participant;
  audit(world, document, PASSED[kind], toAuditUser(participant));
  const internal = { ...recipient.internal, verified: true };
  return world.store.documents.put(withRecipient(document, recipient.id, { internal }));
}

export function mailCode(world: World, document: DocumentRow, recipient: RecipientRow, kind: "phone" | "email"): string {
  const code = String(world.ids.between(100_000, 999_999));
  const settings = recipient.verification_settings;
  mail(world, {
    kind: "verification_code",
    document,
    to: { phone: settings?.phone_verification?.phone_number, email: settings?.email_otp_verification?.email },
    channels: [kind === "phone" ? "sms" : "email"],
    message: `${code} is your code for "${document.name}".`,
  });
  return code;
}

export function passCheck(
  world: World,
  document: DocumentRow,
  participant: Participant,
  place: VerificationSettings["verification_place"],
): DocumentRow {
  const kind = pendingCheck(participant.recipient, place);
  if (!kind) return document;
  if (kind === "phone" || kind === "email") mailCode(world, document, participant.recipient, kind);
  return pass(world, document, participant, kind);
}
