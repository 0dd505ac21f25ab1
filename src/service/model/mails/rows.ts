import type { MailKind } from "./kinds.ts";
import type { Email } from "../shown-rows.ts";
import type { Origin } from "../../../engine/jobs/rows.ts";
import { table } from "../../../engine/store/collection.ts";

export interface EmailRow extends Email {
  kind: MailKind;
  origin: Origin;
}

export const mailTables = {
  emails: table<EmailRow>()({ bound: { maxRows: 10_000 }, indexes: { document: (row) => row.document_id } }),
};
