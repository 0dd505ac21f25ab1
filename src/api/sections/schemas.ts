import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime } from "../shapes/document.ts";
import { actor } from "../../domain/recipients/inputs.ts";
import { contentPlaceholders, fieldValues, tags, tokens } from "../../domain/content/inputs.ts";
import { fileUrl, uploadedFile } from "../../core/inputs.ts";
import { pricingTables } from "../../domain/pricing/inputs.ts";

export const sectionUploadQuery = lazy(() => z.object({ merge_field_scope: z.enum(["document", "upload"]).default("document") }));

const sectionMembers = () => ({
  name: z.string().min(1).optional(),
  recipients: z.array(actor()),
  tokens: tokens().optional(),
  tags: tags().optional(),
  fields: fieldValues().optional(),
});

/** assumed: with both template and URL, the template wins, as for documents. */
export const sectionRequest = lazy(() =>
  z
    .object({
      ...sectionMembers(),
      template_uuid: z.string().optional(),
      url: fileUrl().optional(),
      pricing_tables: pricingTables().optional(),
      parse_form_fields: z.boolean().optional(),
      content_placeholders: contentPlaceholders().optional(),
    })
    .superRefine((value, context) => {
      if (value.template_uuid === undefined && value.url === undefined)
        context.addIssue({ code: "custom", path: ["template_uuid"], message: "This field is required." });
    }),
);

export const sectionUploadRequest = lazy(() =>
  z.object({ file: uploadedFile(), data: z.object({ ...sectionMembers(), parse_form_fields: z.boolean().optional() }) }),
);

const upload = () => ({
  uuid: z.string(),
  name: z.string(),
  document_uuid: z.string(),
  status: z.enum(["document_sections_upload.UPLOADED", "document_sections_upload.PROCESSED", "document_sections_upload.ERROR"]),
  date_created: dateTime(),
  date_modified: dateTime(),
  info_message: z.string().nullable(),
});

export const uploadCreated = lazy(() => z.strictObject({ ...upload(), date_completed: dateTime().nullable() }));

export const uploadStatus = lazy(() =>
  z.strictObject({ ...upload(), sections_uuids: z.array(z.string()), section_uuids: z.array(z.string()) }),
);

export const sectionList = lazy(() =>
  z.strictObject({ results: z.array(z.strictObject({ uuid: z.string(), name: z.string() })) }),
);

export const sectionDetails = lazy(() => z.strictObject({ uuid: z.string(), name: z.string(), document_uuid: z.string() }));
