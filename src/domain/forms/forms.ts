/** Forms. The service creates them in its own pages, so here they come from fixtures. */
import { iso } from "../../core/clock.ts";
import { compareText } from "../../core/text.ts";
import type { World } from "../world.ts";
import type { FORM_ORDERS, FormsQuery } from "./inputs.ts";
import type { FormRow, FormStatus } from "./rows.ts";

/** assumed: the default order is by creation, ascending; `name` is a part of the name in any letter case. */
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
  const direction = filter.asc === false ? -1 : 1;
  found.sort((a, b) => direction * compare(keyOf(a, order), keyOf(b, order)) || compareText(a.id, b.id));
  const end = filter.page * filter.count;
  return { forms: found.slice(end - filter.count, end), hasNext: found.length > end };
}

function keyOf(row: FormRow, order: (typeof FORM_ORDERS)[number]): string | number {
  if (order === "created_date") return row.date_created;
  return order === "modified_date" ? row.date_modified : row[order];
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}

/** The filter has the status in lower case, the answer in upper case. */
export function toForm(row: FormRow) {
  return {
    id: row.id,
    name: row.name,
    date_created: iso(row.date_created),
    date_modified: iso(row.date_modified),
    status: row.status.toUpperCase() as Uppercase<FormStatus>,
  };
}
