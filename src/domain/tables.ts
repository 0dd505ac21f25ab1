/**
 * What the workspace holds. Rows keep the service's own names and shapes for what it shows; instants are epoch
 * milliseconds. What the service never shows sits under `internal`.
 */
import type { Lock } from "../core/errors.ts";
import { engineTables } from "../engine/tables.ts";
import { formTables } from "./forms.ts";
import { mailTables } from "./mails.ts";
import { smsOptOutTables } from "./sms-opt-outs.ts";
import { type Row, table } from "../store/collection.ts";
import { documentTable } from "./document-index.ts";
import type { DocumentStatus, EventName } from "./document-machine.ts";
import { contentLibraryTables } from "./content-library.ts";
import { editingSessionTables } from "./editing-sessions.ts";
import type { QuoteRow } from "./quotes.ts";
import { sectionTables } from "./sections.ts";

export type Environment = "production" | "sandbox";

export interface WorkspaceRow extends Row {
  name: string;
  date_created: number;
  active: boolean;
  /** Who made it; null when it came from fixtures. */
  owner_user_id: string | null;
  /** The plan's settings that endpoints depend on. */
  settings: {
    esign_disclosure: { company_name: string; esign_disclosure_text: string } | null;
    notary: boolean;
    trial: boolean;
    currency: string;
    allow_join_by_domain: boolean;
    allow_request_access: boolean;
    icon_url: string | null;
    /** Roles beside the four that every workspace has. */
    custom_roles: string[];
  };
}

export interface UserRow extends Row {
  email: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  avatar: string | null;
  license: "Full" | "eSign" | "Read-only" | "Creator" | "Guest";
  is_organization_owner: boolean;
  /** May manage users and workspaces beside the owner. The service never shows it. */
  is_organization_admin: boolean;
  removed: boolean;
  date_created: number;
}

/** A user's seat in a workspace. */
export interface MemberRow extends Row {
  user_id: string;
  workspace_id: string;
  role: string;
  /** Not blocked. */
  is_active: boolean;
  /** Taken out of the workspace; what they did keeps their name. */
  removed: boolean;
  date_created: number;
  date_modified: number;
}

export interface ApiKeyRow extends Row {
  membership_id: string;
  workspace_id: string;
  environment: Environment;
  revoked: boolean;
}

export interface OAuthClientRow extends Row {
  client_secret: string;
  name: string;
  /** Exact URIs, or `loopback` for any on this machine. */
  redirect_uris: string[];
  membership_id: string;
}

export interface OAuthCodeRow extends Row {
  client_id: string;
  membership_id: string;
  scope: string;
  expires_at: number;
  used: boolean;
}

export interface TokenRow extends Row {
  /** Null for a member token, which cannot be refreshed. */
  refresh_token: string | null;
  /** Null for a member token, which no application asked for. */
  client_id: string | null;
  membership_id: string;
  scope: string;
  expires_at: number;
  /** Replaced by a refresh, or taken back. */
  revoked: boolean;
}

export interface FolderRow extends Row {
  workspace_id: string;
  kind: "document" | "template";
  name: string;
  parent_uuid: string | null;
  date_created: number;
}

export interface ContactRow extends Row {
  workspace_id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  company: string | null;
  job_title: string | null;
  phone: string | null;
  country: string | null;
  state: string | null;
  street_address: string | null;
  city: string | null;
  postal_code: string | null;
}

export type FieldType =
  | "checkbox"
  | "collect_file"
  | "date"
  | "dropdown"
  | "initials"
  | "payment_details"
  | "radio_buttons"
  | "signature"
  | "stamp"
  | "text";

export type FieldValue = string | boolean | number | { [key: string]: unknown } | null;

export interface FieldLayout {
  page: number;
  position: { offset_x: number; offset_y: number; anchor_point: "topleft" | "topright" | "bottomleft" | "bottomright" };
  style: { width: number; height: number };
}

export interface FieldRow {
  uuid: string;
  field_id: string;
  name: string;
  title: string;
  placeholder: string;
  type: FieldType;
  merge_field: string | null;
  value: FieldValue;
  /** A recipient of the document; in a template none, its `role` says who. */
  recipient_id: string | null;
  role: string | null;
  settings: {
    required: boolean;
    masked?: boolean;
    multiline?: boolean;
    show_values?: boolean;
    /** Where each option stands, relative to the field. */
    option_positions?: ({ offset_x: number; offset_y: number } | null)[];
  };
  options: string[];
  layout: FieldLayout;
  section_uuid: string | null;
}

export interface DeliveryMethods {
  email: boolean;
  sms: boolean;
}

export interface Redirect {
  is_enabled: boolean;
  url: string | null;
}

export interface VerificationSettings {
  verification_place: "before_open" | "before_sign";
  passcode_verification: { passcode: string } | null;
  phone_verification: { phone_number: string } | null;
  kba_verification: { time_limit_sec?: number; score_threshold?: number; max_attempts_count?: number } | null;
  id_verification: { enabled: boolean } | null;
  email_otp_verification: { email: string } | null;
}

