import * as z from "zod";
import { queryInt } from "../../core/inputs.ts";
import { lazy } from "../../core/operation.ts";

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

/** The domain rule checks which members are required. */
export const ownershipRequest = lazy(() => z.object({ membership_id: z.string().optional() }));

export const allOwnershipRequest = lazy(() =>
  z.object({ from_membership_id: z.string().optional(), to_membership_id: z.string().optional() }),
);
