import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

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

export interface EmailRow extends Row {
  workspace_id: string;
  kind: MailKind;
  channel: "email" | "sms";
  to: string;
  to_name: string;
  from: { email: string; name: string };
  reply_to: string | null;
  subject: string;
  text: string;
  link: string | null;
  document_id: string | null;
  document_name: string | null;
  recipient_id: string | null;
  created: number;
}

export const mailTables = {
  emails: table<EmailRow>()({ bound: { maxRows: 10_000 }, indexes: { document: (row) => row.document_id } }),
};
