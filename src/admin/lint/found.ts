import type { FindingKind } from "./finding.ts";

/** A finding without the members that its record and its call supply. */
export interface Found {
  kind: FindingKind;
  message: string;
  fix?: string | undefined;
  pointer?: string | undefined;
  document_id?: string | undefined;
  before?: readonly string[];
  /** Findings of one key count as one. Default: the message. */
  key?: string;
}
