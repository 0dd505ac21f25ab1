/**
 * Lists of documents. What an index narrows down to a few rows is filtered and sorted; anything larger is read off a list
 * that is kept in order, until the page is full. assumed: descending is the exact reverse of ascending, with equal keys too.
 */
import { firstSorted, inOrder } from "../store/ordered.ts";
import { documentOrders, documentScope } from "./document-index.ts";
import { type DocumentStatus, statusOf } from "./document-machine.ts";
import type { DocumentRow } from "./tables.ts";
import type { World } from "./world.ts";

export const ORDER_FIELDS = Object.keys(documentOrders) as OrderField[];

export type OrderField = keyof typeof documentOrders;

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

/** The page of documents that the filter asks for, at a cost that depends on the page and not on how many documents there are. */
export function listDocuments(world: World, filter: DocumentFilter): DocumentRow[] {
  const scope = `${world.caller.workspace_id}:${filter.deleted ? "deleted" : "live"}`;
  const passesOf = (rest: DocumentFilter) => {
    const tests = testsOf(rest);
    return (row: DocumentRow) => tests.every((test) => test(row));
  };
  const first = (filter.page - 1) * filter.count;
  if (filter.id !== undefined) {
    const row = world.store.documents.get(filter.id);
    return row && documentScope(row) === scope && passesOf(filter)(row) && first === 0 ? [row] : [];
  }
  const isDescending = filter.order_by.startsWith("-");
  const order = filter.order_by.replace("-", "") as OrderField;
  const few = fewCandidates(world, filter, scope, order);
  if (few) {
    return firstSorted(few.rows.filter(passesOf(few.rest)), documentOrders[order], first + filter.count, isDescending).slice(
      first,
    );
  }
  const { rows, start, end } = stretch(world, filter, scope, order);
  const passes = passesOf(filter);
  const page: DocumentRow[] = [];
  let skipped = 0;
  for (const row of inOrder(rows, documentOrders[order], start, end, isDescending)) {
    if (page.length === filter.count) break;
    if (!passes(row)) continue;
    if (skipped < first) skipped++;
    else page.push(row);
  }
  return page;
}

/** So many rows are sorted as quickly as a kept list is searched. */
const FEW = 200;

type Place = readonly [
  index: "life" | "status" | "template" | "form" | "folder" | "owner" | "tag" | "metadata" | "contact",
  key: string,
];

/** Where an index files what the filter asks for, the smallest set first. */
function placesOf(world: World, filter: DocumentFilter, scope: string): Place[] {
  const places: Place[] = [["life", scope]];
  const add = (index: Place[0], value: string | undefined) => {
    if (value !== undefined) places.push([index, `${scope}:${value}`]);
  };
  add("status", filter.status === undefined ? undefined : statusOf(filter.status));
  add("template", filter.template_id);
  add("form", filter.form_id);
  add("folder", filter.folder_uuid);
  add("owner", filter.membership_id);
  add("contact", filter.contact_id);
  add("tag", filter.tag);
  for (const [key, value] of filter.metadata ?? []) add("metadata", `${key}=${value}`);
  const sizes = new Map(places.map((place) => [place, world.store.documents.keys(...place).size]));
  return places.sort((a, b) => (sizes.get(a) as number) - (sizes.get(b) as number));
}

const RANGES = [
  ["date_created", "created_from", "created_to"],
  ["date_completed", "completed_from", "completed_to"],
  ["date_modified", "modified_from", "modified_to"],
] as const;

/** Rows to be looked at one by one, and what is still to be asked of them. */
interface Candidates {
  rows: readonly DocumentRow[];
  rest: DocumentFilter;
}

/** The rows among which all that match must be, when they are few enough. */
function fewCandidates(world: World, filter: DocumentFilter, scope: string, order: OrderField): Candidates | undefined {
  const { documents } = world.store;
  const place = placesOf(world, filter, scope)[0] as Place;
  const size = documents.keys(...place).size;
  if (size <= FEW) return { rows: documents.where(...place), rest: filter };
  // How many rows a walk would look at, if what matches lies evenly among the others.
  const wanted = filter.page * filter.count;
  const isWorthwhile = (found: number) => found <= FEW || found < Math.sqrt(wanted * size);
  for (const [field, from, to] of RANGES) {
    if ((filter[from] === undefined && filter[to] === undefined) || field === order) continue;
    const { rows, start, end } = documents.range("life", scope, field, filter[from] ?? 0, filter[to] ?? Number.POSITIVE_INFINITY);
    if (isWorthwhile(end - start)) return { rows: rows.slice(start, end), rest: filter };
  }
  if (filter.q === undefined) return undefined;
  const found = documents.containing(filter.q.toLowerCase());
  if (!found || !isWorthwhile(found.length)) return undefined;
  return { rows: found.filter((row) => documentScope(row) === scope), rest: { ...filter, q: undefined } };
}

interface Stretch {
  rows: readonly DocumentRow[];
  start: number;
  end: number;
}

/** The kept list to walk along: of the smallest set, and of it the part that a range on the same field leaves. */
function stretch(world: World, filter: DocumentFilter, scope: string, order: OrderField): Stretch {
  const { documents } = world.store;
  const place = placesOf(world, filter, scope)[0] as Place;
  const range = RANGES.find(([field, from, to]) => field === order && (filter[from] !== undefined || filter[to] !== undefined));
  if (range) return documents.range(...place, order, filter[range[1]] ?? 0, filter[range[2]] ?? Number.POSITIVE_INFINITY);
  const rows = documents.ordered(...place, order);
  return { rows, start: 0, end: rows.length };
}

type Test = (row: DocumentRow) => boolean;

function testsOf(filter: DocumentFilter): Test[] {
  const tests: Test[] = [];
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