export interface GroupMember {
  id: string;
  email: string | null;
  phone: string | null;
  first_name: string;
  last_name: string;
  link_token: string;
  signature_date: number | null;
}

export interface RecipientRow {
  id: string;
  type: "recipient" | "recipient_group";
  recipient_type: "signer" | "CC" | "approver";
  email: string | null;
  phone: string | null;
  first_name: string;
  last_name: string;
  /** Of a group. */
  name: string | null;
  members: GroupMember[];
  role: string;
  roles: string[];
  signing_order: number | null;
  delivery_methods: DeliveryMethods;
  redirect: Redirect;
  verification_settings: VerificationSettings | null;
  contact_id: string;
  has_completed: boolean;
  signature_date: number | null;
  avatar: string | null;
  internal: {
    /** 40 hexadecimal digits of the shared link. */
    link_token: string;
    viewed_at: number | null;
    /** The person passed the check that `verification_settings` asks for. */
    verified: boolean;
    /** May act now, as the signing order goes. */
    notified_at: number | null;
  };
}

export interface Adjustment {
  type: "percent" | "absolute";
  value: string;
  name?: string;
}

export interface PricingItem {
  id: string;
  sku: string;
  name: string;
  description: string;
  /** Decimal texts. */
  qty: string;
  price: string;
  cost: string;
  discount: Adjustment | null;
  tax_first: Adjustment | null;
  tax_second: Adjustment | null;
  taxes: Record<string, Adjustment>;
  discounts: Record<string, Adjustment>;
  fees: Record<string, Adjustment>;
  options: {
    optional: boolean;
    optional_selected: boolean;
    multichoice_enabled: boolean;
    multichoice_selected: boolean;
    qty_editable: boolean;
  };
  custom_fields: Record<string, unknown>;
  custom_columns: Record<string, unknown>;
  merged_data: Record<string, string>;
}

export interface PricingTableRow {
  id: string;
  name: string;
  currency: string;
  is_included_in_total: boolean;
  /** "Automatically add products to this table" of the template: without it created rows are ignored. */
  accepts_rows: boolean;
  /** On the whole table. */
  discount: Adjustment | null;
  tax: Adjustment | null;
  fee: Adjustment | null;
  items: PricingItem[];
}

export interface NamedText {
  name: string;
  /** Markdown. */
  data: string;
}

export interface NamedImage {
  name: string;
  urls: string[];
  block_uuid: string;
}

export interface NamedTable {
  name: string;
  data: { sections: { header: TableCell[]; rows: TableCell[][] }[] };
}

export interface TableCell {
  text: string;
  col_span?: number;
  row_span?: number;
}

export interface Token {
  name: string;
  value: string;
}

/** What a document, a template and a content library item have in common. */
export interface Content {
  fields: FieldRow[];
  tokens: Token[];
  texts: NamedText[];
  images: NamedImage[];
  tables: NamedTable[];
  pricing_tables: PricingTableRow[];
  quotes: QuoteRow[];
  /** Its pages: how many and how large, in points. */
  pages: { width: number; height: number; name?: string; section?: string }[];
}

export interface ApprovalStep {
  id: string;
  /** Members who must approve; of a selectable group those that were selected. */
  approvers: { membership_id: string; is_selected: boolean; decision: "approved" | "rejected" | null; at: number | null }[];
  group: { id: string; type: "all" | "any" | "selectable" };
}

export interface Payment {
  provider: string;
  amount: string;
  currency: string;
  paid_at: number | null;
}

/** How a document came to be; what the conversion needs. */
export type DocumentSource =
  | { kind: "template"; template_id: string; file_id: string | null }
  | {
      kind: "upload";
      file_id: string;
      /** The text of its pages, once it is read. */
      page_texts?: string[];
      parse_form_fields: boolean | null;
      use_properties: boolean;
      fields: Record<string, FieldInput>;
    }
  | {
      kind: "url";
      url: string;
      /** What was fetched, once it is. */
      file_id?: string;
      page_texts?: string[];
      parse_form_fields: boolean | null;
      use_properties: boolean;
      fields: Record<string, FieldInput>;
    }
  | { kind: "markdown"; file_id: string };

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
  expires_at: number;
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
  workspaces: table<WorkspaceRow>()(),
  users: table<UserRow>()({ indexes: { email: (row) => row.email.toLowerCase() } }),
  members: table<MemberRow>()({ indexes: { workspace: (row) => row.workspace_id, user: (row) => row.user_id } }),
  api_keys: table<ApiKeyRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  oauth_clients: table<OAuthClientRow>()(),
  oauth_codes: table<OAuthCodeRow>()(),
  tokens: table<TokenRow>()({ indexes: { refresh_token: (row) => row.refresh_token } }),
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
  ...contentLibraryTables,
  ...sectionTables,
  ...editingSessionTables,
  sessions: table<SessionRow>()({ indexes: { document: (row) => row.document_id } }),
  audit: table<AuditRow>()({ indexes: { document: (row) => row.document_id } }),
  subscriptions: table<SubscriptionRow>()(),
  ...formTables,
  ...mailTables,
  ...smsOptOutTables,
};

export type DomainTables = typeof tables;
