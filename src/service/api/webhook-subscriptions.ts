import { group, lazy } from "../../engine/core/operation.ts";
import {
  changeSharedKey,
  changeSubscription,
  listSubscriptions,
  requireSubscription,
  subscribe,
  toSubscription,
  unsubscribe,
} from "../domain/webhooks/subscriptions.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/webhooks/inputs.ts";
import * as z from "zod";
import { PAYLOAD_KINDS } from "../model/webhooks/rows.ts";
import { EVENTS } from "../model/documents/status-machine.ts";

const subscription = lazy(() =>
  z.strictObject({
    uuid: z.string(),
    name: z.string(),
    url: z.string(),
    active: z.boolean(),
    payload: z.array(z.enum(PAYLOAD_KINDS)),
    triggers: z.array(z.enum(EVENTS)).nullable(),
    workspace_id: z.string(),
    shared_key: z.string(),
    status: z.enum(["ACTIVE", "INACTIVE", "DEACTIVATED"]),
  }),
);

const subscriptionList = lazy(() => z.strictObject({ items: z.array(subscription()) }));

const sharedKey = lazy(() => z.strictObject({ shared_key: z.string() }));

export const webhookSubscriptionsGroup = group("Webhook subscriptions", [
  operation({
    id: "listWebhookSubscriptions",
    route: "GET /public/v1/webhook-subscriptions",
    secret: { response: ["shared_key"] },
    responses: { 200: subscriptionList },
    errors: [401, 429],
    handle: (_, world) => ok({ items: listSubscriptions(world).map(toSubscription) }),
  }),
  operation({
    id: "createWebhookSubscription",
    route: "POST /public/v1/webhook-subscriptions",
    secret: { response: ["shared_key"] },
    body: inputs.subscriptionInput,
    responses: { 201: subscription },
    errors: [400, 401, 403, 429],
    handle: ({ body }, world) => created(toSubscription(subscribe(world, body))),
  }),
  operation({
    id: "detailsWebhookSubscription",
    route: "GET /public/v1/webhook-subscriptions/{id}",
    secret: { response: ["shared_key"] },
    responses: { 200: subscription },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(toSubscription(requireSubscription(world, params.id))),
  }),
  operation({
    id: "updateWebhookSubscription",
    route: "PATCH /public/v1/webhook-subscriptions/{id}",
    secret: { response: ["shared_key"] },
    body: inputs.subscriptionPatch,
    responses: { 200: subscription },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => ok(toSubscription(changeSubscription(world, params.id, body))),
  }),
  operation({
    id: "deleteWebhookSubscription",
    route: "DELETE /public/v1/webhook-subscriptions/{id}",
    responses: { 204: null },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => unsubscribe(world, params.id),
  }),
  operation({
    id: "updateWebhookSubscriptionSharedKey",
    route: "PATCH /public/v1/webhook-subscriptions/{id}/shared-key",
    secret: { response: ["shared_key"] },
    responses: { 200: sharedKey },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok({ shared_key: changeSharedKey(world, params.id).shared_key }),
  }),
]);
