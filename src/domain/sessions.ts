/** What the holder of a signing session, or of a shared link, may see and do just now. */
import { ApiError } from "../core/errors.ts";
import { audit } from "./audit.ts";
import { may } from "./document-machine.ts";
import { findDocument } from "./lifecycle.ts";
import { mail } from "./mails.ts";
import { currentSigners, signersOf, withRecipient } from "./recipients.ts";
import { putSession } from "./sending.ts";
import { complete, fill, missingFields, person, view } from "./signing.ts";
import type { DocumentRow, FieldRow, FieldValue, RecipientRow, SessionRow } from "./tables.ts";
import { as, type World } from "./world.ts";

/** Why there is nothing to see. */
export type Stop = "unknown" | "session_expired" | "not_out" | "review" | "expired" | "declined" | "turn";

export type VerificationKind = "passcode" | "phone" | "email" | "kba" | "id";

interface Opened {
  session: SessionRow;
  document: DocumentRow;
  recipient: RecipientRow;
}

export type Sight =
  | { is: "stopped"; why: Stop; document?: DocumentRow; recipient?: RecipientRow }
  | ({ is: "verify"; kind: VerificationKind } & Opened)
  | ({ is: "open"; mode: "fill" | "read" | "pay" } & Opened);

/** The world as what a recipient does sees it: everything happens in the document's workspace. */
export function worldOf(world: World, document: DocumentRow): World {
  return as(world, { ...world.caller, workspace_id: document.workspace_id });
}

/** What a session shows now. Writes nothing. */
export function lookAt(world: World, sessionId: string): Sight {
  const session = world.store.sessions.get(sessionId);
  const document = session && findDocument(world, session.document_id);
  const recipient = document?.recipients.find((one) => one.id === session?.recipient_id);
  if (!session || !document || !recipient) return { is: "stopped", why: "unknown" };
  if (session.expires_at <= world.clock.now()) return { is: "stopped", why: "session_expired", document, recipient };
  const why = stopOf(document, recipient);
  if (why) return { is: "stopped", why, document, recipient };
  const kind = kindOf(recipient);
  if (kind && !recipient.internal.verified && recipient.verification_settings?.verification_place === "before_open")
    return { is: "verify", kind, session, document, recipient };
  return { is: "open", mode: modeOf(document, recipient), session, document, recipient };
}

function stopOf(document: DocumentRow, recipient: RecipientRow): Stop | undefined {
  switch (document.status) {
    case "document.voided":
      return "expired";
    case "document.declined":
      return "declined";
    case "document.external_review":
      return "review";
    default:
  }
  if (!may(document.status, "embed")) return "not_out";
  if (!may(document.status, "sign") || recipient.recipient_type !== "signer" || recipient.has_completed) return undefined;
  return currentSigners(document).some((one) => one.id === recipient.id) ? undefined : "turn";
}

function modeOf(document: DocumentRow, recipient: RecipientRow): "fill" | "read" | "pay" {
  if (document.status === "document.waiting_pay") return isPayer(document, recipient) ? "pay" : "read";
  return may(document.status, "sign") && recipient.recipient_type === "signer" && !recipient.has_completed ? "fill" : "read";
}

/** assumed: who has the payment field pays; without one the last signer does. */
function isPayer(document: DocumentRow, recipient: RecipientRow): boolean {
  const field = document.fields.find((one) => one.type === "payment_details");
  return (field ? field.recipient_id : signersOf(document).at(-1)?.id) === recipient.id;
}

function kindOf(recipient: RecipientRow): VerificationKind | undefined {
  const asked = recipient.verification_settings;
  if (asked?.passcode_verification) return "passcode";
  if (asked?.phone_verification) return "phone";
  if (asked?.email_otp_verification) return "email";
  if (asked?.kba_verification) return "kba";
  return asked?.id_verification?.enabled ? "id" : undefined;
}

/** Looks, and when the document is shown, notes that this recipient has seen it. */
export function openSession(world: World, sessionId: string): Sight {
  const sight = lookAt(world, sessionId);
  if (sight.is !== "open") return sight;
  const document = view(worldOf(world, sight.document), sight.document, sight.recipient);
  return { ...sight, document, recipient: document.recipients.find((one) => one.id === sight.recipient.id) ?? sight.recipient };
}

/** How long a shared link's own session lasts, in seconds: that of a session for which no lifetime is asked. */
const LINK_LIFETIME = 3600;

