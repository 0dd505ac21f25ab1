import * as z from "zod";
import { iso } from "../core/clock.ts";
import { lazy } from "../core/operation.ts";
import { DELIVERY_STATES, SIGNINGS } from "../jobs/delivery-types.ts";
import { redactText } from "../journal/redact.ts";
import type { DeliveryRow } from "../jobs/rows.ts";
import { isoText } from "./inputs.ts";

const attemptView = () =>
  z.strictObject({
    at: isoText(),
    status: z.int().nullable(),
    error: z.enum(["INTERNAL_ERROR", "NOT_VALID_URL", "CONNECT_ERROR", "TIMEOUT_ERROR"]).nullable(),
    reason: z.string().nullable().describe("why no answer came"),
    duration_ms: z.number(),
    signature: z.string(),
    signed: z.enum(SIGNINGS),
    response_body: z.string().nullable(),
    response_headers: z.record(z.string(), z.string()).nullable(),
  });

export const deliveryView = lazy(() =>
  z.strictObject({
    id: z.string(),
    event: z.string(),
    event_id: z.string().describe("duplicates share it"),
    document_id: z.string(),
    subscription: z.string(),
    subscription_name: z.string(),
    url: z.string(),
    created: isoText(),
    state: z.enum(DELIVERY_STATES),
    held_for: z.strictObject({ event: z.string(), status: z.string().nullable() }).nullable(),
    body: z.unknown(),
    attempts: z.array(attemptView()),
  }),
);

export function toDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    event: row.event,
    event_id: row.event_id,
    document_id: row.subject,
    subscription: row.subscriber,
    subscription_name: row.subscriber_name,
    url: redactText(row.url),
    created: iso(row.created),
    state: row.state,
    held_for: row.held_for && { event: row.held_for.event, status: row.held_for.status },
    body: JSON.parse(redactText(row.body)) as unknown,
    attempts: row.attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
  };
}
