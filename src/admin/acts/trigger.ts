import { group } from "../../core/operation.ts";
import type { DocumentStatus, EventName } from "../../domain/document-model/status-machine.ts";
import { subscribersOf, triggerEvent } from "../../domain/webhooks/history.ts";
import { type TriggerInput, triggerInput } from "../../domain/webhooks/inputs.ts";
import type { DeliveryRow } from "../../engine/rows.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { createInStatus } from "./document-in-status.ts";
import { anything, operation } from "../operation.ts";

/** The status of a document about which the service would send the event. Missing: `document.draft`. */
const STATUS_OF: Readonly<Partial<Record<EventName, DocumentStatus>>> = {
  recipient_completed: "document.completed",
  document_completed: "document.completed",
  document_completed_pdf_ready: "document.completed",
  document_state_changed: "document.sent",
  document_creation_failed: "document.error",
};

/**
 * Sends the event. Without any document it creates one in a fitting status first. Events that this causes are sent as usual, so
 * the wanted one is not sent twice. @throws 404, 400, 409 without a subscription
 */
async function trigger(tenant: Tenant, input: TriggerInput): Promise<DeliveryRow[]> {
  const { event, document_id, data } = input;
  const { store, world } = tenant;
  const isAny = store.documents
    .all()
    .some((row) => row.internal.deleted_at === null && row.workspace_id === world.caller.workspace_id);
  if (document_id === undefined && data === undefined && !isAny) {
    // Refuses before the document is created.
    subscribersOf(world, input);
    const id = await createInStatus(tenant, { status: STATUS_OF[event] ?? "document.draft" });
    const sent = store.deliveries
      .where("subject", id)
      .filter((row) => row.event === event && (input.subscription === undefined || row.subscriber === input.subscription));
    if (sent.length > 0) return sent;
  }
  return store.transaction(() => triggerEvent(world, input));
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
