import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

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
