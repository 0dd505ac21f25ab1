/** Answers never show `internal`. */
import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";
import type { ApprovalStep, Content, DroppedTag, Payment } from "../content/rows.ts";
import type { DocumentStatus } from "./status-machine.ts";
import type { SandboxDocument } from "../shown-rows.ts";
import type { RecipientRow } from "../recipients/rows.ts";
import type { Environment } from "../workspaces/rows.ts";
import type { Lock } from "../refusals.ts";
import type { FieldInput } from "../content/inputs.ts";

export interface LinkRow extends Row {
  workspace_id: string;
  document_id: string;
  provider: string;
  entity_type: string;
  entity_id: string;
}

export const linkTables = {
  links: table<LinkRow>()({ indexes: { document: (row) => row.document_id, entity: entityKey } }),
};

export function entityKey(entity: Pick<LinkRow, "workspace_id" | "provider" | "entity_type" | "entity_id">): string {
  return JSON.stringify([entity.workspace_id, entity.provider, entity.entity_type, entity.entity_id]);
}

export type DocumentSource =
  | { kind: "template"; template_id: string; file_id: string | null }
  | {
      kind: "upload";
      file_id: string;
      parse_form_fields: boolean | null;
      use_properties: boolean;
      classic?: boolean;
      fields: Record<string, FieldInput>;
    }
  | {
      kind: "url";
      url: string;
      file_id?: string;
      parse_form_fields: boolean | null;
      use_properties: boolean;
      classic?: boolean;
      fields: Record<string, FieldInput>;
    }
  | { kind: "markdown"; file_id: string; fields_mapping: Record<string, string[]> };

export interface DocumentRow extends Content, Omit<SandboxDocument, keyof Content> {
  content_date_modified: number;
  date_status_changed: number;
  date_of_last_action: number;
  recipients: RecipientRow[];
  internal: {
    environment: Environment;
    source: DocumentSource;
    deleted_at: number | null;
    lock: Lock | null;
    silent: boolean;
    message: string | null;
    subject: string | null;
    reply_to: string | null;
    forwarding: { forwarding_allowed: boolean; forwarding_with_reassigning_allowed: boolean };
    approval: { steps: ApprovalStep[]; revision_number: number } | null;
    payment: Payment | null;
    failure: { type: string; detail: string } | null;
    notes: { text: string; by: string; at: number; file_id: string | null }[];
    pdf_ready: boolean;
    alias: string | null;
    path: DocumentStatus[];
    dropped_tags: readonly DroppedTag[];
    faults_given: number;
    polls: number;
    scheduled: { at: number; job: string } | null;
    expire_job: string | null;
    settings: { language: string; qualified_electronic_signature: boolean; expires_in: number; suggest_edits: boolean };
  };
}

export interface AuditRow extends Row {
  document_id: string;
  action: number;
  at: number;
  user: { id: string; email: string };
  reason: string | null;
}

export const auditTables = {
  audit: table<AuditRow>()({ indexes: { document: (row) => row.document_id } }),
};
