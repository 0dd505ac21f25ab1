import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime, person } from "../shapes/document.ts";
import { editingSessionMembers } from "../shapes/editing-session.ts";
import { itemContent, listedItem } from "../shapes/template.ts";

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
  z.strictObject({ ...listedItem(), ...itemContent(), folder_uuid: z.string(), created_by: person() }),
);
