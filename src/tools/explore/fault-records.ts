/** One record for each fault. Everything that explore knows of a fault without a run stands here, in the order of the report's columns. */

export interface FaultRecord {
  /** What it hits: a call, a delivery, or the turn of a recipient. */
  hits: "call" | "delivery" | "turn";
  /** Faults that lose or double something come before faults that only delay. */
  weight: number;
  /** A sentence with `{nth}`, `{place}` and `{reading}`. */
  says: string;
  /** What a client lacks that gives up under it. Faults with one remedy are one cause. */
  lacks?: readonly [remedy: string, word: string];
  /** An error is the right end, because no client can change the facts. */
  ends?: true;
  /** The answer is valid, and new to the client. */
  isNews?: true;
  /** A client may report what the answer says. */
  isReported?: true;
  /** A client waits for something that comes late or never. */
  waits?: true;
  /** A receiver may not know yet that there is work. */
  tellsNothing?: true;
  /** At a token request it uses up the authorization code, and only a person can give another. */
  costsCode?: true;
}

const RETRY = "does not retry after";
const WAIT = "does not wait after";
const ACCEPT = "does not accept";

export const FAULT_RECORDS = {
  reset_after: {
    hits: "call",
    weight: 100,
    says: "The {nth} {place} takes effect, and its answer is lost.",
    lacks: [RETRY, "a lost answer"],
    costsCode: true,
  },
  throttled: { hits: "call", weight: 95, says: "The {nth} {place} is throttled: 429 with Retry-After.", lacks: [RETRY, "429"] },
  conflict: {
    hits: "call",
    weight: 91,
    says: "The {nth} {place} answers 409, because the document is still being processed.",
    lacks: [WAIT, "409 during processing"],
  },
  not_ready_after_draft: {
    hits: "call",
    weight: 91,
    says: "The {nth} {place} answers 409 for a moment, although the document is a draft. The vendor calls this a known race.",
    lacks: [WAIT, "409 after draft"],
  },
  locked: {
    hits: "call",
    weight: 85,
    says: "The {nth} {place} answers 423, because somebody edits the document.",
    lacks: [WAIT, "423"],
  },
  gateway_error: {
    hits: "call",
    weight: 88,
    says: "A gateway answers 502 to the {nth} {place}, which has no effect.",
    lacks: [RETRY, "502"],
  },
  gateway_timeout: {
    hits: "call",
    weight: 68,
    says: "The {nth} {place} takes effect, and a gateway answers 504.",
    lacks: [RETRY, "504"],
    costsCode: true,
  },
  reset_before: {
    hits: "call",
    weight: 76,
    says: "The connection is lost before the {nth} {place} takes effect.",
    lacks: [RETRY, "a lost connection"],
  },
  unauthorized: { hits: "call", weight: 87, says: "The access token has expired at the {nth} {place}." },
  not_found: { hits: "call", weight: 70, says: "Somebody has deleted the document before the {nth} {place}.", ends: true },
  slow: {
    hits: "call",
    weight: 80,
    says: "The {nth} {place} takes effect, and its answer comes later than the client waits.",
    lacks: [RETRY, "a late answer"],
    costsCode: true,
  },
  truncated: {
    hits: "call",
    weight: 82,
    says: "The answer to the {nth} {place} is cut in half.",
    lacks: [RETRY, "a cut answer"],
    costsCode: true,
  },
  pdf_not_ready: {
    hits: "call",
    weight: 86,
    says: "The {nth} {place} answers 202, because the PDF is not ready.",
    lacks: [WAIT, "202 instead of the PDF"],
  },
  slow_processing: {
    hits: "call",
    weight: 72,
    says: "The document of the {nth} {place} is processed slowly.",
    lacks: ["does not wait long enough for", "slow processing"],
    waits: true,
  },
  processing_failed: {
    hits: "call",
    weight: 64,
    says: "The document of the {nth} {place} fails to be processed.",
    ends: true,
    waits: true,
  },
  new_status: {
    hits: "call",
    weight: 79,
    says: "The answer to the {nth} {place} shows a status that the client does not know.",
    lacks: [ACCEPT, "an unknown status"],
    isNews: true,
    isReported: true,
  },
  new_member: {
    hits: "call",
    weight: 63,
    says: "The answer to the {nth} {place} has a further member.",
    lacks: [ACCEPT, "an unknown member"],
    isNews: true,
  },
  null_member: {
    hits: "call",
    weight: 62,
    says: "The answer to the {nth} {place} has null where the description allows it.",
    lacks: [ACCEPT, "a null"],
    isNews: true,
  },
  stale_read: {
    hits: "call",
    weight: 75,
    says: "The {nth} {place} does not show the latest change yet.",
    lacks: [WAIT, "an outdated read"],
    isReported: true,
  },
  other_reading: { hits: "call", weight: 50, says: "At the {nth} {place} the service behaves otherwise: {reading}.", ends: true },
  webhook_duplicate: { hits: "delivery", weight: 92, says: "The {nth} {place} is delivered twice." },
  webhook_forged: {
    hits: "delivery",
    weight: 93,
    says: "Copies of the {nth} {place} with wrong signatures come first.",
    tellsNothing: true,
  },
  webhook_lost: { hits: "delivery", weight: 84, says: "The {nth} {place} is never delivered.", waits: true, tellsNothing: true },
  webhook_late: { hits: "delivery", weight: 66, says: "The {nth} {place} is delivered late.", waits: true, tellsNothing: true },
  webhook_reordered: { hits: "delivery", weight: 83, says: "The {nth} {place} is delivered after a later event." },
  webhook_respelled: {
    hits: "delivery",
    weight: 81,
    says: "The JSON of the {nth} {place} has spaces and escapes, and the signature fits this text.",
  },
  recipient_declines: { hits: "turn", weight: 90, says: "The recipient {place} declines instead of signing.", ends: true },
  recipient_never_acts: { hits: "turn", weight: 78, says: "The recipient {place} never acts.", ends: true, waits: true },
  recipient_forwards: {
    hits: "turn",
    weight: 60,
    says: "The recipient {place} forwards the document to somebody else.",
    ends: true,
    waits: true,
  },
  document_expires: {
    hits: "turn",
    weight: 74,
    says: "The document expires before the recipient {place} signs.",
    ends: true,
    waits: true,
  },
} as const satisfies Record<string, FaultRecord>;

export type FaultName = keyof typeof FAULT_RECORDS;
type Of<H extends FaultRecord["hits"]> = { [N in FaultName]: (typeof FAULT_RECORDS)[N]["hits"] extends H ? N : never }[FaultName];
export type CallFault = Of<"call">;
export type WebhookFault = Of<"delivery">;
export type RecipientFault = Of<"turn">;

export const FAULTS = Object.keys(FAULT_RECORDS) as FaultName[];

export function faultsThatHit<H extends FaultRecord["hits"]>(what: H): Of<H>[] {
  return FAULTS.filter((name) => FAULT_RECORDS[name].hits === what) as Of<H>[];
}

export function faultRecord(name: FaultName): FaultRecord {
  return FAULT_RECORDS[name];
}
