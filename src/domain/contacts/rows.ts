import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

export interface ContactGroupRow extends Row {
  workspace_id: string;
  name: string;
  members: string[];
}

export const contactGroupTables = { contact_groups: table<ContactGroupRow>()() };

export interface ContactRow extends Row {
  workspace_id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  company: string | null;
  job_title: string | null;
  phone: string | null;
  country: string | null;
  state: string | null;
  street_address: string | null;
  city: string | null;
  postal_code: string | null;
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

export const contactTables = {
  contacts: table<ContactRow>()({
    indexes: {
      workspace: (row) => row.workspace_id,
      email: (row) => row.email && `${row.workspace_id}:${row.email.toLowerCase()}`,
      phone: (row) => row.phone && `${row.workspace_id}:${row.phone}`,
    },
  }),
};
