import { isoSeconds } from "../../../engine/core/clock.ts";
import { defined } from "../../../engine/core/defined.ts";
import { DAY_MS } from "../../../engine/core/time-limits.ts";
import { badRequest } from "../../../engine/core/errors.ts";
import { wrongStatus } from "../../model/refusals.ts";
import { isAllowedIn, NOT_FINAL } from "../../model/documents/status-machine.ts";
import { statusReason } from "../document-model/status-reason.ts";
import { currentSigners } from "../recipients/recipients.ts";
import {
  nextReminderAt,
  isRemindable,
  recordReminder,
  planReminders,
  sendReminder,
  reminderDatesOf,
  remindersOf,
} from "../lifecycle/reminder-schedule.ts";
import type { World } from "../../model/world.ts";
import type { ManualReminder, ReminderSettingsInput } from "../../model/sending/inputs.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { requireDocument } from "../document-model/find.ts";
import type { Channel, ReminderSettings } from "../../model/lifecycle/rows.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";

/** spec: Document reminders, 400 in a final state. */
function requireOpen(world: World, id: string): DocumentRow {
  const document = requireDocument(world, id);
  if (!isAllowedIn(document.status, "final")) return document;
  throw badRequest("Can't get or modify auto-reminders setup. Document is completed, paid, declined or expired", {
    type: "request_error",
    why: statusReason(document, "read or change the automatic reminders", NOT_FINAL),
  });
}

export function reminderSettings(world: World, id: string): ReminderSettings {
  return remindersOf(world, requireOpen(world, id).id).settings;
}

/** spec: `enabled` alone is needed to switch them off. Omitted settings stay. */
export function changeReminders(world: World, id: string, input: ReminderSettingsInput): ReminderSettings {
  const document = requireOpen(world, id);
  const row = remindersOf(world, id);
  const settings: ReminderSettings = { ...row.settings, ...defined(input) };
  world.store.reminders.put({ ...row, settings });
  planReminders(world, document);
  return settings;
}

/** spec: available when sent or viewed and switched on. */
export function reminderStatus(world: World, id: string): { recipient_id: string; status: "sent" | "error" | "scheduled" }[] {
  const document = requireDocument(world, id);
  const row = remindersOf(world, id);
  if (!row.settings.enabled || !isAllowedIn(document.status, "remind")) {
    const why = row.settings.enabled
      ? statusReason(document, "read the status of reminders", "remind")
      : "automatic reminders are off for this document";
    throw badRequest(
      "Can't get reminder status. Auto reminders aren't configured for this document or the document is not in SENT or VIEWED statuses",
      { type: "request_error", why },
    );
  }
  return document.recipients.filter(isRemindable).flatMap((recipient) => {
    const last = reminderDatesOf(row, recipient.id).auto;
    if (last) return { recipient_id: recipient.id, status: last.status };
    const isToCome =
      nextReminderAt(row, recipient) !== undefined || (!recipient.has_completed && recipient.internal.notified_at === null);
    return isToCome ? { recipient_id: recipient.id, status: "scheduled" as const } : [];
  });
}

type Outcome = { status: "sent"; sent_at: string } | { status: "error"; detail: string };

export function sendManualReminders(world: World, id: string, reminders: readonly ManualReminder[]) {
  const document = requireDocument(world, id);
  if (!isAllowedIn(document.status, "remind")) {
    throw wrongStatus(
      document,
      "Can't send reminder. Document is not in SENT or VIEWED statuses",
      statusReason(document, "send a reminder", "remind"),
    );
  }
  return reminders.map((reminder, i) => {
    const recipient = document.recipients.find((one) => one.id === reminder.recipient_id);
    // assumed: reminders.default_channel.
    const methods = reminder.delivery_methods ?? recipient?.delivery_methods ?? { email: true };
    if (!methods.sms && !methods.email)
      world.remark({
        kind: "doubtful_value",
        message: "The reminder names no way of delivery, so nobody gets it",
        fix: "Set email or sms to true.",
        pointer: `/reminders/${i}/delivery_methods`,
      });
    const send = (channel: Channel) => sendManually(world, document, recipient, channel, reminder);
    return {
      recipient_id: reminder.recipient_id,
      sms: methods.sms ? send("sms") : undefined,
      email: methods.email ? send("email") : undefined,
      email_customization:
        methods.email && reminder.email_customization
          ? {
              subject: reminder.email_customization.subject ?? null,
              message: reminder.email_customization.message ?? null,
            }
          : undefined,
    };
  });
}

function sendManually(
  world: World,
  document: DocumentRow,
  recipient: RecipientRow | undefined,
  channel: Channel,
  reminder: ManualReminder,
): Outcome {
  if (!recipient)
    return refused("Can't send reminder. The document does not contain a recipient with the specified recipient ID");
  const now = world.clock.now();
  const fault = turnFault(document, recipient) ?? messageProblem(channel, reminder);
  if (fault !== undefined) return refused(fault);
  const last = reminderDatesOf(remindersOf(world, document.id), recipient.id)[channel];
  if (last !== null && now - last < DAY_MS) {
    const name = channel === "email" ? "email" : "SMS";
    return refused(`Can't send ${name} reminder to the Recipient more than once every 24 hours`);
  }
  const wording = channel === "email" ? reminder.email_customization : undefined;
  const sendFault = sendReminder(world, document, recipient, channel, wording);
  if (sendFault !== undefined) return refused(sendFault);
  recordReminder(world, document.id, recipient.id, { [channel]: now });
  return { status: "sent", sent_at: isoSeconds(now) };
}

function refused(detail: string): Outcome {
  return { status: "error", detail };
}

function turnFault(document: DocumentRow, recipient: RecipientRow): string | undefined {
  // assumed: reminders.not_a_signer.
  if (recipient.recipient_type !== "signer") return "Can't send reminder to CC recipient";
  if (recipient.has_completed) return "Can't send reminder to the Recipient who completed their part";
  if (!currentSigners(document).some((one) => one.id === recipient.id))
    return "Can't send reminder. Signing order is enabled and this Recipient can't sign the document yet";
  return undefined;
}

/** assumed: reminders.malicious_links. */
const MALICIOUS = /(?:javascript|vbscript|data|file):|https?:\/\/(?:[^\s/]*@|\d{1,3}(?:\.\d{1,3}){3}\b|xn--)/i;

function messageProblem(channel: Channel, { email_customization }: ManualReminder): string | undefined {
  if (channel !== "email" || !MALICIOUS.test(email_customization?.message ?? "")) return undefined;
  return "Can’t send reminder. Email message contains potentially malicious links and could not be processed";
}
