import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { type ManualCode, statusOf } from "../../domain/document-model/status-machine.ts";
import { ORDER_FIELDS, type OrderField } from "../../domain/documents/listing.ts";
import { editingSessionMembers } from "../shapes/editing-session.ts";
import { instant, isFileUrl, listOf, queryBool, queryInt, queryNumber, uploadedFile } from "../../core/inputs.ts";
import {
  contentPlaceholders,
  fieldValues,
  images,
  metadata,
  memberInput,
  tables,
  tags,
  texts,
  tokens,
} from "../../domain/content/inputs.ts";
import { actor, actorUpdate } from "../../domain/recipients/inputs.ts";
import { pricingTables } from "../../domain/pricing/inputs.ts";

const PREFIX = "metadata_";
type Order = OrderField | `-${OrderField}`;
const ORDERS: readonly string[] = ORDER_FIELDS.flatMap((field) => [field, `-${field}`]);

/** Source: the official example of a 400 has these words for `order_by`. */
const NO_CHOICE = "value is not a valid choice.";

const statusCode = () => queryInt().refine((code) => statusOf(code) !== undefined, { error: NO_CHOICE });

/**
 * spec: List Documents. Metadata comes as `metadata=metadata_<key>=<value>`, and in older clients as
 * `metadata_<key>=<value>`.
 */
export const listQuery = lazy(() =>
  z
    .object({
      template_id: z.string().optional(),
      form_id: z.string().optional(),
      folder_uuid: z.string().optional(),
      contact_id: z.string().optional(),
      count: queryInt({ min: 1, max: 100 }).default(50),
      page: queryInt({ min: 1 }).default(1),
      order_by: z
        .custom<Order>((value) => ORDERS.includes(String(value)), { error: NO_CHOICE })
        .meta({ type: "string", enum: ORDERS })
        .default("date_status_changed"),
      created_from: instant().optional(),
      created_to: instant().optional(),
      completed_from: instant().optional(),
      completed_to: instant().optional(),
      modified_from: instant().optional(),
      modified_to: instant().optional(),
      deleted: queryBool().optional(),
      id: z.string().optional(),
      // The official changelog allows several owners.
      membership_id: listOf(z.string()),
      metadata: listOf(z.string()),
      q: z.string().optional(),
      status: statusCode().optional(),
      status__ne: statusCode().optional(),
      tag: z.string().optional(),
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
    }),
);

/** Every create accepts both. spec: editor_ver is deprecated. */
export const createQuery = lazy(() =>
  z.object({
    editor_ver: z.string().optional(),
    use_form_field_properties: z
      .string()
      .optional()
      .transform((text) => /^(yes|1|true)$/i.test(text ?? "")),
  }),
);

const createMembers = () => ({
  folder_uuid: z.string().optional(),
  owner: memberInput().optional(),
  tokens: tokens().optional(),
  metadata: metadata(),
  tags: tags().optional(),
  fields: fieldValues().optional(),
});

/** The vendor's own example sends both template and URL. The template wins. */
export const createRequest = lazy(() =>
  z
    .object({
      ...createMembers(),
      name: z.string().min(1).optional(),
      template_uuid: z.string().optional(),
      url: z.string().optional(),
      recipients: z.array(actor()).optional(),
      images: images().optional(),
      pricing_tables: pricingTables().optional(),
      tables: tables().optional(),
      texts: texts().optional(),
      detect_title_variables: z.boolean().optional(),
      parse_form_fields: z.boolean().optional(),
      content_placeholders: contentPlaceholders().optional(),
    })
    .superRefine((value, context) => {
      const need = (name: "template_uuid" | "name" | "recipients") => {
        if (value[name] === undefined) context.addIssue({ code: "custom", path: [name], message: "This field is required." });
      };
      if (value.template_uuid !== undefined) need("recipients");
      else if (value.url !== undefined) need("name");
      else need("template_uuid");
      if (value.template_uuid === undefined && value.url !== undefined && !isFileUrl(value.url)) {
        context.addIssue({ code: "custom", path: ["url"], message: "Enter a valid URL." });
      }
    }),
);

const fileRequest = lazy(() =>
  z.object({
    ...createMembers(),
    name: z.string().min(1),
    recipients: z.array(actor()).optional(),
    parse_form_fields: z.boolean().optional(),
  }),
);

