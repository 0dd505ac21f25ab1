import * as z from "zod";
import { group, lazy, operationsFor } from "../../core/operation.ts";
import { triggerInput } from "../../domain/webhooks/inputs.ts";
import { triggerEvent } from "../../domain/webhooks/history.ts";
import type { Control } from "../tenants/tenant-registry.ts";

const operation = operationsFor<Control>();

const anything = lazy(() => z.unknown());

export const triggerGroup = group("Admin: webhook events", [
  operation({
    id: "adminTriggerWebhook",
    route: "POST /__admin/webhooks/trigger",
    body: triggerInput,
    responses: { 202: anything },
    errors: [400, 404, 409],
    handle: ({ body }, { tenant }) => {
      const rows = tenant.store.transaction(() => triggerEvent(tenant.world, body));
      return {
        status: 202,
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
