/** Lists of documents: filter by index first, then by the rest, then order, then the page. */
import { compareText } from "../core/text.ts";
import { type DocumentStatus, statusOf } from "./document-machine.ts";
import type { DocumentRow } from "./tables.ts";
import type { World } from "./world.ts";

export const ORDER_FIELDS = [
  "name",
  "date_created",
  "date_status_changed",
  "date_of_last_action",
  "date_modified",
  "date_sent",
  "date_completed",
  "date_expiration",
  "date_declined",
  "status",
] as const;

export type OrderField = (typeof ORDER_FIELDS)[number];

export interface DocumentFilter {
  q?: string | undefined;
  status?: number | undefined;
  status__ne?: number | undefined;
  template_id?: string | undefined;
  form_id?: string | undefined;
  folder_uuid?: string | undefined;
  membership_id?: string | undefined;
  contact_id?: string | undefined;
  id?: string | undefined;
  tag?: string | undefined;
  metadata?: readonly (readonly [string, string])[] | undefined;
  deleted?: boolean | undefined;
  created_from?: number | undefined;
  created_to?: number | undefined;
  completed_from?: number | undefined;
  completed_to?: number | undefined;
  modified_from?: number | undefined;
  modified_to?: number | undefined;
  order_by: OrderField | `-${OrderField}`;
  count: number;
  page: number;
}

/** The page of documents that the filter asks for. */
export function listDocuments(world: World, filter: DocumentFilter): DocumentRow[] {
  const tests: Test[] = [(row) => row.workspace_id === world.caller.workspace_id, ...testsOf(filter)];
  const found = candidates(world, filter).filter((row) => tests.every((test) => test(row)));
  const isDescending = filter.order_by.startsWith("-");
  const field = filter.order_by.replace("-", "") as OrderField;
  const direction = isDescending ? -1 : 1;
  // Equal keys keep one order, whatever the direction: by creation, then by id.
  found.sort(
    (a, b) => compare(keyOf(a, field), keyOf(b, field), direction) || a.date_created - b.date_created || compareText(a.id, b.id),
  );
  return found.slice((filter.page - 1) * filter.count, filter.page * filter.count);
}

/** The smallest set that an index gives. */
function candidates(world: World, filter: DocumentFilter): DocumentRow[] {
  const { documents } = world.store;
  if (filter.id !== undefined) {
    const row = documents.get(filter.id);
    return row ? [row] : [];
  }
  const status = filter.status === undefined ? undefined : statusOf(filter.status);
  const sets: [Parameters<typeof documents.where>[0], string][] = [
    ["life", `${world.caller.workspace_id}:${filter.deleted ? "deleted" : "live"}`],
  ];
  if (status) sets.push(["status", status]);
  if (filter.template_id !== undefined) sets.push(["template", filter.template_id]);
  if (filter.folder_uuid !== undefined) sets.push(["folder", filter.folder_uuid]);
  if (filter.membership_id !== undefined) sets.push(["owner", filter.membership_id]);
  sets.sort((a, b) => documents.keys(...a).size - documents.keys(...b).size);
  return documents.where(...(sets[0] as (typeof sets)[number]));
}

type Test = (row: DocumentRow) => boolean;

function testsOf(filter: DocumentFilter): Test[] {
  const tests: Test[] = [(row) => (row.internal.deleted_at !== null) === (filter.deleted ?? false)];
  const add = <V>(value: V | undefined, test: (row: DocumentRow, value: V) => boolean) => {
    if (value !== undefined) tests.push((row) => test(row, value));
  };
  const status = (code: number | undefined): DocumentStatus | undefined => (code === undefined ? undefined : statusOf(code));
  add(status(filter.status), (row, wanted) => row.status === wanted);
  add(status(filter.status__ne), (row, unwanted) => row.status !== unwanted);
  add(filter.template_id, (row, id) => row.template?.id === id);
  add(filter.form_id, (row, id) => row.form_id === id);
  add(filter.folder_uuid, (row, id) => row.folder_uuid === id);
  add(filter.membership_id, (row, id) => row.owner === id);
  add(filter.contact_id, (row, id) => row.recipients.some((recipient) => recipient.contact_id === id));
  add(filter.tag, (row, tag) => row.tags.includes(tag));
  // assumed: a part of the name or of the reference number, in any case of letters.
  add(filter.q?.toLowerCase(), (row, q) => row.name.toLowerCase().includes(q) || row.ref_number.toLowerCase().includes(q));
  add(filter.metadata, (row, pairs) => pairs.every(([key, value]) => row.metadata[key] === value));
  // spec: from is included, to is not.
  add(filter.created_from, (row, from) => row.date_created >= from);
  add(filter.created_to, (row, to) => row.date_created < to);
  add(filter.completed_from, (row, from) => row.date_completed !== null && row.date_completed >= from);
  add(filter.completed_to, (row, to) => row.date_completed !== null && row.date_completed < to);
  add(filter.modified_from, (row, from) => row.date_modified >= from);
  add(filter.modified_to, (row, to) => row.date_modified < to);
  return tests;
}

function keyOf(row: DocumentRow, field: OrderField): string | number | null {
  if (field === "date_expiration") return row.expiration_date;
  return row[field];
}

/** assumed: what has no value comes last in both directions, so that the newest of `-date_completed` is the first. */
function compare(a: string | number | null, b: string | number | null, direction: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return direction * (typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b)));
}
