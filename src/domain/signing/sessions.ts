/** What the holder of a signing session, or of a shared link, may see and do just now. */
import { ApiError } from "../../core/errors.ts";
import type { Choices } from "../pricing/signer-choices.ts";
import { may } from "../document-model/status-machine.ts";
import { type Participant, participantOf, payerOf, waits } from "../recipients/recipients.ts";
import { putSession } from "../sending/sending.ts";
import { complete, fill, missingFields, view } from "./acts.ts";
import { mailCode, openCheck, type VerificationKind } from "../lifecycle/verification.ts";
import { as, type World } from "../world.ts";
import type { SessionRow } from "./rows.ts";
import type { DocumentRow } from "../document-model/rows.ts";
import type { GroupMember, RecipientRow } from "../recipients/rows.ts";
import { findDocument } from "../document-model/find.ts";
import type { FieldRow, FieldValue } from "../content/rows.ts";

/** Why there is nothing to see. */
export type BlockReason = "unknown" | "session_expired" | "not_out" | "review" | "expired" | "declined" | "turn" | "handed_over";

interface Opened extends Participant {
  session: SessionRow;
  document: DocumentRow;
}

export type SessionView =
  | { is: "stopped"; why: BlockReason; document?: DocumentRow; recipient?: RecipientRow; member?: GroupMember }
  | ({ is: "verify"; kind: VerificationKind; locked: boolean } & Opened)
  | ({ is: "open"; mode: "fill" | "read" | "pay" } & Opened);

/** The world as what a recipient does sees it: everything happens in the document's workspace. */
export function worldOf(world: World, document: DocumentRow): World {
  return as(world, { ...world.caller, workspace_id: document.workspace_id });
}

/** What a session shows now. Writes nothing. */
export function viewSession(world: World, sessionId: string): SessionView {
  const session = world.store.sessions.get(sessionId);
  const document = session && findDocument(world, session.document_id);
  const recipient = document?.recipients.find((one) => one.id === session?.recipient_id);
  if (!session || !document || !recipient) return { is: "stopped", why: "unknown" };
  const who = participantOf(recipient, session.member_id);
  // The sender may have taken the member out of the group.
  if (session.member_id !== undefined && who.member?.id !== session.member_id) return { is: "stopped", why: "unknown" };
  if (session.expires_at <= world.clock.now()) return { is: "stopped", why: "session_expired", document, ...who };
  const why = stopOf(document, recipient);
  if (why) return { is: "stopped", why, document, ...who };
  const kind = openCheck(recipient, "before_open");
  if (kind) return { is: "verify", kind, locked: isLocked(session), session, document, ...who };
  return { is: "open", mode: modeOf(document, recipient), session, document, ...who };
}

function stopOf(document: DocumentRow, recipient: RecipientRow): BlockReason | undefined {
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
  return may(document.status, "sign") && waits(document, recipient) ? "turn" : undefined;
}

function modeOf(document: DocumentRow, recipient: RecipientRow): "fill" | "read" | "pay" {
  if (document.status === "document.waiting_pay") return payerOf(document)?.id === recipient.id ? "pay" : "read";
  return may(document.status, "sign") && recipient.recipient_type === "signer" && !recipient.has_completed ? "fill" : "read";
}

/** Looks, and when the document is shown, notes that this recipient has seen it. */
export function enterSession(world: World, sessionId: string): SessionView {
  const sight = viewSession(world, sessionId);
  if (sight.is !== "open") return sight;
  const document = view(worldOf(world, sight.document), sight.document, sight);
  const recipient = document.recipients.find((one) => one.id === sight.recipient.id) ?? sight.recipient;
  return { ...sight, document, ...participantOf(recipient, sight.member?.id) };
}

/** How long a shared link's own session lasts, in seconds: that of a session for which no lifetime is asked. */
const LINK_LIFETIME = 3600;

/** Follows a shared link: to a session of its recipient, or to why there is none. Undefined when nobody has that link. */
export function followLink(
  world: World,
  token: string,
): { session: string } | Extract<SessionView, { is: "stopped" }> | undefined {
  const document = world.store.documents.where("link", token)[0];
  if (!document || document.internal.deleted_at !== null) return undefined;
  const recipient = document.recipients.find(
    (one) => one.internal.link_token === token || one.members.some((member) => member.link_token === token),
  );
  if (!recipient) return undefined;
  const why = stopOf(document, recipient);
  const member = recipient.members.find((one) => one.link_token === token);
  if (why && why !== "turn") return { is: "stopped", why, document, recipient, member };
  return { session: putSession(world, document, recipient, member, LINK_LIFETIME).id };
}

export type Errors = Record<string, string>;

export interface Outcome {
  document: DocumentRow;
  /** Messages by a field's uuid, or by the id of an item that was chosen. */
  errors: Errors;
}

/** Keeps what can be kept of the values, by a field's uuid, and of the choices, by an item's id; says what is wrong with the others. */
export function fillEach(
  world: World,
  document: DocumentRow,
  recipient: RecipientRow,
  values: Record<string, FieldValue>,
  choices: Choices = {},
): Outcome {
  let current = document;
  const errors: Errors = {};
  const keep = (id: string, value: Record<string, FieldValue>, choice: Choices) => {
    try {
      current = world.store.savepoint(() => fill(world, current, recipient, value, choice));
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== "invalid" || typeof error.detail === "string") throw error;
      errors[id] = String(Object.values(error.detail).flat()[0] ?? error.message);
    }
  };
  for (const field of document.fields) {
    const value = values[field.uuid];
    if (value === undefined || field.recipient_id !== recipient.id || isSame(field, value)) continue;
    keep(field.uuid, { [field.uuid]: value }, {});
  }
  for (const [id, choice] of Object.entries(choices)) keep(id, {}, { [id]: choice });
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
  { document, recipient, member }: Opened,
  values: Record<string, FieldValue>,
  choices: Choices = {},
): Outcome & { finished: boolean } {
  const filled = fillEach(world, document, recipient, values, choices);
  for (const field of missingFields(filled.document, recipient)) filled.errors[field.uuid] ??= "This field is required.";
  if (Object.keys(filled.errors).length > 0) return { ...filled, finished: false };
  return { document: complete(world, filled.document, { recipient, member }), errors: {}, finished: true };
}

/** assumed: how many wrong codes of a text message are too many is not published. A new session starts from none. */
const WRONG_CODES_MAX = 5;

/** Whether too many wrong codes were entered: the session takes no more. */
export function isLocked({ wrong_codes = 0 }: SessionRow): boolean {
  return wrong_codes >= WRONG_CODES_MAX;
}

/** Counts a wrong code of a text message. True when it was one too many. */
export function countWrongCode(world: World, { id }: SessionRow): boolean {
  const session = world.store.sessions.get(id);
  if (!session) return false;
  return isLocked(world.store.sessions.put({ ...session, wrong_codes: (session.wrong_codes ?? 0) + 1 }));
}

/** Sends a fresh code, which the session then asks for. */
export function sendCode(world: World, { session, document, recipient }: Opened, kind: "phone" | "email"): void {
  world.store.sessions.put({ ...session, code: mailCode(world, document, recipient, kind) });
}
