/** What a document, a template and a library item are made of: fields, recipients, pricing, text. Kept inside their rows. */
import type { QuoteRow } from "../pricing/quotes.ts";

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
  /** Absent in rows of older data files. */
  viewed_at?: number | null;
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

/** Tax, fee and discount are objects, other columns texts. */
export type MergedValue = string | { value: string; type: string };

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
  /** By merge name. */
  merged_data: Record<string, MergedValue>;
}

export interface PricingTableRow {
  id: string;
  name: string;
  currency: string;
  is_included_in_total: boolean;
  /** "Automatically add products to this table" of the template: without it created rows are ignored. */
  accepts_rows: boolean;
  /** By column the name that rows with `data_merge` use, where it is not the usual one. */
  merge_names?: Record<string, string>;
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
  /** What the first address led to, kept; null when there was no image. Nothing while nobody has tried. */
  file_id?: string | null;
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
  pages: ContentPage[];
}

export interface ContentPage {
  width: number;
  height: number;
  name?: string;
  section?: string;
  /** What it says, as it stands in its file. */
  text?: string;
  /** Of what was added, a library item or a section: the file that it was made from, and which page of it this is. */
  file?: { id: string; page: number; had_tags?: boolean };
  /** What came along with it, where it begins. */
  blocks?: BlockNames;
}

/** Blocks by their names in the document; quotes by id. */
export interface BlockNames {
  texts: string[];
  images: string[];
  tables: string[];
  pricing_tables: string[];
  quotes: string[];
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
