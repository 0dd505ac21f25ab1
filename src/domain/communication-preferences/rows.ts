/** Addresses and phone numbers that opted out. */
import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

/** One change of mind of one number. */
export interface SmsOptOutRow extends Row {
  workspace_id: string;
  phone_number: string;
  status: "opt-in" | "opt-out";
  changed_at: number;
}

export const smsOptOutTables = {
  sms_opt_outs: table<SmsOptOutRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};

/** The id is the address, in lower case. A tenant is one organization. */
export interface EmailOptOutRow extends Row {
  changed_at: number;
}

export const emailOptOutTables = { email_opt_outs: table<EmailOptOutRow>()() };
