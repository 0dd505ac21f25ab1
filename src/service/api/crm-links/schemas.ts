import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime, documentStatus } from "../shapes/document.ts";
import { crmObject } from "../../model/documents/inputs.ts";

export const link = lazy(() =>
  z.strictObject({
    id: z.string(),
    ...crmObject(),
    children: z.array(z.strictObject({ id: z.string(), entity_type: z.string(), entity_id: z.string() })),
  }),
);

export const linkList = lazy(() => z.strictObject({ linked_objects: z.array(link()) }));

export const linkedDocuments = lazy(() =>
  z.array(z.strictObject({ id: z.string(), status: documentStatus(), date_created: dateTime(), template_id: z.string() })),
);
