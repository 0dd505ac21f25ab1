import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

export interface ContactGroupRow extends Row {
  workspace_id: string;
  name: string;
  members: string[];
}

export const EMPTY_CONTACT = {
  email: null,
  first_name: null,
  last_name: null,
  company: null,
  job_title: null,
  phone: null,
  country: null,
  state: null,
  street_address: null,
  city: null,
  postal_code: null,
};

export type ContactRow = Row & { workspace_id: string } & { [Detail in keyof typeof EMPTY_CONTACT]: string | null } & {
  /** How recipients with this contact are reached by default. Only fixtures set it. */
  delivery_methods?: { email: boolean; sms: boolean };
};

export const contactTables = {
  contact_groups: table<ContactGroupRow>()(),
  contacts: table<ContactRow>()({
    indexes: {
      workspace: (row) => row.workspace_id,
      email: (row) => row.email && `${row.workspace_id}:${row.email.toLowerCase()}`,
      phone: (row) => row.phone && `${row.workspace_id}:${row.phone}`,
    },
  }),
};
