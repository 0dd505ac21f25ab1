import * as z from "zod";
import { listOf, queryBool, queryInt, queryNumber, uploadedFile } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { editable, fileUrl, isFileUrl } from "../../kit/inputs.ts";
import { fieldValues, fileFieldValues, images, memberInput, metadata, tables, tags, texts, tokens } from "../content/row.ts";
import { contentPlaceholders } from "../library/items.ts";
import { actor, actorUpdate } from "../people/inputs.ts";
import { pricingTables } from "../pricing/inputs.ts";
import { LANGUAGES } from "../templates/row.ts";

/** Every create accepts both. spec: editor_ver is deprecated. */
export const createQuery = lazy(() =>
  z.object({
    editor_ver: z.string().optional().meta({ deprecated: true }),
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
  fields: fileFieldValues().optional(),
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
      editable: editable(),
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
    editable: editable(),
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

/** assumed: delete.bulk_maximum. */
const BULK_MAX = 100;

/** spec: watermark options. assumed: download.invalid_watermark. */
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

export const sectionUploadQuery = lazy(() => z.object({ merge_field_scope: z.enum(["document", "upload"]).default("document") }));

/** assumed: sections.recipients. */
const sectionMembers = () => ({
  name: z.string().min(1).optional(),
  recipients: z.array(actor()).optional(),
  tokens: tokens().optional(),
  tags: tags().optional(),
  fields: fileFieldValues().optional(),
  parse_form_fields: z.boolean().optional(),
  parse_text_tags: z.boolean().default(true),
});

/** assumed: sections.template_and_url. */
export const sectionRequest = lazy(() =>
  z
    .object({
      ...sectionMembers(),
      template_uuid: z.string().optional(),
      url: fileUrl().optional(),
      pricing_tables: pricingTables().optional(),
      content_placeholders: contentPlaceholders().optional(),
    })
    .superRefine((value, context) => {
      if (value.template_uuid === undefined && value.url === undefined)
        context.addIssue({ code: "custom", path: ["template_uuid"], message: "This field is required." });
    }),
);

export const sectionUploadRequest = lazy(() => z.object({ file: uploadedFile(), data: z.object(sectionMembers()) }));

/** The domain rule reports missing and wrong values, in the error format of these operations. */
export const summaryQuery = lazy(() => z.object({ type: z.string().optional() }));

export const contentQuery = lazy(() => z.object({ format: z.string().optional() }));

export const aiMetadataQuery = lazy(() =>
  z.object({ limit: queryInt({ min: 1, max: 100 }).default(100), offset: queryInt({ min: 0 }).default(0) }),
);

const unique = (items: readonly string[]) => new Set(items).size === items.length;

const TWICE = { error: "Ensure this field has no duplicates." };

export const aiMetadataBatchRequest = lazy(() =>
  z.object({
    document_ids: z.array(z.string().max(22)).min(1).max(40).refine(unique, TWICE),
    field_keys: z.array(z.string().min(1)).min(1).max(150).refine(unique, TWICE).optional(),
  }),
);

export const searchQuery = lazy(() => z.object({ q: z.string().min(1) }));

/** assumed: settings.expiration_maximum. */
const DAYS_MAX = 1_000_000;

export const documentSettingsRequest = lazy(() =>
  z.object({
    language: z.enum(LANGUAGES).optional(),
    qualified_electronic_signature: z.boolean().optional(),
    expires_in: z.number().int().min(1).max(DAYS_MAX).optional(),
    suggest_edits: z.boolean().optional(),
  }),
);

export const ownershipRequest = lazy(() => z.object({ membership_id: z.string().optional() }));

export const allOwnershipRequest = lazy(() =>
  z.object({ from_membership_id: z.string().optional(), to_membership_id: z.string().optional() }),
);

export const crmObject = () => ({ provider: z.string().min(1), entity_type: z.string().min(1), entity_id: z.string().min(1) });

/** Names of CRMs are in lower case. assumed: crm_links.provider_spelling. */
const provider = () =>
  z
    .string()
    .min(1)
    .refine((name) => name === name.toLowerCase(), "Provider name should be in lower case.");

export const linkRequest = lazy(() => z.object({ ...crmObject(), provider: provider() }));

/** assumed: crm_links.order. */
export const linkedObjectQuery = lazy(() =>
  z.object({ ...crmObject(), order_by: z.string().default("-date_created"), owner_ids: listOf(z.string()) }),
);

export const namedItem = () => ({ name: z.string(), level: z.number().int().min(0), page_name: z.string() });

export const namedItemsRequest = lazy(() => z.object({ items: z.array(z.object(namedItem())) }));

export type CreateQuery = z.infer<ReturnType<typeof createQuery>>;
export type CreateInput = z.infer<ReturnType<typeof createRequest>>;
export type FileInput = z.infer<ReturnType<typeof fileRequest>>;
export type MarkdownInput = z.infer<ReturnType<typeof markdownRequest>>;
export type UpdateInput = z.infer<ReturnType<typeof updateRequest>>;
export type DownloadQuery = z.infer<ReturnType<typeof downloadQuery>>;
export type SectionInput = z.infer<ReturnType<typeof sectionRequest>>;
export type LinkInput = z.infer<ReturnType<typeof linkRequest>>;
export type DocumentSettingsInput = z.infer<ReturnType<typeof documentSettingsRequest>>;
export type LinkedObjectQuery = z.infer<ReturnType<typeof linkedObjectQuery>>;
