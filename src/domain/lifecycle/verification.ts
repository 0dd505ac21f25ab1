/** The check that a recipient may be asked to pass, before the document is opened or before it is signed. */
import { audit } from "./audit-trail.ts";
import { mail } from "../mails/mails.ts";
import { type Participant, withRecipient } from "../recipients/recipients.ts";
import type { World } from "../world.ts";
import type { RecipientRow, VerificationSettings } from "../recipients/rows.ts";
import type { DocumentRow } from "../document-model/rows.ts";
import type { SessionRow } from "../signing/rows.ts";

export type VerificationKind = "passcode" | "phone" | "email" | "kba" | "id";

/** The check that must still be passed there; undefined when there is none. */
export function openCheck(
  { internal, verification_settings: asked }: RecipientRow,
  place: VerificationSettings["verification_place"],
): VerificationKind | undefined {
  if (internal.verified || asked?.verification_place !== place) return undefined;
  if (asked.passcode_verification) return "passcode";
  if (asked.phone_verification) return "phone";
  if (asked.email_otp_verification) return "email";
  if (asked.kba_verification) return "kba";
  return asked.id_verification?.enabled ? "id" : undefined;
}

/** Audit codes of a check that was passed or failed. Source: the official description of the audit trail. */
const PASSED: Readonly<Record<VerificationKind, number>> = { kba: 47, id: 48, phone: 49, passcode: 50, email: 69 };
const FAILED: Readonly<Record<VerificationKind, number>> = { kba: 51, id: 52, phone: 53, passcode: 54, email: 70 };

/** Who acts, as the audit trail shows it. */
export function toAuditUser({ recipient, member }: Participant): { id: string; email: string } {
  return member ? { id: member.id, email: member.email ?? "" } : { id: recipient.contact_id, email: recipient.email ?? "" };
}

/**
 * Checks an answer. Passcodes and codes are compared; identity checks are not carried out here: `pass` is their answer
 * when they succeed. assumed: a failed check may be tried again without end, but for codes of text messages.
 */
export function verify(
  world: World,
  document: DocumentRow,
  who: Participant,
  kind: VerificationKind,
  answer: string,
  code?: SessionRow["code"],
): boolean {
  const passed = answer.trim() !== "" && answer.trim() === expected(who.recipient, kind, code);
  if (passed) pass(world, document, who, kind);
  else audit(world, document, FAILED[kind], toAuditUser(who));
  return passed;
}

function expected(recipient: RecipientRow, kind: VerificationKind, code: string | undefined): string | undefined {
  if (kind === "passcode") return recipient.verification_settings?.passcode_verification?.passcode;
  return kind === "kba" || kind === "id" ? "pass" : code;
}

function pass(world: World, document: DocumentRow, who: Participant, kind: VerificationKind): DocumentRow {
  const { recipient } = who;
  audit(world, document, PASSED[kind], toAuditUser(who));
  const internal = { ...recipient.internal, verified: true };
  return world.store.documents.put(withRecipient(document, recipient.id, { internal }));
}

/** A fresh code, sent to the phone or address that the sender named. */
export function mailCode(world: World, document: DocumentRow, recipient: RecipientRow, kind: "phone" | "email"): string {
  const code = String(world.ids.between(100_000, 999_999));
  const asked = recipient.verification_settings;
  mail(world, {
    kind: "verification_code",
    document,
    to: { phone: asked?.phone_verification?.phone_number, email: asked?.email_otp_verification?.email },
    channels: [kind === "phone" ? "sms" : "email"],
    message: `${code} is your code for "${document.name}".`,
  });
  return code;
}

/** Passes the check as who knows the answer does, with the code that it takes. */
export function passCheck(
  world: World,
  document: DocumentRow,
  who: Participant,
  place: VerificationSettings["verification_place"],
): DocumentRow {
  const kind = openCheck(who.recipient, place);
  if (!kind) return document;
  if (kind === "phone" || kind === "email") mailCode(world, document, who.recipient, kind);
  return pass(world, document, who, kind);
}
