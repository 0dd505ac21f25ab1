import { lazy } from "../../../engine/core/operation.ts";
import * as z from "zod";
import { fieldValues } from "../content/inputs.ts";
import { pricingTables } from "../pricing/inputs.ts";
import { actor } from "../recipients/inputs.ts";
import { queryBool, queryInt, uploadedFile } from "../../../engine/core/inputs.ts";
import { editable, fileUrl } from "../inputs.ts";

export const contentPlaceholders = lazy(() =>
  z.array(
    z.object({
      block_id: z.string(),
      content_library_items: z
        .array(
          z.object({
            id: z.string(),
            fields: fieldValues().optional(),
            pricing_tables: pricingTables().optional(),
            recipients: z.array(actor()).optional(),
          }),
        )
        .optional(),
    }),
  ),
);

export type PlaceholderInput = z.infer<ReturnType<typeof contentPlaceholders>>[number];

export const listQuery = lazy(() =>
  z.object({
    q: z.string().min(1).optional(),
    id: z.string().min(1).optional(),
    deleted: queryBool().optional(),
    folder_uuid: z.string().min(1).optional(),
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
    tag: z.string().min(1).optional(),
  }),
);

const createMembers = () => ({ name: z.string().min(1).optional(), editable: editable() });

export const createRequest = lazy(() => z.object({ ...createMembers(), url: fileUrl().optional() }));

export const uploadRequest = lazy(() => z.object({ file: uploadedFile(), data: z.object(createMembers()).optional() }));

export const appendRequest = lazy(() =>
  z.object({
    cli: z.object({
      id: z.string(),
      pages: z.array(z.object({ index: z.number().int().min(0), name: z.string().nullish() })).optional(),
    }),
  }),
);

export type LibraryQuery = z.infer<ReturnType<typeof listQuery>>;
export type LibraryItemInput = z.infer<ReturnType<typeof createRequest>>;
export type AppendInput = z.infer<ReturnType<typeof appendRequest>>["cli"];
