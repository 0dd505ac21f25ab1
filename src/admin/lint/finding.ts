export type FindingKind =
  | "unknown_field"
  | "deprecated_parameter"
  | "polling_too_fast"
  | "retry_after_ignored"
  | "duplicate_create"
  | "sent_before_draft"
  | "forged_webhook_accepted"
  | "webhook_receiver_too_slow"
  | "key_in_url"
  | "magic_address_ignored";

export interface LintFinding {
  kind: FindingKind;
  message: string;
  /** Ids of the journal entries or deliveries that prove it. */
  entries: string[];
}
