import * as z from "zod";
import { instant, listOf, queryBool, queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import type { DocumentRow } from "./document.ts";
import { statusOf } from "./status-machine.ts";

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
