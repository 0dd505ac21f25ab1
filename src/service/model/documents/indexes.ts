import { table } from "../../../engine/store/collection.ts";
import type { DocumentRow } from "./document.ts";

export const documentOrders = {
  name: (row: DocumentRow) => [row.name, row.date_created],
  date_created: (row: DocumentRow) => [row.date_created],
  date_status_changed: (row: DocumentRow) => [row.date_status_changed, row.date_created],
  date_of_last_action: (row: DocumentRow) => [row.date_of_last_action, row.date_created],
  date_modified: (row: DocumentRow) => [row.date_modified, row.date_created],
  date_sent: (row: DocumentRow) => [row.date_sent, row.date_created],
  date_completed: (row: DocumentRow) => [row.date_completed, row.date_created],
  date_expiration: (row: DocumentRow) => [row.expiration_date, row.date_created],
  date_declined: (row: DocumentRow) => [row.date_declined, row.date_created],
  status: (row: DocumentRow) => [row.status, row.date_created],
};

export const documentTable = table<DocumentRow>()({
  versions: ["history"],
  indexes: {
    life: documentScope,
    status: (row) => `${documentScope(row)}:${row.status}`,
    template: (row) => row.template && `${documentScope(row)}:${row.template.id}`,
    form: (row) => row.form_id && `${documentScope(row)}:${row.form_id}`,
    folder: (row) => row.folder_uuid && `${documentScope(row)}:${row.folder_uuid}`,
    owner: (row) => `${documentScope(row)}:${row.owner}`,
    tag: (row) => row.tags.map((tag) => `${documentScope(row)}:${tag}`),
    metadata: (row) => Object.entries(row.metadata).map(([key, value]) => `${documentScope(row)}:${metadataKey(key, value)}`),
    contact: (row) => row.recipients.map((recipient) => `${documentScope(row)}:${recipient.contact_id}`),
    approver: (row) =>
      (row.internal.approval?.steps ?? []).flatMap((step) =>
        step.approvers.map((approver) => `${documentScope(row)}:${approver.membership_id}`),
      ),
    link: (row) => row.recipients.flatMap((one) => [one.internal.link_token, ...one.members.map((member) => member.link_token)]),
  },
  orders: documentOrders,
  text: (row) => `${row.name}\u0000${row.ref_number}`.toLowerCase(),
});

export type DocumentIndex = keyof typeof documentTable.indexes;

export function metadataKey(key: string, value: string): string {
  return `${key}\u0000${value}`;
}

export function documentScope(
  row: Pick<DocumentRow, "workspace_id"> & { internal: Pick<DocumentRow["internal"], "deleted_at"> },
): string {
  return `${row.workspace_id}:${row.internal.deleted_at === null ? "live" : "deleted"}`;
}
