import type { Row } from "../../../engine/store/row.ts";
import type { ApprovalStep, Content, ConversionState } from "../content/rows.ts";
import { table } from "../../../engine/store/collection.ts";

export interface TemplateRole {
  id: string;
  name: string;
  signing_order: number | null;
  /** How recipients with this role are reached by default. Only fixtures set it. */
  delivery_methods?: { email: boolean; sms: boolean };
  preassigned_person: { email: string | null; first_name: string | null; last_name: string | null; type: string } | null;
}

export interface ReusableRow extends Row, Content {
  workspace_id: string;
  name: string;
  version: string;
  folder_uuid: string | null;
  date_created: number;
  date_modified: number;
  content_date_modified: number;
  created_by: string;
  metadata: Record<string, string>;
  tags: string[];
  roles: TemplateRole[];
  content_placeholders: { uuid: string; block_id: string; description: string }[];
}

export interface TemplateRow extends ReusableRow {
  status: "template.UPLOADED" | "template.PROCESSED" | "template.ERROR";
  owner: string;
  internal: {
    deleted_at: number | null;
    shared: boolean;
    /** Other workspaces that use the template. */
    shared_with: string[];
    /** A template of the vendor's gallery: readable, but not usable. */
    gallery: boolean;
    language: string;
    approval: { steps: ApprovalStep[] } | null;
    payment: { provider: string; amount: string | null; currency: string } | null;
    file_id: string | null;
    conversion: ConversionState;
  };
}

export interface EditingSessionRow extends Row {
  kind: "document" | "template";
  subject_id: string;
  workspace_id: string;
  user_id: string;
  email: string;
  token: string;
  created_at: number;
  expires_at: number;
  replaced: boolean;
}

export const editingSessionTables = {
  editing_sessions: table<EditingSessionRow>()({
    bound: { maxRows: 10_000 },
    indexes: { subject: (row) => `${row.kind}:${row.subject_id}`, token: (row) => row.token },
  }),
};

export const templateTables = {
  templates: table<TemplateRow>()({ indexes: { folder: (row) => row.folder_uuid } }),
};
