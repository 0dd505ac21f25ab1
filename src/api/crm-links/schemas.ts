import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime, documentStatus } from "../shapes/document.ts";
import { listOf } from "../../core/inputs.ts";

const crmObject = () => ({ provider: z.string().min(1), entity_type: z.string().min(1), entity_id: z.string().min(1) });

/** Names of CRMs are in lower case. assumed: another spelling is refused, as the link would not be found. */
const provider = () =>
  z
    .string()
    .min(1)
    .refine((name) => name === name.toLowerCase(), "Provider name should be in lower case.");

export const linkRequest = lazy(() => z.object({ ...crmObject(), provider: provider() }));

/** assumed: orders other than by creation are not published; they count as the default. */
export const linkedObjectQuery = lazy(() =>
  z.object({ ...crmObject(), order_by: z.string().default("-date_created"), owner_ids: listOf(z.string()) }),
);

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