/** Follows a shared link: to a session of its recipient, or to why there is none. Undefined when nobody has that link. */
export function followLink(world: World, token: string): { session: string } | Extract<Sight, { is: "stopped" }> | undefined {
  const document = world.store.documents.where("link", token)[0];
  if (!document || document.internal.deleted_at !== null) return undefined;
  const recipient = document.recipients.find(
    (one) => one.internal.link_token === token || one.members.some((member) => member.link_token === token),
  );
  if (!recipient) return undefined;
  const why = stopOf(document, recipient);
  if (why && why !== "turn") return { is: "stopped", why, document, recipient };
  const member = recipient.members.find((one) => one.link_token === token);
  return { session: putSession(world, document, recipient, member, LINK_LIFETIME).id };
}

export type Errors = Record<string, string>;

export interface Outcome {
  document: DocumentRow;
  /** Messages by a field's uuid. */
  errors: Errors;
}

/** Keeps what can be kept of the values, by a field's uuid, and says what is wrong with the others. */
export function fillEach(
  world: World,
  document: DocumentRow,
  recipient: RecipientRow,
  values: Record<string, FieldValue>,
): Outcome {
  let current = document;
  const errors: Errors = {};
  for (const field of document.fields) {
    const value = values[field.uuid];
    if (value === undefined || field.recipient_id !== recipient.id || isSame(field, value)) continue;
    try {
      current = world.store.savepoint(() => fill(world, current, recipient, { [field.uuid]: value }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== "invalid" || typeof error.detail === "string") throw error;
      errors[field.uuid] = String(Object.values(error.detail).flat()[0] ?? error.message);
    }
  }
  return { document: current, errors };
}

function isSame(field: FieldRow, value: FieldValue): boolean {
  const was =
    typeof field.value === "object" && field.value !== null && typeof value === "string" ? field.value.text : field.value;
  return was === value || ((was === null || was === undefined) && value === "");
}

/** Fills and finishes. What is filled stays when something is missing, so that nothing has to be written twice. */
export function finish(
  world: World,
  { session, document, recipient }: Opened,
  values: Record<string, FieldValue>,
): Outcome & { finished: boolean } {
  const filled = fillEach(world, document, recipient, values);
  for (const field of missingFields(filled.document, recipient)) filled.errors[field.uuid] ??= "This field is required.";
  if (Object.keys(filled.errors).length > 0) return { ...filled, finished: false };
  return { document: complete(world, filled.document, recipient.id, session.member_id), errors: {}, finished: true };
}

/** The check that must still be passed before this recipient may finish. */
export function checkBeforeSign(recipient: RecipientRow): VerificationKind | undefined {
  if (recipient.internal.verified || recipient.verification_settings?.verification_place !== "before_sign") return undefined;
  return kindOf(recipient);
}

/** Audit codes of a check that was passed or failed. Source: the official description of the audit trail. */
const PASSED: Readonly<Record<VerificationKind, number>> = { kba: 47, id: 48, phone: 49, passcode: 50, email: 69 };
const FAILED: Readonly<Record<VerificationKind, number>> = { kba: 51, id: 52, phone: 53, passcode: 54, email: 70 };

/**
 * Checks an answer. Passcodes and codes are compared; identity checks are not carried out here: `pass` is their answer
 * when they succeed. assumed: a failed check may be tried again without end.
 */
export function verify(world: World, { session, document, recipient }: Opened, kind: VerificationKind, answer: string): boolean {
  const passed = answer.trim() !== "" && answer.trim() === expected(session, recipient, kind);
  audit(world, document, (passed ? PASSED : FAILED)[kind], person(recipient));
  if (passed) {
    const internal = { ...recipient.internal, verified: true };
    world.store.documents.put(withRecipient(document, recipient.id, { internal }));
  }
  return passed;
}

function expected(session: SessionRow, recipient: RecipientRow, kind: VerificationKind): string | undefined {
  if (kind === "passcode") return recipient.verification_settings?.passcode_verification?.passcode;
  return kind === "kba" || kind === "id" ? "pass" : session.code;
}

/** Sends a fresh code to the phone or address that the sender named. */
export function sendCode(world: World, { session, document, recipient }: Opened, kind: "phone" | "email"): void {
  const code = String(world.ids.between(100_000, 999_999));
  world.store.sessions.put({ ...session, code });
  const asked = recipient.verification_settings;
  mail(world, {
    kind: "verification_code",
    document,
    to: { phone: asked?.phone_verification?.phone_number, email: asked?.email_otp_verification?.email },
    channels: [kind === "phone" ? "sms" : "email"],
    message: `${code} is your code for "${document.name}".`,
  });
}
