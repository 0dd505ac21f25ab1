import * as z from "zod";
import { invalid } from "../../../engine/core/errors.ts";
import { NOT_INTEGER, instant, listOf, queryBool, queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { compareText } from "../../../engine/core/text.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentRow } from "./row.ts";
import { documentScope } from "./row.ts";
import { codeOf, statusOf } from "./status-machine.ts";

const PREFIX = "metadata_";

/** What `order_by` sorts by. */
export const ORDERS = {
  name: (row: DocumentRow) => row.name,
  date_created: (row: DocumentRow) => row.date_created,
  date_status_changed: (row: DocumentRow) => row.date_status_changed,
  date_of_last_action: (row: DocumentRow) => row.date_of_last_action,
  date_modified: (row: DocumentRow) => row.date_modified,
  date_sent: (row: DocumentRow) => row.date_sent,
  date_completed: (row: DocumentRow) => row.date_completed,
  date_expiration: (row: DocumentRow) => row.expiration_date,
  date_declined: (row: DocumentRow) => row.date_declined,
  status: (row: DocumentRow) => row.status,
};

export const ORDER_FIELDS = Object.keys(ORDERS) as OrderField[];
export type OrderField = keyof typeof ORDERS;
type Order = OrderField | `-${OrderField}`;

const CHOICES: readonly string[] = ORDER_FIELDS.flatMap((field) => [field, `-${field}`]);

/** Source: the official example of a 400 has these words for `order_by`. */
const NO_CHOICE = "value is not a valid choice.";

/** One status, or several. assumed: list.repeated_status. */
const statusCodes = () =>
  listOf(z.string().meta({ type: "integer" })).transform((texts, context) =>
    texts?.map((text) => {
      const read = statusCode().safeParse(text);
      if (read.success) return read.data;
      context.addIssue({ code: "custom", message: read.error.issues[0]?.message ?? NO_CHOICE });
      return z.NEVER;
    }),
  );

const statusCode = lazy(() => queryInt().refine((code) => statusOf(code) !== undefined, { error: NO_CHOICE }));

/** spec: List Documents. The official changelog allows several owners. Older clients send `metadata_<key>=<value>`. */
export const listQuery = lazy(() => {
  // Members share these schemas, because a new schema takes longer to build than to check the member.
  const [text, moment, status] = [z.string().optional(), instant().optional(), statusCodes()];
  return z
    .object({
      template_id: text,
      form_id: text,
      folder_uuid: text,
      contact_id: text,
      count: queryInt({ min: 1, max: 100 }).default(50),
      page: queryInt({ min: 1 }).default(1),
      order_by: z
        .custom<Order>((value) => CHOICES.includes(String(value)), { error: NO_CHOICE })
        .meta({ type: "string", enum: CHOICES })
        .default("date_status_changed"),
      created_from: moment,
      created_to: moment,
      completed_from: moment,
      completed_to: moment,
      modified_from: moment,
      modified_to: moment,
      deleted: queryBool().optional(),
      id: text,
      membership_id: listOf(z.string()),
      metadata: listOf(z.string()),
      q: text,
      status,
      status__ne: status,
      tag: text,
    })
    .catchall(z.unknown())
    .transform((query, context) => {
      if (query.template_id !== undefined && query.form_id !== undefined) {
        context.addIssue({
          code: "custom",
          path: ["non_field_errors"],
          message: "Either template_id or form_id should be added to query.",
        });
      }
      const pairs: [string, string][] = [];
      for (const entry of query.metadata ?? []) {
        const equals = entry.indexOf("=");
        if (!entry.startsWith(PREFIX) || equals <= PREFIX.length) {
          context.addIssue({
            code: "custom",
            path: ["metadata"],
            message: "Metadata filter should have the form metadata_<key>=<value>.",
          });
          continue;
        }
        pairs.push([entry.slice(PREFIX.length, equals), entry.slice(equals + 1)]);
      }
      for (const [name, value] of Object.entries(query)) {
        if (name.startsWith(PREFIX) && name.length > PREFIX.length) pairs.push([name.slice(PREFIX.length), String(value)]);
      }
      return { ...query, metadata: pairs.length > 0 ? pairs : undefined };
    });
});

type ListQuery = z.infer<ReturnType<typeof listQuery>>;
export type DocumentQuery = Partial<ListQuery> & Pick<ListQuery, "count" | "page" | "order_by">;

/** assumed: documents.stable_order. */

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
