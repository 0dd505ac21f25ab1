export const DELIVERY_STATES = ["pending", "delivered", "failed", "dropped"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The signature of a delivery. `similar` begins as the right one, and `short` is only its beginning. Receivers that compare a part accept
 * them.
 */
export const SIGNINGS = ["valid", "invalid", "missing", "old_key", "similar", "short"] as const;
export type Signing = (typeof SIGNINGS)[number];
/** Those that a receiver must refuse. For a while after a change of the key, it may accept the old one. */
export const FORGERIES = ["invalid", "missing", "similar", "short"] as const satisfies readonly Signing[];

/** One attempt to post a delivery. */
export interface Attempt {
  /** When the attempt was made, in epoch ms on the tenant's clock. */
  at: number;
  /** The HTTP status of the answer. Null without an answer. */
  status: number | null;
  /** Why no answer came, in the words of the service. Null after an answer. */
  error: "INTERNAL_ERROR" | "NOT_VALID_URL" | "CONNECT_ERROR" | "TIMEOUT_ERROR" | null;
  /** Why no answer came, in plain words. Null after an answer. */
  reason: string | null;
  /** How long the attempt took, in real milliseconds. */
  duration_ms: number;
  /** The signature in the delivery's address. */
  signature: string;
  /** Whether the signature is right. Webhook rules can send wrong signatures. */
  signed: Signing;
  /** The body of the receiver's answer. Null without an answer. */
  response_body: string | null;
  /** The headers of the receiver's answer. Null without an answer. */
  response_headers: Record<string, string> | null;
}

/** One event on its way to one subscriber. */
export interface Delivery {
  /** The delivery's id. */
  id: string;
  /** The name of the event. Example: `document_state_changed`. */
  event: string;
  /** The event's id. Duplicates share it. */
  event_id: string;
  /** The id of the row that the event is about. */
  subject: string;
  /** The status of the row in the event. Null for events without a status. */
  status: string | null;
  /** The id of the webhook subscription. */
  subscriber: string;
  /** The name of the webhook subscription. */
  subscriber_name: string;
  /** The address that receives the delivery. */
  url: string;
  /** The exact text that is posted and signed. */
  body: string;
  /** When the delivery was made, in epoch ms. */
  created: number;
  /** How far the delivery is: waiting, arrived, or given up. */
  state: DeliveryState;
  /** All attempts, oldest first. */
  attempts: Attempt[];
}
