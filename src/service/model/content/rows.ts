import type { SandboxField } from "../shown-rows.ts";
import type { PricingTableRow, QuoteRow } from "../pricing/rows.ts";
import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

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

export type FieldValue = SandboxField["value"];

export interface FieldLayout {
  page: number;
  position: { offset_x: number; offset_y: number; anchor_point: "topleft" | "topright" | "bottomleft" | "bottomright" };
  style: { width: number; height: number };
}

export interface FieldRow extends SandboxField {
  type: FieldType;
  merge_field: string | null;
  settings: {
    required: boolean;
    masked?: boolean;
    multiline?: boolean;
    show_values?: boolean;
    /** A date that takes the day of signing. */
    autofilled?: boolean;
    /** The buttons of a radio group of a PDF, by option, in points from the top left corner of the page. */
    widgets?: { x: number; y: number; width: number; height: number }[];
    option_positions?: ({ offset_x: number; offset_y: number } | null)[];
  };
  options: string[];
  layout: FieldLayout;
  section_uuid: string | null;
}

export interface NamedText {
  name: string;
  data: string;
}

export interface NamedImage {
  name: string;
  urls: string[];
  block_uuid: string;
  /** The image of the first URL. Null after a failed fetch, undefined before the fetch. */
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

export interface Content {
  fields: FieldRow[];
  tokens: Token[];
  texts: NamedText[];
  images: NamedImage[];
  tables: NamedTable[];
  pricing_tables: PricingTableRow[];
  quotes: QuoteRow[];
  pages: ContentPage[];
}

/** Sizes are in points. `file` is the source of a page from a library item or a section. */
export interface ContentPage {
  width: number;
  height: number;
  name?: string;
  section?: string;
  text?: string;
  file?: { id: string; page: number };
  blocks?: BlockNames;
}

/** `quotes` holds ids. */
export interface BlockNames {
  texts: string[];
  images: string[];
  tables: string[];
  pricing_tables: string[];
  quotes: string[];
}

export interface ApprovalStep {
  id: string;
  approvers: { membership_id: string; is_selected: boolean; decision: "approved" | "rejected" | null; at: number | null }[];
  group: { id: string; type: "all" | "any" | "selectable" };
}

export interface Payment {
  provider: string;
  amount: string;
  currency: string;
  paid_at: number | null;
}

export interface ConversionState {
  source: FileSource | null;
  polls: number;
  failure: { type: string; detail: string } | null;
}

export type FileSource = { kind: "upload"; file_id: string } | { kind: "url"; url: string };

export interface FileRow extends Row {
  name: string;
  type: string;
  base64: string;
}

export const fileTables = {
  files: table<FileRow>()(),
};

export function isMarkField({ type }: Pick<FieldRow, "type">): boolean {
  return type === "signature" || type === "initials" || type === "stamp";
}

/** A field tag of a file that made no field. `type` is the word in the tag. */
export interface DroppedTag {
  id: string;
  type: string;
  role: string;
  cause: "undeclared" | "no_role" | "unknown_role";
}
