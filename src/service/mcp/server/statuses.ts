/** Names of statuses at the MCP server. In June 2026 it showed the statuses of the API and took their numbers. */
import * as z from "zod";
import { codeOf, type DocumentStatus, type ManualCode, STATUSES, statusOf } from "../../model/documents/status-machine.ts";
import type { McpSurface } from "../../model/mcp/names.ts";

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
/** Source: a table of June ends with 13. */
const JUNE_CODE_MAX = codeOf("document.external_review");

/** An unknown status stays as it is. */
export function shownStatus(status: string, surface: McpSurface): string {
  return surface === "2026-06" ? status : (NAMES[status as DocumentStatus] ?? status);
}

/** A copy of `body` whose status has its name. */
export function withStatusName<T extends { status?: unknown }>(body: T, surface: McpSurface): T {
  return typeof body.status === "string" ? { ...body, status: shownStatus(body.status, surface) } : body;
}

/** One status of a filter, as its code. */
export function statusInput(surface: McpSurface) {
  return surface === "2026-06"
    ? z.number().int().min(0).max(JUNE_CODE_MAX)
    : z.enum(STATUS_NAMES).transform((name) => STATUS_NAMES.indexOf(name));
}

const MANUAL: Readonly<Record<string, ManualCode>> = { Completed: 2, Paid: 10, Expired: 11, Declined: 12 };

/** A status that a person may set, as its code. */
export function manualStatusInput(surface: McpSurface) {
  return surface === "2026-06"
    ? z.literal([2, 10, 11, 12])
    : z.enum(["Completed", "Paid", "Expired", "Declined"]).transform((name) => MANUAL[name] as ManualCode);
}

export function statusOfCode(code: number, surface: McpSurface): string {
  return shownStatus(statusOf(code) ?? String(code), surface);
}
