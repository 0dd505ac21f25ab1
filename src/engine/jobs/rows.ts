import { table } from "../store/collection.ts";
import type { Row } from "../store/row.ts";
import type { Attempt, Delivery, Signing } from "./delivery-types.ts";

export interface JobRow extends Row {
  kind: string;
  due: number;
  payload: Record<string, unknown>;
  failures?: number;
  /** An asynchronous run is in progress. In a data file it means that the process died during the run. */
  running?: true;
}

export type DeliveryError = NonNullable<Attempt["error"]>;

export type { Signing } from "./delivery-types.ts";

/** Where a row belongs among the calls, because a frozen clock gives many rows one instant. */
export interface Origin {
  /** The id of the call that made it. Null when no call did. */
  call: string | null;
  /** The number of calls before. */
  calls: number;
}

export interface DeliveryRow extends Delivery {
  origin: Origin;
  /** Milliseconds before each retry. Null: the default schedule. */
  retries_ms: readonly number[] | null;
  /** Set on a copy that a webhook rule sent before the delivery, or that a probe of signatures made. */
  signed?: Signing;
  /** Holds the delivery until the subscriber receives this event, with this status, about the same subject. */
  held_for: { event: string; status: string | null; then?: Launch } | null;
}

export interface Launch {
  delay?: number | undefined;
  /** Joins deliveries with the same key: at most `max` in one body, within `window` milliseconds. */
  batch?: { key: string; window: number; max: number } | undefined;
}

function jobKeys({ kind, payload }: JobRow): string[] {
  const keys: string[] = [];
  for (const name of Object.keys(payload)) {
    const value = payload[name];
    if (typeof value === "string" || typeof value === "number") keys.push(jobKey(kind, name, value));
  }
  return keys;
}

export function jobKey(kind: string, name: string, value: string | number): string {
  return `${kind}/${name}/${value}`;
}

const DELIVERIES_MAX = 10_000;

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
