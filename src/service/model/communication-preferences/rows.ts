import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

export interface SmsOptOutRow extends Row {
  workspace_id: string;
  phone_number: string;
  status: "opt-in" | "opt-out";
  changed_at: number;
}

/** The id is the address, in lower case. Opt-outs hold in every workspace. */
export interface EmailOptOutRow extends Row {
  changed_at: number;
}

export const optOutTables = {
  sms_opt_outs: table<SmsOptOutRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  email_opt_outs: table<EmailOptOutRow>()(),
};
