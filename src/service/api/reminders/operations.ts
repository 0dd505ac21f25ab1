import { group } from "../../../engine/core/operation.ts";
import {
  changeReminders,
  reminderSettings,
  reminderStatus,
  sendManualReminders,
} from "../../domain/sending/reminder-requests.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/sending/inputs.ts";
import * as schemas from "./schemas.ts";

export const remindersGroup = group("Document Reminders", [
  operation({
    id: "updateDocumentAutoReminderSettings",
    route: "PATCH /public/v1/documents/{document_id}/auto-reminders",
    body: inputs.reminderSettingsRequest,
    responses: { 200: schemas.settings },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => ok(changeReminders(world, params.document_id, body)),
  }),
  operation({
    id: "getDocumentAutoReminderSettings",
    route: "GET /public/v1/documents/{document_id}/auto-reminders",
    responses: { 200: schemas.settings },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => ok(reminderSettings(world, params.document_id)),
  }),
  operation({
    id: "statusDocumentAutoReminder",
    route: "GET /public/v1/documents/{document_id}/auto-reminders/status",
    responses: { 200: schemas.status },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => ok({ reminders: reminderStatus(world, params.document_id) }),
  }),
  operation({
    id: "createManualReminder",
    route: "POST /public/v1/documents/{document_id}/send-reminder",
    body: inputs.manualRemindersRequest,
    responses: { 200: schemas.manualResult },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params, body }, world) => ok({ result: sendManualReminders(world, params.document_id, body.reminders) }),
  }),
]);