export const uploadRequest = lazy(() => z.object({ file: uploadedFile(), data: fileRequest() }));

const markdownRequest = lazy(() => {
  const { fields: _, ...members } = createMembers();
  return z.object({
    ...members,
    name: z.string().min(1),
    recipients: z.array(actor()).optional(),
    fields_mapping: z.record(z.string(), z.array(z.string())).optional(),
  });
});

export const markdownUploadRequest = lazy(() => z.object({ file: uploadedFile(), data: markdownRequest() }));

export const updateRequest = lazy(() =>
  z.object({
    name: z.string().min(1).optional(),
    recipients: z.array(actorUpdate()).optional(),
    fields: fieldValues().optional(),
    tokens: tokens().optional(),
    tags: tags().optional(),
    metadata: metadata(),
    pricing_tables: pricingTables().optional(),
    tables: tables().optional(),
    images: images().optional(),
    texts: texts().optional(),
  }),
);

export const bulkDeleteRequest = lazy(() =>
  z
    .array(z.object({ id: z.string() }))
    .min(1)
    .max(BULK_MAX),
);
/** assumed: the maximum is not published. */
const BULK_MAX = 100;

export const bulkDeleted = lazy(() => z.strictObject({ id: z.array(z.string()) }));

export const sendRequest = lazy(() =>
  z.object({
    message: z.string().nullish(),
    subject: z.string().nullish(),
    silent: z.boolean().optional(),
    sender: z.object({ membership_id: z.string().optional(), email: z.string().optional() }).nullish(),
    forwarding_settings: z
      .object({ forwarding_allowed: z.boolean().optional(), forwarding_with_reassigning_allowed: z.boolean().optional() })
      .nullish(),
    reply_to: z.email().nullish(),
    selected_approvers: z
      .object({
        steps: z.array(
          z.object({
            id: z.string(),
            group: z.object({
              id: z.string(),
              type: z.string(),
              assignees: z.array(z.object({ user: z.string(), is_selected: z.boolean() })),
            }),
          }),
        ),
      })
      .nullish(),
  }),
);

export const statusRequest = lazy(() =>
  z.object({
    status: z.union([
      z.literal(2),
      z.literal(10),
      z.literal(11),
      z.literal(12),
      // The official client sends the codes as text.
      z.enum(["2", "10", "11", "12"]).transform((code) => Number(code) as ManualCode),
    ]),
    note: z.string().optional(),
    notify_recipients: z.boolean().optional(),
  }),
);

/** The official description requires only the status. */
export const statusUploadRequest = lazy(() => z.object({ file: uploadedFile().optional(), data: statusRequest() }));

/** A hundred years, in seconds. */
const LIFETIME_MAX = 3_155_760_000;

/**
 * spec: session default 3600 s. Less than a year is only advised. assumed: at least one second; the maximum keeps the
 * end a valid date.
 */
export const sessionRequest = lazy(() =>
  z.object({ recipient: z.string().min(1), lifetime: z.number().min(1).max(LIFETIME_MAX).default(3600) }),
);

export const session = lazy(() => z.strictObject({ id: z.string(), expires_at: z.string() }));

/** spec: watermark options. assumed: an invalid one is 400, which download declares. */
export const downloadQuery = lazy(() =>
  z.object({
    watermark_text: z.string().optional(),
    watermark_color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i)
      .optional(),
    watermark_font_size: queryInt({ min: 1, max: 1000 }).optional(),
    watermark_opacity: queryNumber({ min: 0, max: 1 }).optional(),
    separate_files: queryBool().default(false),
  }),
);

export const downloadProtectedQuery = lazy(() => z.object({ separate_files: queryBool().default(false) }));

/** Every member is optional in the official description. The domain rule checks which are required. */
export const ownershipRequest = lazy(() => z.object({ membership_id: z.string().optional() }));

export const allOwnershipRequest = lazy(() =>
  z.object({ from_membership_id: z.string().optional(), to_membership_id: z.string().optional() }),
);

export const editingSession = lazy(() => z.strictObject({ ...editingSessionMembers(), document_id: z.string() }));

export const disclosure = lazy(() =>
  z.strictObject({
    result: z.strictObject({
      is_enabled: z.boolean(),
      company_name: z.string().nullable(),
      esign_disclosure_text: z.string().nullable(),
    }),
  }),
);
