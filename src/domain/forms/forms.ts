/** Forms: the service makes them in its own pages, so here they come from fixtures alone. `form-submissions.ts` fills them in. */
import { iso } from "../../core/clock.ts";
import { parseDuration } from "../../core/time-limits.ts";
import { compareText } from "../../core/text.ts";
import type { World } from "../world.ts";
import type { FormRow, FormStatus } from "./rows.ts";

export interface FormFixture {
  id?: string;
  name: string;
  status?: FormStatus;
  responses?: number;
  /** A template's id or name. Without one the form cannot be filled in. */
  template?: string;
  /** The role of who fills it in; default the template's first one. */
  role?: string;
  /** How long before the start of the clock: `30d`. */
  created_ago?: string;
  modified_ago?: string;
}

/** Plants it, and returns what it names that is not there. */
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

export const FORM_ORDERS = ["name", "responses", "status", "created_date", "modified_date"] as const;

export interface FormFilter {
  status?: FormStatus[];
  name?: string;
  order_by?: (typeof FORM_ORDERS)[number];
  asc?: boolean;
  count: number;
  page: number;
}

/** assumed: without `order_by` by creation, without `asc` ascending; `name` is a part of the name in any case of letters. */
export function listForms(world: World, filter: FormFilter): { forms: FormRow[]; hasNext: boolean } {
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

/** The filter takes the status in lower case, the answer has it in upper case. */
export function toForm(row: FormRow) {
  return {
    id: row.id,
    name: row.name,
    date_created: iso(row.date_created),
    date_modified: iso(row.date_modified),
    status: row.status.toUpperCase() as Uppercase<FormStatus>,
  };
}
