import * as z from "zod";
import { instant, listOf, queryInt } from "../../../engine/core/inputs.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import { EVENTS } from "../documents/status-machine.ts";
import { DELIVERY_ERRORS, listWebhookEvents, requireWebhookEvent, webhookEvent, webhookEventDetails } from "./history.ts";
import { PAYLOAD_KINDS } from "./row.ts";
import {
  changeSharedKey,
  changeSubscription,
  listSubscriptions,
  requireSubscription,
  subscribe,
  subscriptionView,
  unsubscribe,
} from "./subscriptions.ts";

export const subscriptionInput = lazy(() =>
  z.object({
    name: z.string().min(1),
    url: z.string().min(1),
    active: z.boolean().default(true),
    payload: z.array(z.enum(PAYLOAD_KINDS)).nullish(),
    triggers: z.array(z.enum(EVENTS)).nullable(),
  }),
);
export type SubscriptionInput = z.infer<ReturnType<typeof subscriptionInput>>;

export const subscriptionPatch = lazy(() => subscriptionInput().extend({ active: z.boolean() }).partial());
export type SubscriptionPatch = z.infer<ReturnType<typeof subscriptionPatch>>;

export const webhookEventsQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 0 }),
    page: queryInt({ min: 0 }),
    since: instant().optional(),
    to: instant().optional(),
    type: listOf(z.enum(EVENTS)),
    /** 100 stands for 1xx and so on. */
    http_status_code: listOf(z.enum(["100", "200", "300", "400", "500"]).transform(Number)),
    error: listOf(z.enum(DELIVERY_ERRORS)),
  }),
);
export type WebhookEventsQuery = z.infer<ReturnType<typeof webhookEventsQuery>>;

export const triggerInput = lazy(() =>
  z.strictObject({
    event: z.enum(EVENTS),
    document_id: z
      .string()
      .optional()
      .describe("of a document, template or content library item. Default: the newest that fits the event, or a new one"),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("replaces members of the document's data; without document_id, the whole data"),
    subscription: z.string().optional().describe("the id of the only subscription that gets the event"),
  }),
);
export type TriggerInput = z.infer<ReturnType<typeof triggerInput>>;

const webhookEventList = lazy(() => z.strictObject({ items: z.array(webhookEvent()) }));

export const webhookEventsGroup = group("Webhook events", [
  operation({
    id: "listWebhookEvent",
    route: "GET /public/v1/webhook-events",
    query: webhookEventsQuery,
    responses: { 200: webhookEventList },
    errors: [401, 429],
    handle: ({ query }, world) => ok({ items: listWebhookEvents(world, query).map(webhookEvent.of) }),
  }),
  operation({
    id: "detailsWebhookEvent",
    route: "GET /public/v1/webhook-events/{id}",
    responses: { 200: webhookEventDetails },
    // assumed: webhook.unknown_event.
    errors: [401, 429],
    handle: ({ params }, world) => ok(webhookEventDetails.of(requireWebhookEvent(world, params.id))),
  }),
]);

const subscriptionList = lazy(() => z.strictObject({ items: z.array(subscriptionView()) }));

const sharedKey = lazy(() => z.strictObject({ shared_key: z.string() }));

export const webhookSubscriptionsGroup = group("Webhook subscriptions", [
  operation({
    id: "listWebhookSubscriptions",
    route: "GET /public/v1/webhook-subscriptions",
    secret: { response: ["shared_key"] },
    responses: { 200: subscriptionList },
    errors: [401, 429],
    handle: (_, world) => ok({ items: listSubscriptions(world).map(subscriptionView.of) }),
  }),
  operation({
    id: "createWebhookSubscription",
    route: "POST /public/v1/webhook-subscriptions",
    secret: { response: ["shared_key"] },
    body: subscriptionInput,
    responses: { 201: subscriptionView },
    errors: [400, 401, 403, 429],
    handle: ({ body }, world) => created(subscriptionView.of(subscribe(world, body))),
  }),
  operation({
    id: "detailsWebhookSubscription",
    route: "GET /public/v1/webhook-subscriptions/{id}",
    secret: { response: ["shared_key"] },
    responses: { 200: subscriptionView },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(subscriptionView.of(requireSubscription(world, params.id))),
  }),
  operation({
    id: "updateWebhookSubscription",
    route: "PATCH /public/v1/webhook-subscriptions/{id}",
    secret: { response: ["shared_key"] },
    body: subscriptionPatch,
    responses: { 200: subscriptionView },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => ok(subscriptionView.of(changeSubscription(world, params.id, body))),
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
