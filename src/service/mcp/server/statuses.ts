/** Names of statuses at the MCP server. assumed: mcp.surface. */
import * as z from "zod";
import type { DocumentStatus, ManualCode } from "../../nouns/documents/status-machine.ts";
import { STATUSES, statusOf } from "../../nouns/documents/status-machine.ts";

const NAMES = {
  "document.draft": "Draft",
  "document.sent": "Sent",
  "document.completed": "Completed",
  "document.uploaded": "Uploaded",
  "document.error": "Error",
  "document.viewed": "Viewed",
  "document.waiting_approval": "Waiting for Approval",
  "document.approved": "Approved",
  "document.rejected": "Rejected",
  "document.waiting_pay": "Waiting for Payment",
  "document.paid": "Paid",
  "document.voided": "Expired",
  "document.declined": "Declined",
  "document.external_review": "External Review",
  "document.scheduled": "Scheduled",
} as const satisfies Record<DocumentStatus, string>;

const STATUS_NAMES = STATUSES.map((status) => NAMES[status]);

/** An unknown status stays as it is. */
export function shownStatus(status: string): string {
  return NAMES[status as DocumentStatus] ?? status;
}

/** A copy of `body` whose status has its name. */
export function withStatusName<T extends { status?: unknown }>(body: T): T {
  return typeof body.status === "string" ? { ...body, status: shownStatus(body.status) } : body;
}

/** One status of a filter, as its code. */
export function statusInput() {
  return z.enum(STATUS_NAMES).transform((name) => STATUS_NAMES.indexOf(name));
}

const MANUAL: Readonly<Record<string, ManualCode>> = { Completed: 2, Paid: 10, Expired: 11, Declined: 12 };

/** A status that a person may set, as its code. */
export function manualStatusInput() {
  return z.enum(["Completed", "Paid", "Expired", "Declined"]).transform((name) => MANUAL[name] as ManualCode);
}

export function statusOfCode(code: number): string {
  return shownStatus(statusOf(code) ?? String(code));
}
