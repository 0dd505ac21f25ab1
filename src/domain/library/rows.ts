import type { Row } from "../../store/row.ts";
import type { Content, ConversionState } from "../content/rows.ts";
import type { TemplateRole } from "../templates/rows.ts";
import { table } from "../../store/collection.ts";

export interface LibraryItemRow extends Row, Content {
  workspace_id: string;
  name: string;
  status: "cli.UPLOADED" | "cli.PROCESSED" | "cli.ERROR";
  version: string;
  folder_uuid: string | null;
  date_created: number;
  date_modified: number;
  content_date_modified: number;
  created_by: string;
  metadata: Record<string, string>;
  tags: string[];
  roles: TemplateRole[];
  content_placeholders: { uuid: string; block_id: string; description: string }[];
  internal: { deleted_at: number | null; file_id: string | null; conversion: ConversionState };
}

export const contentLibraryTables = {
  library_items: table<LibraryItemRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};
