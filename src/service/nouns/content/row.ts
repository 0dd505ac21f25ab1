import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import type { SandboxField } from "../../shown-rows.ts";
import type { PricingTableInput } from "../pricing/inputs.ts";
import type { PricingTableRow, QuoteRow } from "../pricing/row.ts";

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

export const tokens = lazy(() => z.array(z.object({ name: z.string(), value: z.string() })));

export const tags = lazy(() => z.array(z.string()));

export const metadata = lazy(() => z.record(z.string(), z.unknown()).nullish());

export const memberInput = lazy(() => z.object({ membership_id: z.string().optional(), email: z.string().optional() }));

/** assumed: fields.without_value. */
const fieldMembers = () => ({
  value: z.union([z.boolean(), z.string(), z.number()]).nullish(),
  role: z.string().optional(),
});

/** Values by field name. */
export const fieldValues = lazy(() => z.record(z.string(), z.object(fieldMembers())));

/** Source: an official example gives options to a dropdown that a field tag makes. assumed: field_tags.options. */
export const fileFieldValues = lazy(() =>
  z.record(z.string(), z.object({ ...fieldMembers(), options: z.array(z.string()).optional() })),
);

export const texts = lazy(() => z.array(z.object({ name: z.string(), data: z.string() })));

export const images = lazy(() => z.array(z.object({ name: z.string(), urls: z.array(z.string()) }).nullable()));

export const tables = lazy(() => {
  const span = () =>
    z
      .number()
      .int()
      .min(1)
      .nullish()
      .transform((cells) => cells ?? undefined);
  const cell = z.object({ text: z.string(), col_span: span(), row_span: span() });
  return z.array(
    z.object({
      name: z.string(),
      data: z.object({
        sections: z.array(z.object({ header: z.array(cell), rows: z.array(z.array(cell)) })),
      }),
    }),
  );
});

export type FieldInput = z.infer<ReturnType<typeof fileFieldValues>>[string];

export interface ContentInput {
  fields?: Record<string, FieldInput>;
  tokens?: z.infer<ReturnType<typeof tokens>>;
  texts?: z.infer<ReturnType<typeof texts>>;
  images?: z.infer<ReturnType<typeof images>>;
  tables?: z.infer<ReturnType<typeof tables>>;
  pricing_tables?: PricingTableInput[];
}

const ANCHORS = ["topleft", "topright", "bottomleft", "bottomright"] as const;

export const optionOffset = () => z.object({ offset_x: z.number().default(0), offset_y: z.number().default(0) });

export const fieldLayout = () =>
  z.object({
    page: z.number().int().min(0),
    position: z.object({ offset_x: z.number().min(0), offset_y: z.number().min(0), anchor_point: z.enum(ANCHORS) }),
    style: z.object({ width: z.number().int().min(0), height: z.number().int().min(0) }),
  });

export const createFieldsRequest = lazy(() =>
  z.object({
    fields: z.array(
      z.object({
        field_id: z.string().min(1).optional(),
        merge_field: z.string().optional(),
        type: z.enum(FIELD_TYPES),
        assigned_to: z.string().optional(),
        settings: z
          .object({
            required: z.boolean().optional(),
            placeholder: z.string().optional(),
            masked: z.boolean().optional(),
            multiline: z.boolean().optional(),
            show_values: z.boolean().optional(),
            autofilled: z.boolean().optional(),
            options: z.array(z.object({ text: z.string(), position: optionOffset().optional() })).optional(),
          })
          .optional(),
        layout: fieldLayout(),
      }),
    ),
  }),
);

export const assignFieldsRequest = lazy(() =>
  z.object({ fields: z.array(z.object({ field_id: z.guid(), assigned_to: z.string().nullable() })).min(1) }),
);

export type FieldCreate = z.infer<ReturnType<typeof createFieldsRequest>>["fields"][number];
export type FieldAssignment = z.infer<ReturnType<typeof assignFieldsRequest>>["fields"][number];
