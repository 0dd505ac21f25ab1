/** The history of webhook deliveries as the service shows it, and events made by hand. */
import { iso } from "../../core/clock.ts";
import { ApiError, badRequest, notFound } from "../../core/errors.ts";
import type { Attempt, DeliveryError, DeliveryRow } from "../../engine/rows.ts";
import type { EventName } from "../document-model/status-machine.ts";
import { listSubscriptions, requireSubscription, toEventData } from "./subscriptions.ts";
import type { World } from "../world.ts";
import { requireDocument } from "../document-model/find.ts";
import type { DocumentRow } from "../document-model/rows.ts";

export interface EventFilter {
  count: number;
  page: number;
  since?: number;
  to?: number;
  type?: readonly string[];
  /** 100 stands for 1xx and so on. */
  http_status_code?: readonly number[];
  error?: readonly DeliveryError[];
}

interface Told {
  row: DeliveryRow;
  last: Attempt;
}

/**
 * assumed: one entry is one event to one subscription, known by the event id that the delivery carries in its header; it
 * shows the latest attempt, the only one whose status and time the shape has room for. What was never tried has none.
 */
function toldOf(world: World): Told[] {
  const own = new Set(listSubscriptions(world).map((row) => row.id));
  return world.store.deliveries.all().flatMap((row) => {
    const last = row.attempts.at(-1);
    return last && own.has(row.subscriber) ? [{ row, last }] : [];
  });
}

/** The newest first. assumed: pages count from 1, and 0, the official minimum, is the first page too. */
export function listWebhookEvents(world: World, filter: EventFilter): Told[] {
  const found = toldOf(world)
    .filter(({ row, last }) => {
      if (filter.since !== undefined && row.created < filter.since) return false;
      if (filter.to !== undefined && row.created >= filter.to) return false;
      if (filter.type && !filter.type.includes(row.event)) return false;
      if (filter.http_status_code && !filter.http_status_code.includes(Math.floor((last.status ?? 0) / 100) * 100)) return false;
      return !filter.error || (last.error !== null && filter.error.includes(last.error));
    })
    .reverse()
    .sort((a, b) => b.last.at - a.last.at);
  const start = (Math.max(filter.page, 1) - 1) * filter.count;
  return found.slice(start, start + filter.count);
}

export function requireWebhookEvent(world: World, id: string): Told {
  const told = toldOf(world).find(({ row }) => row.event_id === id);
  if (!told) throw notFound(`no webhook event ${id} was sent to a subscription of this workspace`);
  return told;
}

export function toWebhookEvent({ row, last }: Told) {
  return {
    uuid: row.event_id,
    name: row.subscriber_name,
    type: row.event as EventName,
    http_status_code: last.status,
    error: last.error,
    delivery_time: iso(last.at),
  };
}

export function toWebhookEventDetails(told: Told) {
  const { row, last } = told;
  return {
    ...toWebhookEvent(told),
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

export interface TriggerInput {
  event: EventName;
  document_id?: string;
  /** Laid over the document's own data; alone it is the data. */
  data?: Record<string, unknown>;
  /** Only this subscription, also when it did not ask for the event. */
  subscription?: string;
}

/** Sends an event that did not happen, in the shape and with the signature of one that did. Returns its deliveries. */
export function triggerEvent(world: World, input: TriggerInput): DeliveryRow[] {
  const document =
    input.document_id !== undefined
      ? requireDocument(world, input.document_id)
      : input.data === undefined
        ? newestDocument(world)
        : undefined;
  if (!document && !input.data) {
    throw badRequest("There is no document yet: give data, or create one.", { why: "an event needs something to be about" });
  }
  const subscribers =
    input.subscription === undefined
      ? listSubscriptions(world).filter((row) => row.active && !row.deactivated && row.triggers?.includes(input.event))
      : [requireSubscription(world, input.subscription)];
  if (subscribers.length === 0) {
    const detail = `No active subscription asked for ${input.event}.`;
    throw new ApiError("conflict", detail, {
      body: { type: "docdouble_conflict", detail },
      why: "subscribe to the event first, or name a subscription",
    });
  }
  return subscribers.map((row) => {
    const known = document ? toEventData(world, document, [...(row.payload ?? [])].sort(), {}) : {};
    const data = { ...known, ...input.data };
    const subject = document?.id ?? (typeof input.data?.id === "string" ? input.data.id : "");
    return world.outbox.enqueue({
      id: world.ids.uuid(),
      event: input.event,
      event_id: world.ids.uuid(),
      subject,
      status: document?.status ?? null,
      subscriber: row.id,
      subscriber_name: row.name,
      url: row.url,
      body: JSON.stringify([{ event: input.event, data }]),
    });
  });
}

/** What an event is about when nothing is named: the document that was created last. */
function newestDocument(world: World): DocumentRow | undefined {
  return world.store.documents
    .all()
    .filter((row) => row.internal.deleted_at === null && row.workspace_id === world.caller.workspace_id)
    .reduce<DocumentRow | undefined>((last, row) => (last && last.date_created > row.date_created ? last : row), undefined);
}
