import type { Email } from "../shown-rows.ts";
import { table } from "../../../engine/store/collection.ts";

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

export interface EmailRow extends Email {
  kind: MailKind;
}

export const mailTables = {
  emails: table<EmailRow>()({ bound: { maxRows: 10_000 }, indexes: { document: (row) => row.document_id } }),
};
