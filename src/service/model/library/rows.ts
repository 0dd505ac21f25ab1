import type { ConversionState } from "../content/rows.ts";
import type { ReusableRow } from "../templates/rows.ts";
import { table } from "../../../engine/store/collection.ts";

export interface LibraryItemRow extends ReusableRow {
  status: "cli.UPLOADED" | "cli.PROCESSED" | "cli.ERROR";
  internal: { deleted_at: number | null; file_id: string | null; conversion: ConversionState };
}

export const contentLibraryTables = {
  library_items: table<LibraryItemRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};
