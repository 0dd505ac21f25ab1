import type { FindingKind } from "./finding.ts";

export interface Found {
  kind: FindingKind;
  message: string;
  fix?: string | undefined;
  pointer?: string | undefined;
  document_id?: string | undefined;
  before?: readonly string[];
  /** Findings with the same key count as one. Default: the message. */
  key?: string;
}
