/** What a document, a template and a library item are made of: fields, recipients, pricing, text. Kept inside their rows. */
import type { PricingTableRow, QuoteRow } from "../pricing/rows.ts";
import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

export const FIELD_TYPES = [
  "checkbox",
  "collect_file",
  "date",
  "dropdown",
  "initials",
  "payment_details",
  "radio_buttons",
  "signature",
  "stamp",
  "text",
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

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

export const fileTables = {
  files: table<FileRow>()(),
};

/** Whether a field is drawn by hand: a signature, initials or a stamp. */
export function isDrawnField({ type }: Pick<FieldRow, "type">): boolean {
  return type === "signature" || type === "initials" || type === "stamp";
}
