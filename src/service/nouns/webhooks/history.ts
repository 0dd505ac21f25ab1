import * as z from "zod";
import { notFound } from "../../../engine/core/errors.ts";
import { pageOf } from "../../../engine/core/lists.ts";
import type { Attempt } from "../../../engine/jobs/delivery-types.ts";
import type { DeliveryRow } from "../../../engine/jobs/rows.ts";
import { as, maybe, micros, oneOf, text, view, whole } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import type { EventName } from "../documents/status-machine.ts";
import { EVENTS } from "../documents/status-machine.ts";
import type { WebhookEventsQuery } from "./operations.ts";
import { listSubscriptions } from "./subscriptions.ts";

interface AttemptedDelivery {
  row: DeliveryRow;
  last: Attempt;
}

/** assumed: webhook.history. */
function attemptedDeliveries(world: World): AttemptedDelivery[] {
  const visible = new Set(listSubscriptions(world).map((row) => row.id));
  return world.store.deliveries.all().flatMap((row) => {
    const last = row.attempts.at(-1);
    return last && visible.has(row.subscriber) ? [{ row, last }] : [];
  });
}

/** Newest first. assumed: webhook.history_pages. */
export function listWebhookEvents(world: World, filter: WebhookEventsQuery): AttemptedDelivery[] {
  const found = attemptedDeliveries(world)
    .filter(({ row, last }) => {
      if (filter.since !== undefined && row.created < filter.since) return false;
      if (filter.to !== undefined && row.created >= filter.to) return false;
      if (filter.type && !filter.type.includes(row.event as EventName)) return false;
      if (filter.http_status_code && !filter.http_status_code.includes(Math.floor((last.status ?? 0) / 100) * 100)) return false;
      return !filter.error || (last.error !== null && filter.error.includes(last.error));
    })
    .reverse()
    .sort((a, b) => b.last.at - a.last.at);
  return pageOf(found, filter);
}

export function requireWebhookEvent(world: World, id: string): AttemptedDelivery {
  const delivery = attemptedDeliveries(world).find(({ row }) => row.event_id === id);
  if (!delivery) throw notFound(`no webhook event ${id} was sent to a subscription of this workspace`);
  return delivery;
}

export const DELIVERY_ERRORS = ["INTERNAL_ERROR", "NOT_VALID_URL", "CONNECT_ERROR", "TIMEOUT_ERROR"] as const;

export const webhookEvent = view<AttemptedDelivery>()({
  uuid: [maybe(as(() => z.uuid())), ({ row }) => row.event_id],
  name: [text, ({ row }) => row.subscriber_name],
  type: [oneOf(EVENTS), ({ row }) => row.event as EventName],
  http_status_code: [maybe(whole), ({ last }) => last.status],
  error: [maybe(oneOf(DELIVERY_ERRORS)), ({ last }) => last.error],
  delivery_time: [micros, ({ last }) => last.at],
});

export const webhookEventDetails = view<AttemptedDelivery>()({
  ...webhookEvent.shape,
  url: [text, ({ row }) => row.url],
  signature: [text, ({ last }) => last.signature],
  request_body: [text, ({ row }) => row.body],
  response_body: [maybe(text), ({ last }) => last.response_body],
  response_headers: [maybe(text), ({ last }) => last.response_headers && toHeaderText(last.response_headers)],
  event_time: [micros, ({ row }) => row.created],
});

/** `[cache-control:"no-cache, private", content-type:"application/json"]`. */
function toHeaderText(headers: Readonly<Record<string, string>>): string {
  const parts = Object.keys(headers)
    .sort()
    .map((name) => `${name}:"${headers[name]}"`);
  return `[${parts.join(", ")}]`;
}
