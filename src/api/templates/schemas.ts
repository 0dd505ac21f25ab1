import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime, person } from "../shapes/document.ts";
import { editingSessionMembers } from "../shapes/editing-session.ts";
import { pricing } from "../shapes/pricing.ts";
import { listedItem, templateField, templateRole } from "../shapes/template.ts";

export const editingSession = lazy(() => z.strictObject({ ...editingSessionMembers(), template_id: z.string() }));

export const templateItem = lazy(() => z.strictObject({ ...listedItem(), content_date_modified: dateTime().optional() }));

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
  z.strictObject({ ...listedItem(), status: z.enum(["template.UPLOADED", "template.PROCESSED", "template.ERROR"]) }),
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
