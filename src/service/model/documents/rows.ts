import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";
import type { BlockNames, ConversionState } from "../content/rows.ts";
import type { SectionInput } from "./inputs.ts";
import type { Words } from "../../files/block-input.ts";

export interface NamedItemRow extends Row {
  document_id: string;
  name: string;
  level: number;
  page_name: string;
  page_uuid: string;
}

/** An added section. The first section has the id of the document, and no row until it is deleted. */
export interface SectionRow extends Row {
  document_id: string;
  name: string;
  date_created: number;
  deleted: boolean;
  blocks: BlockNames;
}

export interface SectionUploadRow extends Row {
  document_id: string;
  name: string | null;
  status: "document_sections_upload.UPLOADED" | "document_sections_upload.PROCESSED" | "document_sections_upload.ERROR";
  date_created: number;
  date_modified: number;
  date_completed: number | null;
  section_ids: string[];
  merge_field_scope: "document" | "upload";
  template_id: string | null;
  file_name: string | null;
  request: Required<Pick<SectionInput, "recipients" | "tokens" | "tags" | "fields" | "pricing_tables" | "parse_form_fields">> &
    Pick<SectionInput, "content_placeholders"> & { parse_text_tags: boolean };
  conversion: ConversionState;
}

export interface DocxExportRow extends Row {
  workspace_id: string;
  document_id: string;
  status: "created" | "processing" | "done" | "error";
}

export interface DocxFileRow extends Row {
  task_id: string;
  title: string;
  blocks: Words[];
  date: number;
}

export const documentPartTables = {
  named_items: table<NamedItemRow>()({ indexes: { document: (row) => row.document_id } }),
  sections: table<SectionRow>()({ indexes: { document: (row) => row.document_id } }),
  section_uploads: table<SectionUploadRow>()({ indexes: { document: (row) => row.document_id } }),
  docx_exports: table<DocxExportRow>()({
    bound: { maxRows: 1000, isEvictable: (row) => row.status === "done" || row.status === "error" },
  }),
  docx_files: table<DocxFileRow>()({ bound: { maxRows: 1000 }, indexes: { task: (row) => row.task_id } }),
};
