import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

export interface FolderRow extends Row {
  workspace_id: string;
  kind: "document" | "template";
  name: string;
  parent_uuid: string | null;
  date_created: number;
}

export const folderTables = {
  folders: table<FolderRow>()({ indexes: { kind: (row) => row.kind, parent: (row) => `${row.kind}:${row.parent_uuid ?? ""}` } }),
};
