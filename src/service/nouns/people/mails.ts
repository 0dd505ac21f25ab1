import type { Origin } from "../../../engine/jobs/rows.ts";
import { table } from "../../../engine/store/collection.ts";
import type { MailKind } from "../../kit/names.ts";
import type { World } from "../../kit/world.ts";
import type { Email } from "../../shown-rows.ts";
import type { DocumentRow } from "../documents/row.ts";
import type { Trigger } from "../documents/status-machine.ts";
import { sharedLink } from "../documents/view.ts";
import { findPerson, fullName } from "../members/members.ts";
import { hasOptedOutOfEmail, hasOptedOutOfSms } from "../opt-outs.ts";
import type { RecipientRow } from "./inputs.ts";
import { currentSigners, displayName } from "./participants.ts";

export interface EmailRow extends Email {
  kind: MailKind;
  origin: Origin;
}

export const mailTables = {
  emails: table<EmailRow>()({ bound: { maxRows: 10_000 }, indexes: { document: (row) => row.document_id } }),
};

/** Defaults: the recipient's shared link and delivery methods. For `to`: email if there is an address, else sms. */
export interface MailInput {
  kind: MailKind;
  document?: DocumentRow;
  recipient?: RecipientRow;
  to?: { email?: string | null; phone?: string | null; name?: string };
  subject?: string | null;
  message?: string | null;
  link?: string | null;
  channels?: readonly ("email" | "sms")[];
}

interface Addressee {
  email: string | null;
  phone: string | null;
  name: string;
  link: string | null;
  channels: readonly ("email" | "sms")[];
}

export function mail(world: World, input: MailInput): EmailRow[] {
  const { document, recipient, kind } = input;
  const sender = senderOf(world, document);
  const workspace_id = document?.workspace_id ?? world.caller.workspace_id;
  const name = document?.name ?? "your document";
  return addressees(world, input).flatMap((one) =>
    one.channels.flatMap((channel) => {
      const to = channel === "email" ? one.email : one.phone;
      if (!to || (channel === "sms" ? hasOptedOutOfSms(world, to, workspace_id) : hasOptedOutOfEmail(world, to))) return [];
      return world.store.emails.put({
        id: world.ids.uuid(),
        workspace_id,
        kind,
        channel,
        to,
        to_name: one.name,
        from: sender,
        reply_to: document?.internal.reply_to ?? null,
        subject: input.subject || SUBJECTS[kind](sender.name, name),
        text: input.message || TEXTS[kind](sender.name, name),
        link: input.link === undefined ? one.link : input.link,
        document_id: document?.id ?? null,
        document_name: document?.name ?? null,
        recipient_id: recipient?.id ?? null,
        created: world.clock.now(),
        origin: { call: world.journal.current ?? null, calls: world.journal.total },
      });
    }),
  );
}

function senderOf(world: World, document: DocumentRow | undefined): { email: string; name: string } {
  const user = findPerson(world, document?.sent_by ?? document?.owner ?? world.caller.membership_id)?.user;
  const email = user?.email ?? world.caller.email;
  return { email, name: fullName(user) || email };
}

function addressees(world: World, { recipient, to, channels }: MailInput): Addressee[] {
  if (!recipient) {
    if (!to) return [];
    const email = to.email ?? null;
    const phone = to.phone ?? null;
    return [{ email, phone, name: to.name ?? email ?? phone ?? "", link: null, channels: channels ?? [email ? "email" : "sms"] }];
  }
  const { email, sms } = recipient.delivery_methods;
  const ownChannels = [...(email ? (["email"] as const) : []), ...(sms ? (["sms"] as const) : [])];
  const people =
    recipient.type === "recipient_group"
      ? recipient.members.map((member) => ({
          ...member,
          name: fullName(member) || (member.email ?? ""),
        }))
      : [{ ...recipient, name: displayName(recipient), link_token: recipient.internal.link_token }];
  return people.map((person) => ({
    email: person.email,
    phone: person.phone,
    name: person.name,
    link: sharedLink(world, person.link_token),
    channels: channels ?? ownChannels,
  }));
}

type Wording = Readonly<Record<MailKind, (sender: string, name: string) => string>>;

const SUBJECTS: Wording = {
  sent: (sender, name) => `${sender} sent you "${name}"`,
  reminder: (_, name) => `Reminder: "${name}" is waiting for you`,
  recipient_completed: (_, name) => `A recipient has completed "${name}"`,
  completed: (_, name) => `"${name}" is completed`,
  paid: (_, name) => `"${name}" is paid`,
  declined: (_, name) => `"${name}" was declined`,
  expired: (_, name) => `"${name}" has expired`,
  approval_request: (sender, name) => `${sender} asks you to approve "${name}"`,
  approved: (_, name) => `"${name}" is approved`,
  rejected: (_, name) => `"${name}" was rejected`,
  suggested_edits: (_, name) => `Edits were suggested to "${name}"`,
  comment: (_, name) => `New comment on "${name}"`,
  forwarded: (_, name) => `"${name}" was forwarded to you`,
  verification_code: (_, name) => `Your code for "${name}"`,
  notarization: (sender, name) => `${sender} invites you to the notarization of "${name}"`,
  other: (_, name) => name,
};

