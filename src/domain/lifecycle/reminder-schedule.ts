/** Reminders: what was set for a document, when the next ones are due, and their sending. Nothing here asks who calls. */
import { DAY_MS } from "../../core/time-limits.ts";
import { isAllowedIn } from "../document-model/status-machine.ts";
import { hasOptedOutOfEmail } from "../communication-preferences/email-opt-outs.ts";
import { mail } from "../mails/mails.ts";
import type { World } from "../world.ts";
import type { Channel, ReminderDates, ReminderRow, ReminderSettings } from "./rows.ts";
import type { RecipientRow } from "../recipients/rows.ts";
import type { DocumentRow } from "../document-model/rows.ts";

/** Source: the official example of a document without reminders. */
const DEFAULTS: ReminderSettings = {
  enabled: false,
  delivery_method: "email",
  initial_delay_days: 5,
  is_recurring: false,
  recurrence_frequency_days: 7,
};

const NEVER: ReminderDates = { auto: null, email: null, sms: null };

export function remindersOf(world: World, documentId: string): ReminderRow {
  return world.store.reminders.get(documentId) ?? { id: documentId, settings: DEFAULTS, job: null, reminded: {} };
}

export function reminderDatesOf(row: ReminderRow, recipientId: string): ReminderDates {
  return row.reminded[recipientId] ?? NEVER;
}

/** Notes what a recipient was sent. */
export function recordReminder(world: World, documentId: string, recipientId: string, change: Partial<ReminderDates>): void {
  const row = remindersOf(world, documentId);
  const reminded = { ...row.reminded, [recipientId]: { ...reminderDatesOf(row, recipientId), ...change } };
  world.store.reminders.put({ ...row, reminded });
}

/** Signers who are one person: nobody else gets automatic reminders. */
export function isRemindable(recipient: RecipientRow): boolean {
  return recipient.type === "recipient" && recipient.recipient_type === "signer";
}

/**
 * When the next automatic reminder of a recipient is due, if one is.
 * assumed: who comes later in the signing order is reminded the same days after the own turn came.
 */
export function nextReminderAt(row: ReminderRow, recipient: RecipientRow): number | undefined {
  const { notified_at } = recipient.internal;
  if (!isRemindable(recipient) || recipient.has_completed || notified_at === null) return undefined;
  const { settings } = row;
  const last = reminderDatesOf(row, recipient.id).auto;
  if (last) return settings.is_recurring ? last.at + settings.recurrence_frequency_days * DAY_MS : undefined;
  return notified_at + settings.initial_delay_days * DAY_MS;
}

/** Sets the job for what is due next, in the place of the one before. To be called whenever something of it has changed. */
export function planReminders(world: World, document: DocumentRow): void {
  const before = world.store.reminders.get(document.id);
  if (!before) return;
  if (before.job !== null) world.jobs.cancel(before.job);
  // Back in draft the document begins anew; manual reminders still count for their 24 hours.
  const row = document.date_sent === null ? forgetAutomatic(before) : before;
  const isOn = row.settings.enabled && isAllowedIn(document.status, "remind") && document.internal.deleted_at === null;
  const dues = isOn ? document.recipients.flatMap((recipient) => nextReminderAt(row, recipient) ?? []) : [];
  const wait = Math.max(0, Math.min(...dues) - world.clock.now());
  const job = dues.length > 0 ? world.jobs.schedule("send_reminders", wait, { document: document.id }) : null;
  if (job !== before.job || row !== before) world.store.reminders.put({ ...row, job });
}

function forgetAutomatic(row: ReminderRow): ReminderRow {
  const reminded = Object.fromEntries(Object.entries(row.reminded).map(([id, one]) => [id, { ...one, auto: null }]));
  return { ...row, reminded };
}

/**
 * A silent send. Source: the official description of `silent`: it disables scheduled reminders, manual ones stay possible.
 * assumed: they are switched off then, and can be switched on again.
 */
export function disableReminders(world: World, documentId: string): void {
  const row = world.store.reminders.get(documentId);
  if (row?.settings.enabled) world.store.reminders.put({ ...row, settings: { ...row.settings, enabled: false } });
}

/** The job: reminds everybody who is due, and plans what comes after. */
export function sendDueReminders(world: World, documentId: string): void {
  const document = world.store.documents.get(documentId);
  const row = world.store.reminders.get(documentId);
  if (!document || !row) return;
  const isOn = row.settings.enabled && isAllowedIn(document.status, "remind") && document.internal.deleted_at === null;
  const now = world.clock.now();
  const due = isOn
    ? document.recipients.filter((recipient) => (nextReminderAt(row, recipient) ?? Number.POSITIVE_INFINITY) <= now)
    : [];
  for (const recipient of due) {
    const fault = sendReminder(world, document, recipient, row.settings.delivery_method);
    recordReminder(world, document.id, recipient.id, { auto: { status: fault === undefined ? "sent" : "error", at: now } });
  }
  planReminders(world, document);
}

/** Sends one reminder by one channel. Returns what keeps it from being sent, in the service's words. */
export function sendReminder(
  world: World,
  document: DocumentRow,
  recipient: RecipientRow,
  channel: Channel,
  wording: { subject?: string | null; message?: string | null } = {},
): string | undefined {
  const fault = channel === "email" ? emailFault(world, recipient) : smsFault(world, recipient, document.workspace_id);
  if (fault !== undefined) return fault;
  mail(world, { kind: "reminder", document, recipient, channels: [channel], ...wording });
  return undefined;
}

/** assumed: mailboxes that the Internet keeps for this purpose are the unreachable ones, and those that opted out. */
const UNREACHABLE = /\.invalid$/i;
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

function emailFault(world: World, recipient: RecipientRow): string | undefined {
  if (!recipient.delivery_methods.email) return "Can't send reminder. Email delivery method is not selected for recipient";
  const addresses = recipient.type === "recipient_group" ? recipient.members.map((member) => member.email) : [recipient.email];
  const known = addresses.filter((address) => address !== null);
  if (known.length === 0) return "Can't send email reminder to the Recipient with no email";
  if (known.every((address) => UNREACHABLE.test(address) || hasOptedOutOfEmail(world, address)))
    return "Can't send email reminder. Recipient's mailbox is unreachable";
  return undefined;
}

function smsFault(world: World, recipient: RecipientRow, workspaceId: string): string | undefined {
  if (recipient.type === "recipient_group") return "Can't send SMS reminder to recipient group";
  if (!recipient.delivery_methods.sms) return "Can't send reminder. SMS delivery method is not selected for recipient";
  // assumed: one who has no number is told only then, for no reminder could be sent to any.
  if (world.store.workspaces.get(workspaceId)?.settings.sms_consent_certified === false)
    return "Can't send SMS reminder. Confirmation of recipient consent is required. Admin should access workspace settings to certify";
  if (!recipient.phone) return "Can't send SMS reminder to the Recipient with no phone number";
  // assumed: spaces, dashes and brackets are no fault of a number.
  if (!INTERNATIONAL.test(recipient.phone.replace(/[\s().-]/g, "")))
    return "Can't send SMS reminder to the Recipient with invalid phone number";
  return undefined;
}
