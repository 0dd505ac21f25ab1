/** Files attached to documents. */
import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

export interface AttachmentRow extends Row {
  document_id: string;
  name: string;
  created_by: string;
  date_created: number;
  /** The bytes; none while they are fetched from where they come from, or when they could not be. */
  file_id: string | null;
  source: string | null;
  /** Why the source gave nothing. */
  failure: string | null;
}

export const attachmentTables = {
  attachments: table<AttachmentRow>()({ indexes: { document: (row) => row.document_id } }),
};
