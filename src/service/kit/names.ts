/** Names that short commands and types of rows need. They load no rule of the service. */

export const MAIL_KINDS = [
  "sent",
  "reminder",
  "recipient_completed",
  "completed",
  "paid",
  "declined",
  "expired",
  "approval_request",
  "approved",
  "rejected",
  "suggested_edits",
  "comment",
  "forwarded",
  "verification_code",
  "notarization",
  "other",
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** What people do with documents. */
export const ACTS = [
  "view",
  "fill",
  "sign",
  "decline",
  "approve",
  "reject",
  "pay",
  "pay_fail",
  "review",
  "accept_review",
  "comment",
  "forward",
  "schedule",
  "expire",
  "remind",
  "opt_out",
  "opt_in",
  "lock",
  "unlock",
  "fail",
  "process",
  "finish_pdf",
] as const;
export type Act = (typeof ACTS)[number];

/** The keys of a world whose fixtures name none. */
export const DEFAULT_KEY = "docdouble-key";
export const DEFAULT_SANDBOX_KEY = "docdouble-sandbox-key";

/** The names of all tools of the vendor's MCP server. Scenario files know them without loading the tools. */
export const TOOL_NAMES = [
  "documents_archive",
  "documents_audit_trail_get",
  "documents_content_get",
  "documents_create",
  "documents_details_get",
  "documents_fields_assign",
  "documents_list",
  "documents_metadata_batch_get",
  "documents_metadata_get",
  "documents_search",
  "documents_send",
  "documents_status_change",
  "documents_status_get",
  "documents_summary_get",
  "documents_update",
  "recipients_add_cc",
  "recipients_delete",
  "recipients_edit",
  "recipients_reassign",
  "templates_create",
  "templates_details_get",
  "templates_list",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];
