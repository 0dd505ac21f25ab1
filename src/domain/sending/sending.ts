import { badRequest, forbidden, invalid, wrongStatus } from "../../core/errors.ts";
import type { UploadedFile } from "../../core/operation.ts";
import { selectApprovers } from "../document-model/approvals.ts";
import { isAllowedIn, MANUAL_TRIGGERS } from "../document-model/status-machine.ts";
import { keepFile } from "../content/files.ts";
import { fire, requireAllowed } from "../lifecycle/transitions.ts";
import { mailInvitations, signersToInvite } from "../mails/mails.ts";
import { requireMember } from "../members/members.ts";
import { disableReminders } from "../lifecycle/reminder-schedule.ts";
import { isInternationalNumber, participantByEmail } from "../recipients/recipients.ts";
import type { World } from "../world.ts";
import type { DocumentRow } from "../document-model/rows.ts";
import { requireDocument } from "../document-model/find.ts";
import type { SendInput, SessionInput, StatusInput } from "./inputs.ts";
import type { GroupMember, RecipientRow } from "../recipients/rows.ts";
import type { SessionRow } from "../signing/rows.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";

/** Sends the document, or requests approval when it has an approval workflow. After the approval, call send again. */
export function send(world: World, id: string, input: SendInput): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  requireAllowed(document, "send");
  if (document.recipients.length === 0 && world.decide("send.without_recipients") === "refuse")
    throw badRequest("Document has no recipients", { why: "add a recipient before the document is sent" });
  return sendOut(world, document, input);
}

/** @throws 400, 403 */
export function requireSendable(world: World, document: DocumentRow): void {
  refuseForeignDomains(world, document);
  refuseUnreachablePhones(document);
}

/** Sends without a check of the caller's permission to send. Scheduled sending calls it too. */
export function sendOut(world: World, document: DocumentRow, input: SendInput): DocumentRow {
  requireSendable(world, document);
  const sender =
    input.sender && Object.keys(input.sender).length > 0
      ? requireMember(world, "sender", input.sender).member.id
      : world.caller.membership_id;
  const { forwarding, approval } = document.internal;
  if (input.silent) disableReminders(world, document.id);
  const prepared: DocumentRow = {
    ...document,
    sent_by: sender,
    internal: {
      ...document.internal,
      silent: input.silent ?? false,
      message: input.message ?? null,
      subject: input.subject ?? null,
      reply_to: input.reply_to ?? null,
      // The selected approvers stay until the document returns to draft.
      approval:
        approval && document.status !== "document.approved"
          ? { ...approval, steps: selectApprovers(world, approval.steps, input.selected_approvers?.steps) }
          : approval,
      forwarding: {
        forwarding_allowed: input.forwarding_settings?.forwarding_allowed ?? forwarding.forwarding_allowed,
        forwarding_with_reassigning_allowed:
          input.forwarding_settings?.forwarding_with_reassigning_allowed ?? forwarding.forwarding_with_reassigning_allowed,
      },
    },
  };
  const needsApproval = approval !== null && document.status !== "document.approved";
  return needsApproval
    ? fire(world, { ...prepared, sent_by: null }, "request_approval")
    : fire(world, invite(world, prepared), "send");
}

export function invite(world: World, document: DocumentRow): DocumentRow {
  const now = world.clock.now();
  const invited = signersToInvite(document);
  mailInvitations(world, document, invited);
  beginTurns(world, document, invited);
  return {
    ...document,
    recipients: document.recipients.map((recipient) =>
      invited.includes(recipient) ? { ...recipient, internal: { ...recipient.internal, notified_at: now } } : recipient,
    ),
  };
}

/** Tells scenario actors about new turns. The event carries the recipients, as timestamps do not tell turns apart. */
export function beginTurns(world: World, document: DocumentRow, turns: readonly RecipientRow[]): void {
  if (turns.length > 0) world.emitHappening({ name: "turns_began", document_id: document.id, turns });
}

/** Source: projects report this refusal for sandbox keys, also outside a trial. assumed: sandbox.foreign_recipients. */
function refuseForeignDomains(world: World, document: DocumentRow): void {
  const { caller } = world;
  if (caller.environment !== "sandbox") return;
  const domain = domainOf(caller.email);
  const outsider = document.recipients.find((recipient) => recipient.email !== null && domainOf(recipient.email) !== domain);
  if (!outsider) return;
  const isTrial = world.store.workspaces.get(caller.workspace_id)?.settings.trial ?? false;
  if (world.decide("sandbox.foreign_recipients") === "trial" && !isTrial) return;
  throw forbidden(
    `a sandbox key may not send to ${outsider.email}: only addresses at ${domain} are allowed; a production key sends to everybody`,
    {
      info_message: "You are not allowed to send documents outside of your organization",
      links: [{ rel: "status", href: `${world.settings.publicUrl}/public/v1/documents/${document.id}`, type: "GET" }],
    },
  );
}

/** Source: a text message needs an international number, else 400. assumed: send.phone_text. */
function refuseUnreachablePhones(document: DocumentRow): void {
  for (const [i, { delivery_methods, phone }] of document.recipients.entries()) {
    if (!delivery_methods.sms || isInternationalNumber(phone ?? "")) continue;
    throw invalid({ [`recipients[${i}].phone`]: ["Enter a valid phone number."] }, `delivery by SMS to ${phone ?? "no number"}`);
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

export function changeStatus(world: World, id: string, input: StatusInput, file?: UploadedFile): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  // spec: setting paid requires a connected payment app. assumed: documents.paid_without_app.
  if (input.status === 10 && world.store.workspaces.get(document.workspace_id)?.settings.payment_app === false)
    throw wrongStatus(
      document,
      "The document cannot be set to paid without a connected payment application",
      "the workspace's settings have payment_app false; a fixture with true would pass",
    );
  const note = input.note ?? "";
  const file_id = file ? keepFile(world, file) : null;
  const notes =
    note !== "" || file_id !== null
      ? [...document.internal.notes, { text: note, by: world.caller.membership_id, at: world.clock.now(), file_id }]
      : document.internal.notes;
  return fire(world, { ...document, internal: { ...document.internal, notes } }, MANUAL_TRIGGERS[input.status], {
    reason: note || null,
    notify: input.notify_recipients,
  });
}

/** spec: Move Document to Draft. Recipients are not notified. The document must be sent again. */
export function revert(world: World, id: string): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  if (document.status === "document.draft" && world.decide("revert.draft") === "refuse")
    throw wrongStatus(
      document,
      "The document is in document.draft already",
      "only a document outside document.draft is moved to draft",
    );
  if (document.status === "document.error" && world.decide("revert.error") === "refuse")
    throw wrongStatus(document, "A failed document cannot be moved to draft", "the creation failed; create the document again");
  return fire(world, document, "revert");
}

/** Opens a signing session for the recipient or group member with this e-mail. `lifetime` is in seconds. @throws 400 */
export function createSession(world: World, id: string, input: SessionInput): SessionRow {
  const document = requireDocument(world, id);
  requireEmbeddable(document);
  const participant = participantByEmail(document, input.recipient);
  if (!participant) {
    // assumed: sessions.unknown_recipient.
    throw invalid(
      { recipient: ["There is no associated recipient."] },
      `no recipient has the e-mail address ${input.recipient}; there are ${addressesOf(document).join(", ") || "none"}`,
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
      why: `a session needs a document that was sent; this one is in ${document.status}`,
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
