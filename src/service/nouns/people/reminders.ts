import * as z from "zod";
import { isoSeconds } from "../../../engine/core/clock.ts";
import { defined } from "../../../engine/core/defined.ts";
import { badRequest } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { DAY_MS } from "../../../engine/core/time-limits.ts";
import { wrongStatus } from "../../kit/errors.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import { seconds } from "../../kit/view.ts";
import type { Channel, ReminderSettings } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { requireDocument } from "../documents/row.ts";
import { NOT_FINAL, isAllowedIn } from "../documents/status-machine.ts";
import { statusReason } from "../documents/status-reason.ts";
import type { RecipientRow } from "./inputs.ts";
import { currentSigners } from "./participants.ts";
import {
  isRemindable,
  nextReminderAt,
  planReminders,
  recordReminder,
  reminderDatesOf,
  remindersOf,
  sendReminder,
} from "./reminder-schedule.ts";
import * as inputs from "./sending.ts";
import type { ManualReminder, ReminderSettingsInput } from "./sending.ts";
import { reminderDays } from "./sending.ts";

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

const settings = lazy(() =>
  z.strictObject({
    enabled: z.boolean(),
    delivery_method: z.enum(["email", "sms"]),
    initial_delay_days: reminderDays(),
    is_recurring: z.boolean(),
    recurrence_frequency_days: reminderDays(),
  }),
);

const status = lazy(() =>
  z.strictObject({
    reminders: z.array(z.strictObject({ recipient_id: z.string(), status: z.enum(["sent", "error", "scheduled"]) })),
  }),
);

const outcome = () =>
  z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("sent"), sent_at: seconds() }),
    z.strictObject({ status: z.literal("error"), detail: z.string() }),
  ]);

const manualResult = lazy(() =>
  z.strictObject({
    result: z.array(
      z.strictObject({
        recipient_id: z.string(),
        sms: outcome().optional(),
        email: outcome().optional(),
        email_customization: z.strictObject({ subject: z.string().nullable(), message: z.string().nullable() }).optional(),
      }),
    ),
  }),
);

export const remindersGroup = group("Document Reminders", [
  operation({
    id: "updateDocumentAutoReminderSettings",
    route: "PATCH /public/v1/documents/{document_id}/auto-reminders",
    body: inputs.reminderSettingsRequest,
    responses: { 200: settings },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => ok(changeReminders(world, params.document_id, body)),
  }),
  operation({
    id: "getDocumentAutoReminderSettings",
    route: "GET /public/v1/documents/{document_id}/auto-reminders",
    responses: { 200: settings },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => ok(reminderSettings(world, params.document_id)),
  }),
  operation({
    id: "statusDocumentAutoReminder",
    route: "GET /public/v1/documents/{document_id}/auto-reminders/status",
    responses: { 200: status },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => ok({ reminders: reminderStatus(world, params.document_id) }),
  }),
  operation({
    id: "createManualReminder",
    route: "POST /public/v1/documents/{document_id}/send-reminder",
    body: inputs.manualRemindersRequest,
    responses: { 200: manualResult },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params, body }, world) => ok({ result: sendManualReminders(world, params.document_id, body.reminders) }),
  }),
]);
