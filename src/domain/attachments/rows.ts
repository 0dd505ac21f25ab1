import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

export interface AttachmentRow extends Row {
  document_id: string;
  name: string;
  created_by: string;
  date_created: number;
  file_id: string | null;
  source: string | null;
  failure: string | null;
}

export const attachmentTables = {
  attachments: table<AttachmentRow>()({ indexes: { document: (row) => row.document_id } }),
};
