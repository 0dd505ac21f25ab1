import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime } from "../shapes/document.ts";

export const folder = lazy(() => z.strictObject({ uuid: z.string(), name: z.string(), date_created: dateTime() }));

export const folderList = lazy(() =>
  z.strictObject({ results: z.array(folder().extend({ has_folders: z.boolean(), has_items: z.boolean() })) }),
);
