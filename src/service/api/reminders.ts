import { group, lazy } from "../../engine/core/operation.ts";
import { changeReminders, reminderSettings, reminderStatus, sendManualReminders } from "../domain/sending/reminder-requests.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/sending/inputs.ts";
import * as z from "zod";
import { dateTimeOfSeconds } from "./shapes/document.ts";
import { reminderDays } from "../model/sending/inputs.ts";

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
    z.strictObject({ status: z.literal("sent"), sent_at: dateTimeOfSeconds() }),
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
