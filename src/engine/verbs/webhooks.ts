/** The verbs of webhook deliveries. */
import * as z from "zod";
import { ApiError, notFound } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import { DELIVERY_STATES } from "../jobs/delivery-types.ts";
import type { DeliveryRow } from "../jobs/rows.ts";
import type { Service } from "../runtime/service.ts";
import { deliveryView, toDelivery } from "./admin-views.ts";
import { verb, verbGroup } from "./define.ts";
import { metaView } from "./inputs.ts";

export function webhookVerbs({ language }: Service) {
  const listInput = lazy(() =>
    z.strictObject({
      event: z.enum(language.events).optional(),
      document_id: z.string().optional(),
      subscription: z.string().optional().describe("the id of a subscription"),
      status: z.enum(language.statuses).optional().describe("the status in the event"),
      state: z.enum(DELIVERY_STATES).optional(),
      limit: z.coerce.number().int().min(1).optional().describe("only the latest"),
    }),
  );
  return verbGroup("Admin: webhooks", {}, [
    verb({
      name: "webhooks.deliveries",
      does: "Lists webhook deliveries with their attempts: target, answer, signature and payload. All conditions must hold.",
      input: listInput,
      run({ tenant }, { limit, ...match }) {
        const { event, subscription, status, state } = match;
        const subject = match.document_id;
        const fits = (row: DeliveryRow) =>
          (event === undefined || row.event === event) &&
          (subject === undefined || row.subject === subject) &&
          (subscription === undefined || row.subscriber === subscription) &&
          (status === undefined || row.status === status) &&
          (state === undefined || row.state === state);
        const found = tenant.store.deliveries.all().filter(fits);
        // Without a condition, the list shows what is left.
        const isPart = Object.values(match).some((one) => one !== undefined);
        return { rows: limit === undefined ? found : found.slice(-limit), total: found.length, isPart };
      },
      admin: {
        id: "adminListDeliveries",
        route: "GET /__admin/webhooks/deliveries",
        answer: () => z.strictObject({ deliveries: z.array(deliveryView()), meta: metaView() }),
        example: { path: "/__admin/webhooks/deliveries?state=delivered" },
        show({ rows, total }, { tenant }) {
          const gone = tenant.trimmed.deliveries;
          return {
            deliveries: rows.map((row) => toDelivery(row)),
            meta: { total, ...(gone === undefined ? {} : { gone }) },
          };
        },
      },
      tool: { name: "read_deliveries" },
    }),
    verb({
      name: "webhooks.redeliver",
      does: "Sends one delivery again.",
      input: () => z.strictObject({ id: z.string().min(1) }),
      run({ tenant }, { id }) {
        const row = tenant.store.deliveries.get(id);
        if (!row) throw notFound(`no delivery has the id ${id}`, { missing: "delivery" });
        const status = tenant.service.deliveries.subscriberStatus(tenant.world, row.subscriber);
        const detail = "The subscription is gone.";
        if (status === undefined) throw new ApiError("conflict", detail, { body: { type: "docdouble_conflict", detail } });
        return { row: tenant.store.transaction(() => tenant.outbox.redeliver(row)), status };
      },
      admin: {
        id: "adminRedeliver",
        route: "POST /__admin/webhooks/deliveries/{id}/redeliver",
        status: 202,
        answer: () => deliveryView().extend({ subscription_status: z.string() }),
        errors: [404, 409],
        example: { path: "/__admin/webhooks/deliveries/$delivery/redeliver" },
        show: ({ row, status }) => ({ ...toDelivery(row), subscription_status: status }),
      },
      without: { tool: "agents send events with a rule or by the client" },
    }),
  ]);
}
