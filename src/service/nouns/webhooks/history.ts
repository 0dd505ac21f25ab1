import { iso } from "../../../engine/core/clock.ts";
import { notFound } from "../../../engine/core/errors.ts";
import { pageOf } from "../../../engine/core/lists.ts";
import type { Attempt } from "../../../engine/jobs/delivery-types.ts";
import type { DeliveryRow } from "../../../engine/jobs/rows.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import type { World } from "../../kit/world.ts";
import type { EventName } from "../documents/status-machine.ts";
import type { WebhookEventsQuery } from "./operations.ts";
import { listSubscriptions } from "./subscriptions.ts";

export const PAYLOAD_KINDS = ["metadata", "fields", "products", "tokens", "pricing"] as const;
export type PayloadKind = (typeof PAYLOAD_KINDS)[number];

export interface SubscriptionRow extends Row {
  name: string;
  url: string;
  active: boolean;
  /** Set by the service after a 410 or a week of failures since `failing_since`. */
  deactivated: boolean;
  payload: PayloadKind[] | null;
  triggers: EventName[] | null;
  workspace_id: string;
  shared_key: string;
  old_key: string | null;
  date_created: number;
  internal: {
    failing_since: number | null;
  };
}

export const subscriptionTables = {
  subscriptions: table<SubscriptionRow>()(),
};

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

export function toWebhookEvent({ row, last }: AttemptedDelivery) {
  return {
    uuid: row.event_id,
    name: row.subscriber_name,
    type: row.event as EventName,
    http_status_code: last.status,
    error: last.error,
    delivery_time: iso(last.at),
  };
}

export function toWebhookEventDetails(delivery: AttemptedDelivery) {
  const { row, last } = delivery;
  return {
    ...toWebhookEvent(delivery),
    url: row.url,
    signature: last.signature,
    request_body: row.body,
    response_body: last.response_body,
    response_headers: last.response_headers && toHeaderText(last.response_headers),
    event_time: iso(row.created),
  };
}

/** `[cache-control:"no-cache, private", content-type:"application/json"]`. */
function toHeaderText(headers: Readonly<Record<string, string>>): string {
  const parts = Object.keys(headers)
    .sort()
    .map((name) => `${name}:"${headers[name]}"`);
  return `[${parts.join(", ")}]`;
}
