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
