import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

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
