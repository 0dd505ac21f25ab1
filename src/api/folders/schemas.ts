import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime } from "../shapes/document.ts";
import { queryInt } from "../../core/inputs.ts";

/** assumed: an empty `parent_uuid` counts as omitted. */
export const listQuery = lazy(() =>
  z.object({
    parent_uuid: z.string().optional(),
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
  }),
);

export const folderPatch = lazy(() => z.object({ name: z.string().min(1) }));

export const folderInput = lazy(() => folderPatch().extend({ parent_uuid: z.string().min(1).optional() }));

export const folder = lazy(() => z.strictObject({ uuid: z.string(), name: z.string(), date_created: dateTime() }));

export const folderList = lazy(() =>
  z.strictObject({ results: z.array(folder().extend({ has_folders: z.boolean(), has_items: z.boolean() })) }),
);
