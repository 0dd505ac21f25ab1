import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime, person } from "../shapes/document.ts";
import { editingSessionMembers } from "../shapes/editing-session.ts";
import { pricing } from "../shapes/pricing.ts";
import { templateField, templateRole } from "../shapes/template.ts";
import { fileUrl, listOf, queryBool, queryInt, uploadedFile } from "../../core/inputs.ts";
import { metadata, memberInput, tokens } from "../../domain/content/inputs.ts";

const extraFields = () =>
  listOf(
    z.string().superRefine((list, context) => {
      for (const name of list.split(","))
        if (name !== "content_date_modified") context.addIssue({ code: "custom", message: `"${name}" is not a valid choice.` });
    }),
  );

/** The service refuses an empty value, as public clients found. */
export const listQuery = lazy(() =>
  z.object({
    q: z.string().min(1).optional(),
    shared: queryBool().optional(),
    deleted: queryBool().optional(),
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
    id: z.string().min(1).optional(),
    folder_uuid: z.string().min(1).optional(),
    tag: listOf(z.string().min(1)),
    fields: extraFields(),
  }),
);

const item = () => ({
  id: z.string(),
  name: z.string(),
  date_created: dateTime(),
  date_modified: dateTime(),
  version: z.string(),
});

export const createQuery = lazy(() => z.object({ fields: extraFields() }));

const createMembers = () => ({
  name: z.string().min(1).optional(),
  folder_uuid: z.string().optional(),
  owner: memberInput().optional(),
  metadata: metadata(),
  tokens: tokens().optional(),
});

export const createRequest = lazy(() => z.object({ ...createMembers(), url: fileUrl().optional() }));

export const uploadRequest = lazy(() => z.object({ file: uploadedFile(), data: z.object(createMembers()).optional() }));

export const duplicateRequest = lazy(() => z.object({ name: z.string().max(255).optional() }));

export const updateRequest = lazy(() =>
  z.object({
    tokens: tokens().optional(),
    roles: z
      .array(
        z.object({
          id: z.string().optional(),
          name: z.string().min(1).max(255),
          signing_order: z.number().int().min(1).nullish(),
        }),
      )
      .optional(),
  }),
);

export const editingSession = lazy(() => z.strictObject({ ...editingSessionMembers(), template_id: z.string() }));

export const templateItem = lazy(() => z.strictObject({ ...item(), content_date_modified: dateTime().optional() }));

export const templateCopy = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    date_created: dateTime(),
    date_modified: dateTime(),
    meta: z.strictObject({ source_template_id: z.string() }),
  }),
);

export const templateList = lazy(() => z.strictObject({ results: z.array(templateItem()) }));

export const templateStatus = lazy(() =>
  z.strictObject({ ...item(), status: z.enum(["template.UPLOADED", "template.PROCESSED", "template.ERROR"]) }),
);

export const templateDetails = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    folder_uuid: z.string(),
    date_created: dateTime(),
    date_modified: dateTime(),
    content_date_modified: dateTime(),
    created_by: person(),
    metadata: z.record(z.string(), z.string()),
    tokens: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    fields: z.array(templateField()),
    pricing: pricing(),
    tags: z.array(z.string()),
    roles: z.array(templateRole()),
    version: z.string(),
    content_placeholders: z.array(z.strictObject({ uuid: z.string(), block_id: z.string(), description: z.string() })),
    tables: z.array(z.strictObject({ name: z.string() })),
    images: z.array(z.strictObject({ name: z.string(), block_uuid: z.string(), urls: z.array(z.string()) })),
  }),
);
