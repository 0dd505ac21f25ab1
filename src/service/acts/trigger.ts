import { group } from "../../engine/core/operation.ts";
import type { DocumentStatus, EventName } from "../model/documents/status-machine.ts";
import { subscribersOf, triggerEvent } from "../domain/webhooks/history.ts";
import { type TriggerInput, triggerInput } from "../model/webhooks/inputs.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import type { Tenant } from "../model/tenant.ts";
import { createInStatus } from "./document-in-status.ts";
import { newestFirst } from "./documents.ts";
import { anything, operation } from "./operation.ts";

/** The service sends these events only in these statuses; the usual status comes first. Other events fit any status. */
const STATUSES_OF: Readonly<Partial<Record<EventName, readonly [DocumentStatus, ...DocumentStatus[]]>>> = {
  recipient_completed: ["document.completed", "document.paid"],
  document_completed: ["document.completed", "document.paid"],
  document_completed_pdf_ready: ["document.completed", "document.paid"],
  document_creation_failed: ["document.error"],
};

const NEW_STATUS_OF: Readonly<Partial<Record<EventName, DocumentStatus>>> = { document_state_changed: "document.sent" };

/**
 * Sends the event about the newest document in a fitting status, or creates such a document. Creation may cause the event, so it is then
 * not sent again. @throws 404, 400, 409 without a subscription
 */
async function trigger(tenant: Tenant, input: TriggerInput): Promise<DeliveryRow[]> {
  const { event, document_id, data } = input;
  const { store, world } = tenant;
  if (document_id !== undefined || data !== undefined) return store.transaction(() => triggerEvent(world, input));
  const statuses = STATUSES_OF[event];
  const fitting = newestFirst(tenant).find(
    (row) =>
      row.internal.deleted_at === null &&
      row.workspace_id === world.caller.workspace_id &&
      (statuses === undefined || statuses.includes(row.status)),
  );
  if (fitting === undefined) {
    // Without a subscription, this refuses before a document exists.
    subscribersOf(world, input);
    const id = await createInStatus(tenant, { status: statuses?.[0] ?? NEW_STATUS_OF[event] ?? "document.draft" });
    const sent = store.deliveries
      .where("subject", id)
      .filter((row) => row.event === event && (input.subscription === undefined || row.subscriber === input.subscription));
    if (sent.length > 0) return sent;
  }
  return store.transaction(() => triggerEvent(world, { ...input, ...(fitting && { document_id: fitting.id }) }));
}

export const triggerGroup = group("Admin: webhook events", [
  operation({
    id: "adminTriggerWebhook",
    route: "POST /__admin/webhooks/trigger",
    body: triggerInput,
    responses: { 202: anything },
    errors: [400, 404, 409],
    handle: async ({ body }, { tenant }) => {
      const rows = await trigger(tenant, body);
      return {
        status: 202 as const,
        body: {
          deliveries: rows.map((row) => ({
            id: row.id,
            event: row.event,
            event_id: row.event_id,
            document_id: row.subject || null,
            subscription: row.subscriber,
            url: row.url,
            state: row.state,
            body: JSON.parse(row.body) as unknown,
          })),
        },
      };
    },
  }),
]);
