import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

export const FORM_STATUSES = ["draft", "active", "disabled"] as const;

export type FormStatus = (typeof FORM_STATUSES)[number];

export interface FormRow extends Row {
  workspace_id: string;
  name: string;
  status: FormStatus;
  responses: number;
  template_id: string | null;
  role: string | null;
  date_created: number;
  date_modified: number;
}

export const formTables = {
  forms: table<FormRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};
