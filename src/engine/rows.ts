import { table } from "../store/collection.ts";
import type { Row } from "../store/row.ts";

/** Something due later. */
export interface JobRow extends Row {
  kind: string;
  /** Epoch ms. */
  due: number;
  payload: Record<string, unknown>;
  /** How many runs threw. */
  failures?: number;
  /** An asynchronous run is under way. A process that finds this in its data file knows that the last one died during the run. */
  running?: true;
}

export type DeliveryError = "INTERNAL_ERROR" | "NOT_VALID_URL" | "CONNECT_ERROR" | "TIMEOUT_ERROR";

/** `valid` as the service signs; the others are a webhook lab's. */
export type Signing = "valid" | "invalid" | "missing" | "old_key";

/** One try at telling one subscriber. */
export interface Attempt {
  /** Epoch ms on the tenant's clock. */
  at: number;
  /** HTTP status, null when no answer came. */
  status: number | null;
  error: DeliveryError | null;
  /** What went wrong in words, null when nothing did. */
  reason: string | null;
  /** Wall milliseconds. */
  duration_ms: number;
  signature: string;
  /** How the signature was made. */
  signed: Signing;
  response_body: string | null;
  response_headers: Record<string, string> | null;
}

/** One event on its way to one subscriber. */
export interface DeliveryRow extends Row {
  event: string;
  event_id: string;
  subject: string;
  /** The subject's status when it happened, null where it has none. */
  status: string | null;
  subscriber: string;
  subscriber_name: string;
  url: string;
  /** The exact bytes that are posted and signed. */
  body: string;
  created: number;
  state: "pending" | "delivered" | "failed" | "dropped";
  attempts: Attempt[];
  /** Delays in ms before each retry, where they are not the usual ones. */
  retries_ms: readonly number[] | null;
  /** Held back until an event of this name, and document status, was told to the same subscriber about the same subject. */
  held_for: { event: string; status: string | null; then?: Launch } | null;
}

/** How a delivery goes out for the first time. */
export interface Launch {
  delay_ms?: number;
  /** Collected with others of the same key for `window_ms`, at most `max` in one body. */
  batch?: { key: string; window_ms: number; max: number };
}

/** What a job is found by: its kind with each text and number of its payload. */
function jobKeys({ kind, payload }: JobRow): string[] {
  return Object.entries(payload).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [jobKey(kind, name, value)] : [],
  );
}

export function jobKey(kind: string, name: string, value: string | number): string {
  return `${kind}/${name}/${value}`;
}

/** Of one tenant; those that are still to be told do not count. */
const DELIVERIES_MAX = 10_000;

/** The collections the engine itself keeps. */
export const engineTables = {
  jobs: table<JobRow>()({
    indexes: { kind: (row) => row.kind, about: jobKeys },
  }),
  deliveries: table<DeliveryRow>()({
    bound: { maxRows: DELIVERIES_MAX, isEvictable: (row) => row.state !== "pending" },
    indexes: { subject: (row) => row.subject, held: (row) => row.held_for && `${row.subscriber}/${row.subject}` },
  }),
};

export type EngineTables = typeof engineTables;
