import { badRequest, invalid } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentRow } from "../documents/row.ts";
import { requireDocument } from "../documents/row.ts";
import { isAllowedIn } from "../documents/status-machine.ts";
import { statusReason } from "../documents/status-reason.ts";
import type { GroupMember, RecipientRow } from "../people/inputs.ts";
import { participantByEmail } from "../people/participants.ts";
import type { SessionInput } from "../people/sending.ts";
import type { SessionRow } from "./sessions.ts";

export function createSession(world: World, id: string, input: SessionInput): SessionRow {
  const document = requireDocument(world, id);
  requireEmbeddable(document);
  const participant = participantByEmail(document, input.recipient);
  if (!participant) {
    // assumed: sessions.unknown_recipient.
    throw invalid(
      { recipient: ["There is no associated recipient."] },
      `no recipient has the email address ${input.recipient}; known: ${addressesOf(document).join(", ") || "none"}`,
    );
  }
  return putSession(world, document, participant.recipient, participant.member, input.lifetime);
}

export function putSession(
  world: World,
  document: DocumentRow,
  recipient: RecipientRow,
  member: GroupMember | undefined,
  lifetime_s: number,
): SessionRow {
  requireEmbeddable(document);
  return world.store.sessions.put({
    id: world.ids.short(),
    document_id: document.id,
    recipient_id: recipient.id,
    member_id: member?.id,
    expires_at: world.clock.after(lifetime_s * 1000),
  });
}

function requireEmbeddable(document: DocumentRow): void {
  if (!isAllowedIn(document.status, "embed")) {
    throw badRequest(`Cannot create session ID for a document in ${document.status} status`, {
      type: "validation_error",
      why: statusReason(document, "create a session", "embed"),
    });
  }
}

function addressesOf(document: DocumentRow): string[] {
  return document.recipients.flatMap((one) => [one, ...one.members].flatMap(({ email }) => email ?? []));
}

export function endSessions(world: World, document: DocumentRow, recipient: RecipientRow): void {
  for (const session of world.store.sessions.where("document", document.id))
    if (session.recipient_id === recipient.id) world.store.sessions.delete(session.id);
}