const TEXTS: Wording = {
  sent: (sender, name) => `${sender} sent you "${name}" to view and complete.`,
  reminder: (sender, name) => `${sender} is waiting for you to complete "${name}".`,
  recipient_completed: (_, name) => `One of the recipients of "${name}" has finished.`,
  completed: (_, name) => `Everybody has finished "${name}". You can open it at any time.`,
  paid: (_, name) => `The payment for "${name}" has arrived.`,
  declined: (_, name) => `"${name}" was declined and can no longer be completed.`,
  expired: (_, name) => `"${name}" has expired and can no longer be completed.`,
  approval_request: (sender, name) => `${sender} asks for your approval of "${name}" before it is sent.`,
  approved: (_, name) => `All approvers have approved "${name}". It can be sent now.`,
  rejected: (_, name) => `An approver has rejected "${name}".`,
  suggested_edits: (_, name) => `A recipient has reviewed "${name}" and suggests edits.`,
  comment: (_, name) => `A recipient has commented on "${name}".`,
  forwarded: (sender, name) => `"${name}", sent by ${sender}, is now yours to complete.`,
  verification_code: (_, name) => `Use this code to open "${name}".`,
  notarization: (sender, name) => `${sender} invites you to a notarization session for "${name}".`,
  other: (_, name) => name,
};

export function mailInvitations(world: World, document: DocumentRow, invited: readonly RecipientRow[]): void {
  const { silent, subject, message } = document.internal;
  if (silent) return;
  for (const recipient of invited) mail(world, { kind: "sent", document, recipient, subject, message });
}

export interface MailChoice {
  reason?: string | null;
  notify?: boolean;
}

/** Mails about a transition. spec: silent sends no emails to recipients. assumed: mails.recipients. */
export function mailTransition(world: World, document: DocumentRow, trigger: Trigger, choice: MailChoice): void {
  const { silent } = document.internal;
  const message = choice.reason ?? null;
  const mailSender = (kind: MailKind) => mail(world, { kind, document, to: senderOf(world, document), message });
  const mailRecipients = (kind: MailKind) => {
    for (const recipient of document.recipients) mail(world, { kind, document, recipient, message });
  };
  switch (trigger) {
    case "send":
      // A CC has no turn to wait for.
      mailInvitations(
        world,
        document,
        document.recipients.filter((one) => one.recipient_type === "CC"),
      );
      return;
    case "request_approval":
      mailApprovers(world, document);
      return;
    case "approve":
    case "reject":
      mailSender(trigger === "approve" ? "approved" : "rejected");
      return;
    case "complete":
    case "pay":
    case "decline":
    case "expire":
      if (silent) return;
      mailRecipients(MAIL_KIND_OF[trigger]);
      mailSender(MAIL_KIND_OF[trigger]);
      return;
    case "review":
      if (!silent) mailSender("suggested_edits");
      return;
    case "complete_manually":
    case "pay_manually":
    case "decline_manually":
    case "void_manually":
      // assumed: mails.note.
      if (choice.notify)
        for (const recipient of document.recipients) mail(world, { kind: MAIL_KIND_OF[trigger], document, recipient });
      return;
    default:
  }
}

const MAIL_KIND_OF = {
  complete: "completed",
  pay: "paid",
  decline: "declined",
  expire: "expired",
  complete_manually: "completed",
  pay_manually: "paid",
  decline_manually: "declined",
  void_manually: "expired",
} as const satisfies Partial<Record<Trigger, MailKind>>;

/** spec: approver mail goes out also when silent. */
export function mailApprovers(world: World, document: DocumentRow): void {
  const step = document.internal.approval?.steps.find((one) =>
    one.approvers.some((approver) => approver.is_selected && approver.decision === null),
  );
  for (const approver of step?.approvers ?? []) {
    if (!approver.is_selected || approver.decision !== null) continue;
    const user = findPerson(world, approver.membership_id)?.user;
    if (user)
      mail(world, {
        kind: "approval_request",
        document,
        to: { email: user.email, name: `${user.first_name} ${user.last_name}` },
      });
  }
}

export interface MailMatch {
  to?: string;
  kind?: string;
  document_id?: string;
  channel?: string;
  q?: string;
}

export function findMails(world: Pick<World, "store">, match: MailMatch = {}): EmailRow[] {
  const to = match.to?.toLowerCase();
  const word = match.q?.toLowerCase();
  return world.store.emails
    .all()
    .filter(
      (row) =>
        (to === undefined || row.to.toLowerCase() === to) &&
        (match.kind === undefined || row.kind === match.kind) &&
        (match.document_id === undefined || row.document_id === match.document_id) &&
        (match.channel === undefined || row.channel === match.channel) &&
        (word === undefined ||
          [row.subject, row.text, row.to, row.to_name, row.document_name ?? ""].some((text) =>
            text.toLowerCase().includes(word),
          )),
    )
    .sort((a, b) => a.created - b.created);
}

export function signersToInvite(document: DocumentRow): RecipientRow[] {
  return currentSigners(document).filter((recipient) => recipient.internal.notified_at === null);
}
