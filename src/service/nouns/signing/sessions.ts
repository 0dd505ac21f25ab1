import { ApiError } from "../../../engine/core/errors.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import type { World } from "../../kit/world.ts";
import { asCaller } from "../../kit/world.ts";
import type { FieldRow, FieldValue } from "../content/row.ts";
import type { DocumentRow } from "../documents/row.ts";
import { findDocument } from "../documents/row.ts";
import { isAllowedIn } from "../documents/status-machine.ts";
import type { VerificationKind } from "../documents/transitions.ts";
import { mailCode, pendingCheck } from "../documents/transitions.ts";
import type { GroupMember, RecipientRow } from "../people/inputs.ts";
import type { Participant } from "../people/recipients.ts";
import { participantOf, payerOf, waitsForTurn } from "../people/participants.ts";
import type { Choices } from "../pricing/signer-choices.ts";
import { putSession } from "./embedded-sessions.ts";
import { complete, fill, missingFields, view } from "./participant-acts.ts";

export interface SessionRow extends Row {
  document_id: string;
  recipient_id: string;
  member_id?: string;
  expires_at: number;
  code?: string;
  wrong_codes?: number;
}

export interface CommentRow extends Row {
  document_id: string;
  recipient_id: string;
  member_id?: string;
  kind: "comment" | "suggestion";
  text: string;
  at: number;
}

export const sessionTables = {
  sessions: table<SessionRow>()({ bound: { maxRows: 20_000 }, indexes: { document: (row) => row.document_id } }),
  comments: table<CommentRow>()({ indexes: { document: (row) => row.document_id } }),
};

export type BlockReason = "unknown" | "session_expired" | "not_out" | "review" | "expired" | "declined" | "turn" | "handed_over";

interface Opened extends Participant {
  session: SessionRow;
  document: DocumentRow;
}

export type SessionView =
  | { is: "stopped"; why: BlockReason; document?: DocumentRow; recipient?: RecipientRow; member?: GroupMember }
  | ({ is: "verify"; kind: VerificationKind; locked: boolean } & Opened)
  | ({ is: "open"; mode: "fill" | "read" | "pay" } & Opened);

export function worldOf(world: World, document: DocumentRow): World {
  return asCaller(world, { ...world.caller, workspace_id: document.workspace_id });
}

export function viewSession(world: World, sessionId: string): SessionView {
  const session = world.store.sessions.get(sessionId);
  const document = session && findDocument(world, session.document_id);
  const recipient = document?.recipients.find((one) => one.id === session?.recipient_id);
  if (!session || !document || !recipient) return { is: "stopped", why: "unknown" };
  const participant = participantOf(recipient, session.member_id);
  // The sender may have removed this member from the group.
  if (session.member_id !== undefined && participant.member?.id !== session.member_id) return { is: "stopped", why: "unknown" };
  if (session.expires_at <= world.clock.now()) return { is: "stopped", why: "session_expired", document, ...participant };
  const reason = blockReasonOf(document, recipient);
  if (reason) return { is: "stopped", why: reason, document, ...participant };
  const kind = pendingCheck(recipient, "before_open");
  if (kind) return { is: "verify", kind, locked: isLocked(session), session, document, ...participant };
  return { is: "open", mode: modeOf(document, recipient), session, document, ...participant };
}

function blockReasonOf(document: DocumentRow, recipient: RecipientRow): BlockReason | undefined {
  switch (document.status) {
    case "document.voided":
      return "expired";
    case "document.declined":
      return "declined";
    case "document.external_review":
      return "review";
    default:
  }
  if (!isAllowedIn(document.status, "embed")) return "not_out";
  return isAllowedIn(document.status, "sign") && waitsForTurn(document, recipient) ? "turn" : undefined;
}

function modeOf(document: DocumentRow, recipient: RecipientRow): "fill" | "read" | "pay" {
  if (document.status === "document.waiting_pay") return payerOf(document)?.id === recipient.id ? "pay" : "read";
  return isAllowedIn(document.status, "sign") && recipient.recipient_type === "signer" && !recipient.has_completed
    ? "fill"
    : "read";
}

export function enterSession(world: World, sessionId: string): SessionView {
  const sessionView = viewSession(world, sessionId);
  if (sessionView.is !== "open") return sessionView;
  const document = view(worldOf(world, sessionView.document), sessionView.document, sessionView);
  const recipient = document.recipients.find((one) => one.id === sessionView.recipient.id) ?? sessionView.recipient;
  return { ...sessionView, document, ...participantOf(recipient, sessionView.member?.id) };
}

const LINK_LIFETIME_S = 3600;

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
  const reason = blockReasonOf(document, recipient);
  const member = recipient.members.find((one) => one.link_token === token);
  if (reason && reason !== "turn") return { is: "stopped", why: reason, document, recipient, member };
  return { session: putSession(world, document, recipient, member, LINK_LIFETIME_S).id };
}

export type Errors = Record<string, string>;

export interface Outcome {
  document: DocumentRow;
  errors: Errors;
}

/** Keys are field uuids and item ids. Returns the messages of refused values. */
export function fillValid(
  world: World,
  document: DocumentRow,
  recipient: RecipientRow,
  values: Record<string, FieldValue>,
  choices: Choices = {},
): Outcome {
  let current = document;
  const errors: Errors = {};
  const tryFill = (id: string, value: Record<string, FieldValue>, choice: Choices) => {
    try {
      current = world.store.savepoint(() => fill(world, current, recipient, value, choice));
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== "invalid" || typeof error.detail === "string") throw error;
      errors[id] = String(Object.values(error.detail).flat()[0] ?? error.message);
    }
  };
  for (const field of document.fields) {
    const value = values[field.uuid];
    if (value === undefined || field.recipient_id !== recipient.id || isUnchanged(field, value)) continue;
    tryFill(field.uuid, { [field.uuid]: value }, {});
  }
  for (const [id, choice] of Object.entries(choices)) tryFill(id, {}, { [id]: choice });
  return { document: current, errors };
}

function isUnchanged(field: FieldRow, value: FieldValue): boolean {
  const before =
    typeof field.value === "object" && field.value !== null && typeof value === "string" ? field.value.text : field.value;
  return before === value || ((before === null || before === undefined) && value === "");
}

export function finish(
  world: World,
  { document, recipient, member }: Opened,
  values: Record<string, FieldValue>,
  choices: Choices = {},
): Outcome & { finished: boolean } {
  const filled = fillValid(world, document, recipient, values, choices);
  for (const field of missingFields(filled.document, recipient)) filled.errors[field.uuid] ??= "This field is required.";
  if (Object.keys(filled.errors).length > 0) return { ...filled, finished: false };
  return { document: complete(world, filled.document, { recipient, member }), errors: {}, finished: true };
}

/** assumed: signing.wrong_codes. */
const WRONG_CODES_MAX = 5;

export function isLocked({ wrong_codes = 0 }: SessionRow): boolean {
  return wrong_codes >= WRONG_CODES_MAX;
}

export function countWrongCode(world: World, { id }: SessionRow): boolean {
  const session = world.store.sessions.get(id);
  if (!session) return false;
  return isLocked(world.store.sessions.put({ ...session, wrong_codes: (session.wrong_codes ?? 0) + 1 }));
}

export function sendCode(world: World, { session, document, recipient }: Opened, kind: "phone" | "email"): void {
  world.store.sessions.put({ ...session, code: mailCode(world, document, recipient, kind) });
}
