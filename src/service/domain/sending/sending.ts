import { badRequest, forbidden, invalid } from "../../../engine/core/errors.ts";
import { selectApprovers } from "../document-model/approvals.ts";
import { fire, requireAllowed } from "../lifecycle/transitions.ts";
import { mailInvitations, signersToInvite } from "../mails/mails.ts";
import { findPerson, requireMember } from "../members/members.ts";
import { membersOf } from "../members/permissions.ts";
import { disableReminders } from "../lifecycle/reminder-schedule.ts";
import { displayName, isInternationalNumber } from "../recipients/recipients.ts";
import { remarkUnreachable } from "../recipients/remarks.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { requireDocument } from "../document-model/find.ts";
import type { SendInput } from "../../model/sending/inputs.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";

/** A document with an approval workflow asks for approval first. Then call send again. */
export function send(world: World, id: string, input: SendInput): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  requireAllowed(document, "send");
  if (document.recipients.length === 0 && world.decide("send.without_recipients") === "refuse")
    throw badRequest("Document has no recipients", { why: "add a recipient before you send the document" });
  const sent = sendOut(world, document, input);
  if (sent.status !== "document.waiting_approval") remarkSigners(world, sent);
  if (!sent.internal.silent) remarkUnreachable(world, sent.recipients);
  return sent;
}

function isMeantAsCc({ role, signing_order }: RecipientRow): boolean {
  return (role === "" && signing_order === null) || /^(cc|(carbon )?copy)\b/i.test(role);
}

function remarkSigners(world: World, document: DocumentRow): void {
  const name = `"${document.name}"`;
  if (!document.recipients.some((one) => one.recipient_type === "signer")) {
    world.remark({
      kind: "nobody_can_sign",
      message: `Nobody can sign ${name}: ${document.recipients.length === 0 ? "it has no recipient" : "no recipient owns a field"}`,
      fix: "Give a recipient a role that has fields, or assign a field to a recipient, before you send the document.",
    });
    return;
  }
  for (const recipient of document.recipients) {
    if (recipient.recipient_type !== "CC" || isMeantAsCc(recipient)) continue;
    const who = displayName(recipient);
    const as = recipient.role === "" ? `the signing order ${recipient.signing_order}` : `the role "${recipient.role}"`;
    world.remark({
      kind: "signer_without_fields",
      message: `${who} has ${as} in ${name} but owns no field, so the service made ${who} a CC`,
      fix: "Assign a field to the recipient. For a CC, leave out role and signing_order.",
    });
  }
}

export function requireSendable(world: World, document: DocumentRow): void {
  refuseForeignDomains(world, document);
  refuseUnreachablePhones(document);
  refuseUnassignedSignatures(world, document);
}

export function sendOut(world: World, document: DocumentRow, input: SendInput): DocumentRow {
  requireSendable(world, document);
  const sender =
    input.sender && Object.keys(input.sender).length > 0
      ? requireMember(world, "sender", input.sender).member.id
      : world.caller.membership_id;
  const { forwarding, approval } = document.internal;
  if (!approval && input.selected_approvers?.steps?.length)
    world.remark({
      kind: "doubtful_value",
      message: "The document has no approval workflow, so the selected approvers count for nothing",
      fix: "Leave selected_approvers out.",
      pointer: "/selected_approvers",
    });
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

export function beginTurns(world: World, document: DocumentRow, turns: readonly RecipientRow[]): void {
  if (turns.length > 0) world.emitHappening({ name: "turns_began", subject: document.id, turns });
}

/**
 * Source: projects report this refusal for sandbox keys, also outside a trial. Two sources let members through, and one the own domain.
 * assumed: sandbox.foreign_recipients. assumed: sandbox.members.
 */
function refuseForeignDomains(world: World, document: DocumentRow): void {
  const { caller } = world;
  if (caller.environment !== "sandbox") return;
  const domain = domainOf(caller.email);
  const members = new Set(
    membersOf(world, caller.workspace_id).map((row) => findPerson(world, row.id)?.user.email.toLowerCase()),
  );
  const addresses = document.recipients.flatMap((one) => [one.email, ...one.members.map((member) => member.email)]);
  const outsider = addresses.find((email) => email && domainOf(email) !== domain && !members.has(email.toLowerCase()));
  if (!outsider) return;
  const isTrial = world.store.workspaces.get(caller.workspace_id)?.settings.trial ?? false;
  if (world.decide("sandbox.foreign_recipients") === "trial" && !isTrial) return;
  throw forbidden(
    `a sandbox key may not send to ${outsider}: only members of the workspace and addresses at ${domain} are allowed; a production key sends to everybody`,
    {
      info_message: "You are not allowed to send documents outside of your organization",
      links: [{ rel: "status", href: `${world.settings.publicUrl}/public/v1/documents/${document.id}`, type: "GET" }],
    },
  );
}

/** Source: the vendor's skill files. assumed: send.unassigned_signatures. */
function refuseUnassignedSignatures(world: World, document: DocumentRow): void {
  const free = document.fields.filter(
    ({ type, recipient_id }) =>
      (type === "signature" || type === "initials") && !document.recipients.some((one) => one.id === recipient_id),
  );
  if (free.length === 0 || world.decide("send.unassigned_signatures") === "allow") return;
  const names = free.map(({ name, role }) => (role === null ? name : `${name} of the role ${role}`));
  const shown = [...names.slice(0, FIELDS_SHOWN), ...(names.length > FIELDS_SHOWN ? ["…"] : [])].join(", ");
  throw badRequest("Not all signature, initials fields were assigned", {
    why: `no recipient has these fields: ${shown}; assign them before you send the document`,
  });
}

const FIELDS_SHOWN = 5;

/** Source: a text message needs an international number, else 400. assumed: send.phone_text. */
function refuseUnreachablePhones(document: DocumentRow): void {
  for (const [i, { delivery_methods, phone, members }] of document.recipients.entries()) {
    if (!delivery_methods.sms || isInternationalNumber(phone ?? "")) continue;
    if (!phone && members.length === 0)
      throw badRequest("A phone number is required", {
        why: `recipients[${i}] gets text messages, by its delivery methods or by those of its contact or role, and has no number`,
      });
    throw invalid(
      { [`recipients[${i}].phone`]: ["Enter a valid phone number."] },
      `delivery by SMS needs a number such as +14155550123; the recipient has ${phone ?? "no number"}`,
    );
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
