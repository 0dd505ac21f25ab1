import * as z from "zod";
import { queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";

/** assumed: folders.empty_parent. */
export const foldersQuery = lazy(() =>
  z.object({
    parent_uuid: z.string().optional(),
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
  }),
);
export type FoldersQuery = z.infer<ReturnType<typeof foldersQuery>>;

export const folderPatch = lazy(() => z.object({ name: z.string().min(1) }));

export const folderInput = lazy(() => folderPatch().extend({ parent_uuid: z.string().min(1).optional() }));
export type FolderInput = z.infer<ReturnType<typeof folderInput>>;
