/** Forms. The service creates them in its own pages, so here they come from fixtures. */
import { iso } from "../../core/clock.ts";
import { parseDuration } from "../../core/time-limits.ts";
import { compareText } from "../../core/text.ts";
import type { World } from "../world.ts";
import type { FORM_ORDERS, FormsQuery } from "./inputs.ts";
import type { FormRow, FormStatus } from "./rows.ts";

export interface FormFixture {
  id?: string;
  name: string;
  status?: FormStatus;
  responses?: number;
  /** Id or name of a template. A form without a template accepts no submissions. */
  template?: string;
  /** Role of the submitter. Default: the template's first role. */
  role?: string;
  /** Age of the form at the start of the clock, such as `30d`. */
  created_ago?: string;
  modified_ago?: string;
}

/** Seeds a form. Returns the template or role that is missing, else undefined. */
export function seedForm(world: World, one: FormFixture, workspace_id: string): string | undefined {
  const created = one.created_ago ?? "0s";
  const before = (ago: string) => world.clock.before(parseDuration(ago) ?? 0);
  const template = world.store.templates
    .all()
    .find((row) => row.workspace_id === workspace_id && [row.id, row.name].includes(one.template ?? ""));
  if (one.template !== undefined && !template) return `template ${one.template}`;
  const roles = [...(template?.roles ?? [])].sort((a, b) => (a.signing_order ?? 0) - (b.signing_order ?? 0));
  const role = one.role === undefined ? roles[0] : roles.find((each) => each.name === one.role);
  if (one.role !== undefined && !role) return `role ${one.role} in its template`;
  world.store.forms.put({
    id: one.id ?? world.ids.uuid(),
    workspace_id,
    name: one.name,
    status: one.status ?? "draft",
    responses: one.responses ?? 0,
    template_id: template?.id ?? null,
    role: role?.name ?? null,
    date_created: before(created),
    date_modified: before(one.modified_ago ?? created),
  });
  return undefined;
}

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
