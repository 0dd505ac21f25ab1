import { group } from "../../../engine/core/operation.ts";
import { listWebhookEvents, requireWebhookEvent, toWebhookEvent, toWebhookEventDetails } from "../../domain/webhooks/history.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/webhooks/inputs.ts";
import * as schemas from "./schemas.ts";

export const webhookEventsGroup = group("Webhook events", [
  operation({
    id: "listWebhookEvent",
    route: "GET /public/v1/webhook-events",
    query: inputs.webhookEventsQuery,
    responses: { 200: schemas.webhookEventList },
    errors: [401, 429],
    handle: ({ query }, world) => ok({ items: listWebhookEvents(world, query).map(toWebhookEvent) }),
  }),
  operation({
    id: "detailsWebhookEvent",
    route: "GET /public/v1/webhook-events/{id}",
    responses: { 200: schemas.webhookEvent },
    // assumed: webhook.unknown_event.
    errors: [401, 429],
    handle: ({ params }, world) => ok(toWebhookEventDetails(requireWebhookEvent(world, params.id))),
  }),
]);
