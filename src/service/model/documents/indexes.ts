import { table } from "../../../engine/store/collection.ts";
import type { DocumentRow } from "./document.ts";

export const documentTable = table<DocumentRow>()({
  versions: true,
  indexes: {
    life: documentScope,
    folder: (row) => row.folder_uuid && `${documentScope(row)}:${row.folder_uuid}`,
    owner: (row) => `${documentScope(row)}:${row.owner}`,
    link: (row) => row.recipients.flatMap((one) => [one.internal.link_token, ...one.members.map((member) => member.link_token)]),
  },
});

export function documentScope(
  row: Pick<DocumentRow, "workspace_id"> & { internal: Pick<DocumentRow["internal"], "deleted_at"> },
): string {
  return `${row.workspace_id}:${row.internal.deleted_at === null ? "live" : "deleted"}`;
}
