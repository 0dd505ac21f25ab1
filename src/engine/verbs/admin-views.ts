import { iso } from "../core/clock.ts";
import { redactText } from "../journal/redact.ts";
import type { DeliveryRow } from "../jobs/rows.ts";

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
