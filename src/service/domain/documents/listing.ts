/** assumed: documents.stable_order. */
import { invalid } from "../../../engine/core/errors.ts";
import { NOT_INTEGER } from "../../../engine/core/inputs.ts";
import { compareText } from "../../../engine/core/text.ts";
import { documentScope } from "../../model/documents/indexes.ts";
import { codeOf } from "../../model/documents/status-machine.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { type DocumentQuery, ORDERS, type OrderField } from "../../model/documents/list-inputs.ts";

export function listDocuments(world: World, filter: DocumentQuery): DocumentRow[] {
  refuseSeveral(world, "status", filter.status);
  refuseSeveral(world, "status__ne", filter.status__ne);
  const isWanted = conditions(world, filter);
  const { order_by, page, count } = filter;
  return candidates(world, filter)
    .filter((row) => isWanted.every((test) => test(row)))
    .sort(inOrder(order_by.replace("-", "") as OrderField, order_by.startsWith("-")))
    .slice((page - 1) * count, page * count);
}

/** The documents of the workspace, deleted or not. */
function candidates({ store, caller }: World, { id, deleted }: DocumentQuery): DocumentRow[] {
  const scope = `${caller.workspace_id}:${deleted ? "deleted" : "live"}`;
  if (id === undefined) return store.documents.where("life", scope);
  const row = store.documents.get(id);
  return row && documentScope(row) === scope ? [row] : [];
}

type Test = (row: DocumentRow) => boolean;

function conditions(world: World, filter: DocumentQuery): Test[] {
  const tests: Test[] = [];
  const when = <T>(asked: T | undefined, meets: (row: DocumentRow, asked: T) => boolean) => {
    if (asked !== undefined) tests.push((row) => meets(row, asked));
  };
  // assumed: documents.search_text.
  when(filter.q?.toLowerCase(), (row, text) => [row.name, row.ref_number].some((one) => one.toLowerCase().includes(text)));
  when(filter.status, (row, codes) => codes.includes(codeOf(row.status)));
  when(filter.status__ne, (row, codes) => !codes.includes(codeOf(row.status)));
  when(filter.template_id, (row, id) => row.template?.id === id);
  when(filter.form_id, (row, id) => row.form_id === id);
  when(filter.folder_uuid, (row, id) => row.folder_uuid === id);
  when(filter.membership_id, (row, ids) => ids.includes(row.owner));
  when(filter.tag, (row, tag) => row.tags.includes(tag));
  if (filter.contact_id !== undefined) tests.push(isOfContact(world, filter.contact_id));
  for (const [key, value] of filter.metadata ?? []) tests.push((row) => row.metadata[key] === value);
  tests.push(
    ...within("date_created", filter.created_from, filter.created_to),
    ...within("date_completed", filter.completed_from, filter.completed_to),
    ...within("date_modified", filter.modified_from, filter.modified_to),
  );
  return tests;
}

/** spec: from is included, to is not. */
function within(name: "date_created" | "date_completed" | "date_modified", from?: number, to?: number): Test[] {
  if (from === undefined && to === undefined) return [];
  return [
    (row) => {
      const at = row[name];
      return at !== null && (from === undefined || at >= from) && (to === undefined || at < to);
    },
  ];
}

/** spec: a recipient's or an approver's contact. assumed: documents.approver_contact. */
function isOfContact(world: World, id: string): Test {
  const members = membersOfContact(world, id);
  return ({ recipients, internal }) =>
    recipients.some((recipient) => recipient.contact_id === id) ||
    (internal.approval?.steps ?? []).some((step) => step.approvers.some((one) => members.includes(one.membership_id)));
}

/** A missing value is last in both directions. assumed: documents.missing_values_last. */
function inOrder(field: OrderField, isReverse: boolean): (a: DocumentRow, b: DocumentRow) => number {
  const keyOf = ORDERS[field];
  return (a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    const difference =
      left === null || right === null
        ? Number(left === null) - Number(right === null)
        : compare(left, right) * (isReverse ? -1 : 1);
    return difference || a.date_created - b.date_created || compareText(a.id, b.id);
  };
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}

function refuseSeveral(world: World, name: string, codes: readonly number[] | undefined): void {
  if (codes === undefined || codes.length < 2 || world.decide("list.repeated_status") === "any_of") return;
  throw invalid({ [name]: [NOT_INTEGER] }, `${name} is repeated; send one status`);
}

function membersOfContact(world: World, id: string): string[] {
  const contact = world.store.contacts.get(id);
  if (contact?.workspace_id !== world.caller.workspace_id || !contact.email) return [];
  const users = world.store.users.where("email", contact.email.toLowerCase());
  return users.flatMap((user) => world.store.members.where("user", user.id).map((member) => member.id));
}
