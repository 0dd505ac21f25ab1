import { DAY_MS } from "../../../engine/core/time-limits.ts";
import type { World } from "../../kit/world.ts";
import type { Channel, ReminderDates, ReminderRow, ReminderSettings } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { isAllowedIn } from "../documents/status-machine.ts";
import { hasOptedOutOfEmail } from "../opt-outs.ts";
import type { RecipientRow } from "./inputs.ts";
import { mail } from "./mails.ts";
import { isInternationalNumber } from "./recipients.ts";

/** Callers check permissions first. */

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

export function recordReminder(world: World, documentId: string, recipientId: string, change: Partial<ReminderDates>): void {
  const row = remindersOf(world, documentId);
  const reminded = { ...row.reminded, [recipientId]: { ...reminderDatesOf(row, recipientId), ...change } };
  world.store.reminders.put({ ...row, reminded });
}

export function isRemindable(recipient: RecipientRow): boolean {
  return recipient.type === "recipient" && recipient.recipient_type === "signer";
}

/** assumed: reminders.later_signers. */
export function nextReminderAt(row: ReminderRow, recipient: RecipientRow): number | undefined {
  const { notified_at } = recipient.internal;
  if (!isRemindable(recipient) || recipient.has_completed || notified_at === null) return undefined;
  const { settings } = row;
  const last = reminderDatesOf(row, recipient.id).auto;
  if (last) return settings.is_recurring ? last.at + settings.recurrence_frequency_days * DAY_MS : undefined;
  return notified_at + settings.initial_delay_days * DAY_MS;
}

/** Call it after each change of recipients, status or settings. */
export function planReminders(world: World, document: DocumentRow): void {
  const before = world.store.reminders.get(document.id);
  if (!before) return;
  if (before.job !== null) world.jobs.cancel(before.job);
  // A document back in draft starts again; its manual reminders still count for 24 hours.
  const row = document.date_sent === null ? withoutAutomatic(before) : before;
  const dueTimes = isActive(row, document)
    ? document.recipients.flatMap((recipient) => nextReminderAt(row, recipient) ?? [])
    : [];
  const wait = Math.max(0, Math.min(...dueTimes) - world.clock.now());
  const job = dueTimes.length > 0 ? world.jobs.schedule("send_reminders", wait, { document: document.id }) : null;
  if (job !== before.job || row !== before) world.store.reminders.put({ ...row, job });
}

function isActive({ settings }: ReminderRow, { status, internal }: DocumentRow): boolean {
  return settings.enabled && isAllowedIn(status, "remind") && internal.deleted_at === null;
}

function withoutAutomatic(row: ReminderRow): ReminderRow {
  const reminded = Object.fromEntries(Object.entries(row.reminded).map(([id, one]) => [id, { ...one, auto: null }]));
  return { ...row, reminded };
}

/**
 * Source: the official description of `silent`: scheduled reminders stop, manual ones stay possible. assumed: reminders.silent.
 */
export function disableReminders(world: World, documentId: string): void {
  const row = world.store.reminders.get(documentId);
  if (row?.settings.enabled) world.store.reminders.put({ ...row, settings: { ...row.settings, enabled: false } });
}

export function sendDueReminders(world: World, documentId: string): void {
  const document = world.store.documents.get(documentId);
  const row = world.store.reminders.get(documentId);
  if (!document || !row) return;
  const now = world.clock.now();
  for (const recipient of isActive(row, document) ? document.recipients : []) {
    if ((nextReminderAt(row, recipient) ?? Number.POSITIVE_INFINITY) > now) continue;
    const fault = sendReminder(world, document, recipient, row.settings.delivery_method);
    recordReminder(world, document.id, recipient.id, { auto: { status: fault === undefined ? "sent" : "error", at: now } });
  }
  planReminders(world, document);
}

/** Returns the service's error text when the reminder cannot be sent. */
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

/** assumed: reminders.unreachable. */
const UNREACHABLE = /\.invalid$/i;

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
  // assumed: reminders.sms_fault_order.
  if (world.store.workspaces.get(workspaceId)?.settings.sms_consent_certified === false)
    return "Can't send SMS reminder. Confirmation of recipient consent is required. Admin should access workspace settings to certify";
  if (!recipient.phone) return "Can't send SMS reminder to the Recipient with no phone number";
  if (!isInternationalNumber(recipient.phone)) return "Can't send SMS reminder to the Recipient with invalid phone number";
  return undefined;
}
