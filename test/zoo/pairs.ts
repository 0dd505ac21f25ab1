/** The zoo: integrations with one planted fault each. Without its gap, an integration is the fixed twin. */
import { bookings } from "./clients/bookings.ts";
import { contracts } from "./clients/contracts.ts";
import { offers } from "./clients/offers.ts";
import { orders } from "./clients/orders.ts";
import { receivers } from "./clients/receivers.ts";
import { team } from "./clients/team.ts";
import { tidy } from "./clients/tidy.ts";
import type { Place, View } from "./place.ts";

export const CLIENTS = { offers, contracts, orders, team, tidy, bookings, receivers } satisfies Record<
  string,
  (place: Place, gap?: string) => Promise<View>
>;
export type ClientName = keyof typeof CLIENTS;

export interface Pair {
  planted: string;
  client: ClientName;
  /** The omission of the client. */
  gap: string;
  /** The fault and the symptom that exploration must report. */
  fault: string;
  symptom: string;
}

const pair = (planted: string, client: ClientName, gap: string, fault: string, symptom: string): Pair => ({
  ...{ planted, client, gap, fault, symptom },
});

export const PAIRS: readonly Pair[] = [
  pair("does not retry after a lost answer", "offers", "retries", "reset_after", "failed"),
  pair("creates again without looking", "offers", "look_before_create", "reset_after", "duplicate_document"),
  pair("ignores Retry-After", "offers", "retry_after", "throttled", "ignored_retry_after"),
  pair("treats 409 as fatal", "offers", "conflict", "not_ready_after_draft", "failed"),
  pair("treats 423 as fatal", "offers", "locked", "locked", "failed"),
  pair("takes 202 for a PDF", "offers", "pdf_wait", "pdf_not_ready", "failed"),
  pair("polls without end", "offers", "looks_end", "recipient_never_acts", "hung"),
  pair("forgets declined documents", "offers", "declined", "recipient_declines", "hung"),
  pair("reads a gateway's page as JSON", "offers", "gateway", "gateway_error", "failed"),
  pair("does not repeat a cut answer", "offers", "truncated", "truncated", "failed"),
  pair("knows all statuses", "offers", "known_statuses", "new_status", "failed"),
  pair("trusts a read more than its send", "offers", "trusts_reads", "stale_read", "failed"),
  pair("does not expect an empty download", "contracts", "pdf_wait", "pdf_not_ready", "failed"),
  pair("creates again after its own timeout", "contracts", "late_answer", "slow", "duplicate_document"),
  pair("forgets expired documents", "contracts", "expiry", "document_expires", "hung"),
  pair("gives up after half an answer", "orders", "half_answer", "truncated", "failed"),
  pair("looks at the first page alone", "orders", "first_page", "reset_after", "duplicate_document"),
  pair("sends again to be sure", "orders", "resend", "reset_after", "duplicate_send"),
  pair("repeats at once", "orders", "pause", "throttled", "ignored_retry_after"),
  pair("keeps an expired token", "team", "old_token", "unauthorized", "failed"),
  pair("deletes by name", "tidy", "delete_by_name", "reset_after", "invariant"),
  pair("does not expect its delete to have worked", "tidy", "delete_again", "reset_after", "failed"),
  pair("skips the signature check", "bookings", "signature", "webhook_forged", "forged_webhook_accepted"),
  pair("handles a webhook twice", "bookings", "twice", "webhook_duplicate", "duplicate_document"),
  pair("trusts the order of webhooks", "bookings", "order", "webhook_reordered", "stale_view"),
  pair("answers 200 and loses the event", "bookings", "answer_first", "gateway_error", "event_lost"),
  pair("compares the beginning of a signature", "receivers", "prefix", "webhook_forged", "forged_webhook_accepted"),
  pair("compares as many digits as it gets", "receivers", "shorter", "webhook_forged", "forged_webhook_accepted"),
  pair("checks only signatures that are there", "receivers", "when_present", "webhook_forged", "forged_webhook_accepted"),
  pair("signs JSON that it wrote again", "receivers", "reserialized", "webhook_respelled", "genuine_webhook_refused"),
  pair("trusts webhooks to arrive", "bookings", "only_webhooks", "webhook_lost", "hung"),
];
