/** The findings of client lint, as the library and the admin API show them. */
export const FINDING_KINDS = [
  "unknown_field",
  "missing_body",
  "unknown_role",
  "unknown_document_field",
  "unknown_token",
  "unknown_pricing_name",
  "doubtful_pricing",
  "doubtful_value",
  "unknown_block",
  "signer_without_fields",
  "nobody_can_sign",
  "polling_too_fast",
  "retry_after_ignored",
  "duplicate_create",
  "sent_before_draft",
  "forged_webhook_accepted",
  "genuine_webhook_refused",
  "webhook_receiver_too_slow",
  "deprecated_parameter",
  "key_in_url",
  "magic_address_ignored",
  "mcp_credentials",
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** Where a finding was made. */
export interface LintPlace {
  /** The operation of the call. */
  operation?: string;
  /** The call's number among the calls of its operation, from 1. */
  nth?: number;
  /** Method and path of the call. */
  call?: string;
  /** The id of the document. */
  document_id?: string;
  /** The name of the document. */
  document?: string;
  /** The JSON pointer of the input in the request body. */
  pointer?: string;
  /** The address of the webhook receiver. */
  receiver?: string;
}

/** A mistake of a client that its tests may not show. */
export interface LintFinding {
  /** The kind of mistake. `dist/docs/lint.md` has a section of this name. */
  kind: FindingKind;
  /** What happened, in one sentence. */
  message: string;
  /** What to change, in one sentence. */
  fix: string;
  /** The section of the documentation that explains the kind. */
  docs: string;
  /** Where it happened first. */
  place: LintPlace;
  /** How often client lint found it. One finding may need several calls. */
  times: number;
  /** Ids of the journal entries or deliveries that prove it, at most 100. */
  entries: string[];
}

type Advice = Pick<LintFinding, "message" | "fix" | "docs" | "place">;

export function findingLine(finding: Advice & { kind: string }): string {
  return `${finding.kind}: ${adviceLine(finding)}`;
}

export function adviceLine({ message, fix, docs, place }: Advice): string {
  const at = [place.document && `document "${place.document}"`, place.pointer].filter(Boolean).join(", ");
  return `${message}${at ? ` (${at})` : ""}. ${fix} See ${docs}`;
}
