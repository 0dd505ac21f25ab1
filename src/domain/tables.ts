/**
 * What the workspace holds. Rows keep the service's own names and shapes for what it shows; instants are epoch
 * milliseconds. What the service never shows sits under `internal`.
 */
import type { Lock } from "../core/errors.ts";
import { engineTables } from "../engine/rows.ts";
import { formTables } from "./forms/forms.ts";
import { mailTables } from "./mails/mails.ts";
import { emailOptOutTables } from "./communication-preferences/email-opt-outs.ts";
import { smsOptOutTables } from "./communication-preferences/sms-opt-outs.ts";
import { attachmentTables } from "./attachments/attachments.ts";
import { linkTables } from "./document-model/crm-links.ts";
import { structureTables } from "./documents/structure-view.ts";
import { reminderTables } from "./lifecycle/reminder-schedule.ts";
import { sessionTables } from "./signing/session-acts.ts";
import { type Row, table } from "../store/collection.ts";
import { docxExportTables } from "./documents/docx-exports.ts";
import { documentTable } from "./document-model/indexes.ts";
import type { DocumentStatus, EventName } from "./document-model/status-machine.ts";
import { catalogTables } from "./product-catalog/items.ts";
import { contactGroupTables } from "./contacts/contact-groups.ts";
import { contentLibraryTables } from "./library/items.ts";
import { editingSessionTables } from "./templates/editing-sessions.ts";
import { notaryTables } from "./notary/requests.ts";
import { sectionTables } from "./documents/sections.ts";
import type { FieldValue, RecipientRow, Content, ApprovalStep, Payment } from "./content/rows.ts";
import type {
  Environment,
  WorkspaceRow,
  UserRow,
  MemberRow,
  ApiKeyRow,
  OAuthClientRow,
  OAuthCodeRow,
  TokenRow,
  FolderRow,
  ContactRow,
} from "./workspaces/rows.ts";

export type * from "./content/rows.ts";
export type * from "./workspaces/rows.ts";

/** How a document came to be; what the conversion needs. */
export type DocumentSource =
  | { kind: "template"; template_id: string; file_id: string | null }
  | {
      kind: "upload";
      file_id: string;
      parse_form_fields: boolean | null;
      use_properties: boolean;
      /** Made in the classic editor. */
      classic?: boolean;
      fields: Record<string, FieldInput>;
    }
  | {
      kind: "url";
      url: string;
      /** What was fetched, once it is. */
      file_id?: string;
      parse_form_fields: boolean | null;
      use_properties: boolean;
      /** Made in the classic editor. */
      classic?: boolean;
      fields: Record<string, FieldInput>;
    }
  | { kind: "markdown"; file_id: string; fields_mapping: Record<string, string[]> };

/** A field as a create request gives it. */
export interface FieldInput {
  value?: FieldValue;
  role?: string;
}

export interface DocumentRow extends Row, Content {
  workspace_id: string;
  name: string;
  status: DocumentStatus;
  version: string | null;
  ref_number: string;
  date_created: number;
  date_modified: number;
  content_date_modified: number;
  date_status_changed: number;
  date_of_last_action: number;
  date_sent: number | null;
  date_completed: number | null;
  date_declined: number | null;
  expiration_date: number | null;
  created_by: string;
  owner: string;
  sent_by: string | null;
  template: { id: string; name: string } | null;
  form_id: string | null;
  folder_uuid: string | null;
  metadata: Record<string, string>;
  tags: string[];
  recipients: RecipientRow[];
  internal: {
    environment: Environment;
    source: DocumentSource;
    deleted_at: number | null;
    lock: Lock | null;
    silent: boolean;
    message: string | null;
    subject: string | null;
    /** Where answers to its mail go. */
    reply_to: string | null;
    forwarding: { forwarding_allowed: boolean; forwarding_with_reassigning_allowed: boolean };
    approval: { steps: ApprovalStep[]; revision_number: number } | null;
    payment: Payment | null;
    /** What a failed conversion said. */
    failure: { type: string; detail: string } | null;
    notes: { text: string; by: string; at: number; file_id: string | null }[];
    /** The sealed PDF is made. */
    pdf_ready: boolean;
    /** The name a scenario knows it by. */
    alias: string | null;
    /** Every status it has had, the first first. */
    path: DocumentStatus[];
    /** How many of the faults that its metadata asks for were given. */
    faults_given: number;
    /** Reads counted while a step goes on by number of polls. */
    polls: number;
    /** When it is sent by itself, and the job that does it. Absent in rows of older data files. */
    scheduled?: { at: number; job: string } | null;
    /** The job that will expire it. */
    expire_job: string | null;
    settings: { language: string; qualified_electronic_signature: boolean; expires_in: number; suggest_edits: boolean };
  };
}

