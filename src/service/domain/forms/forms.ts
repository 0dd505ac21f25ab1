import { iso } from "../../../engine/core/clock.ts";
import { pageOf, sortBy } from "../../../engine/core/lists.ts";
import type { World } from "../../model/world.ts";
import type { FORM_ORDERS, FormsQuery } from "../../model/forms/inputs.ts";
import type { FormRow, FormStatus } from "../../model/forms/rows.ts";

/** assumed: forms.list. */
export function listForms(world: World, filter: FormsQuery): { forms: FormRow[]; hasNext: boolean } {
  const name = filter.name?.toLowerCase();
  const found = world.store.forms
    .where("workspace", world.caller.workspace_id)
    .filter(
      (row) =>
        (filter.status === undefined || filter.status.includes(row.status)) &&
        (name === undefined || row.name.toLowerCase().includes(name)),
    );
  const order = filter.order_by ?? "created_date";
  const sorted = sortBy(found, (row) => keyOf(row, order), filter.asc === false);
  return { forms: pageOf(sorted, filter), hasNext: found.length > filter.page * filter.count };
}

function keyOf(row: FormRow, order: (typeof FORM_ORDERS)[number]): string | number {
  if (order === "created_date") return row.date_created;
  return order === "modified_date" ? row.date_modified : row[order];
}

export function toForm(row: FormRow) {
  return {
    id: row.id,
    name: row.name,
    date_created: iso(row.date_created),
    date_modified: iso(row.date_modified),
    status: row.status.toUpperCase() as Uppercase<FormStatus>,
  };
}