export interface TemplateRole {
  id: string;
  name: string;
  signing_order: number | null;
  preassigned_person: { email: string | null; first_name: string | null; last_name: string | null; type: string } | null;
}

export interface TemplateRow extends Row, Content {
  workspace_id: string;
  name: string;
  status: "template.UPLOADED" | "template.PROCESSED" | "template.ERROR";
  version: string;
  folder_uuid: string | null;
  date_created: number;
  date_modified: number;
  content_date_modified: number;
  created_by: string;
  owner: string;
  metadata: Record<string, string>;
  tags: string[];
  roles: TemplateRole[];
  content_placeholders: { uuid: string; block_id: string; description: string }[];
  internal: {
    deleted_at: number | null;
    shared: boolean;
    language: string;
    approval: { steps: ApprovalStep[] } | null;
    payment: { provider: string; amount: string | null; currency: string } | null;
    /** The file of its pages, when it was made from one. */
    file_id: string | null;
    conversion: ConversionState;
  };
}

/** How the conversion of a template, a library item or a section stands. */
export interface ConversionState {
  /** What it reads; nothing when it is made without a file. */
  source: FileSource | null;
  /** Reads counted while the step goes on by number of polls. */
  polls: number;
  /** What a failed conversion said. */
  failure: { type: string; detail: string } | null;
}

/** A file kept here, or where to fetch it. */
export type FileSource = { kind: "upload"; file_id: string } | { kind: "url"; url: string };

/** Bytes kept for as long as something needs them. */
export interface FileRow extends Row {
  name: string;
  type: string;
  base64: string;
}

/** A signing session: its id opens the document as one recipient. */
export interface SessionRow extends Row {
  document_id: string;
  recipient_id: string;
  /** Of a group: who of it holds the session. */
  member_id?: string;
  expires_at: number;
  /** The code that was mailed or texted to verify its holder. */
  code?: string;
  /** Wrong codes of a text message that its holder entered. */
  wrong_codes?: number;
}

export interface AuditRow extends Row {
  document_id: string;
  action: number;
  at: number;
  user: { id: string; email: string };
  reason: string | null;
}

export type PayloadKind = "metadata" | "fields" | "products" | "tokens" | "pricing";

export interface SubscriptionRow extends Row {
  name: string;
  url: string;
  active: boolean;
  /** Switched off by the service: 410, or a week of failures. */
  deactivated: boolean;
  payload: PayloadKind[] | null;
  triggers: EventName[] | null;
  workspace_id: string;
  shared_key: string;
  /** The key before the last change. */
  old_key: string | null;
  date_created: number;
  internal: {
    /** Since when every delivery has failed, null while they succeed. */
    failing_since: number | null;
  };
}

export const tables = {
  ...engineTables,
  ...docxExportTables,
  workspaces: table<WorkspaceRow>()(),
  users: table<UserRow>()({ indexes: { email: (row) => row.email.toLowerCase() } }),
  members: table<MemberRow>()({ indexes: { workspace: (row) => row.workspace_id, user: (row) => row.user_id } }),
  api_keys: table<ApiKeyRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  oauth_clients: table<OAuthClientRow>()(),
  oauth_codes: table<OAuthCodeRow>()({ bound: { most: 10_000 } }),
  tokens: table<TokenRow>()({ bound: { most: 10_000 }, indexes: { refresh_token: (row) => row.refresh_token } }),
  folders: table<FolderRow>()({ indexes: { kind: (row) => row.kind, parent: (row) => `${row.kind}:${row.parent_uuid ?? ""}` } }),
  contacts: table<ContactRow>()({
    indexes: {
      workspace: (row) => row.workspace_id,
      email: (row) => row.email && `${row.workspace_id}:${row.email.toLowerCase()}`,
      phone: (row) => row.phone && `${row.workspace_id}:${row.phone}`,
    },
  }),
  templates: table<TemplateRow>()({ indexes: { folder: (row) => row.folder_uuid } }),
  documents: documentTable,
  files: table<FileRow>()(),
  ...catalogTables,
  ...contactGroupTables,
  ...notaryTables,
  ...contentLibraryTables,
  ...editingSessionTables,
  ...sectionTables,
  sessions: table<SessionRow>()({ bound: { most: 20_000 }, indexes: { document: (row) => row.document_id } }),
  audit: table<AuditRow>()({ indexes: { document: (row) => row.document_id } }),
  subscriptions: table<SubscriptionRow>()(),
  ...formTables,
  ...mailTables,
  ...reminderTables,
  ...attachmentTables,
  ...linkTables,
  ...structureTables,
  ...smsOptOutTables,
  ...emailOptOutTables,
  ...sessionTables,
};

export type DomainTables = typeof tables;
