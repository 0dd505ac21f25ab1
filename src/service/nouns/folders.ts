import * as z from "zod";
import type { ApiError } from "../../engine/core/errors.ts";
import { invalid, notFound } from "../../engine/core/errors.ts";
import { queryInt } from "../../engine/core/inputs.ts";
import { byCreation, pageOf } from "../../engine/core/lists.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { table } from "../../engine/store/collection.ts";
import type { Row } from "../../engine/store/row.ts";
import { created, ok, operation } from "../kit/operation.ts";
import { flag, micros, text, view } from "../kit/view.ts";
import type { World } from "../kit/world.ts";
import { documentScope } from "./documents/row.ts";

export interface FolderRow extends Row {
  workspace_id: string;
  kind: "document" | "template";
  name: string;
  parent_uuid: string | null;
  date_created: number;
}

export const folderTables = {
  folders: table<FolderRow>()({ indexes: { kind: (row) => row.kind, parent: (row) => `${row.kind}:${row.parent_uuid ?? ""}` } }),
};

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

export type FolderKind = FolderRow["kind"];

export function requireFolder(
  world: World,
  kind: FolderKind,
  id: string,
  refuse: () => ApiError = () => notFound(`no ${kind} folder ${id} in this workspace`),
): FolderRow {
  const row = world.store.folders.get(id);
  if (row?.kind !== kind || row.workspace_id !== world.caller.workspace_id) throw refuse();
  return row;
}

/** @throws 400 on `field`. assumed: folders.unknown_folder. */
export function requireFolderField(world: World, kind: FolderKind, field: string, id: string): FolderRow {
  return requireFolder(world, kind, id, () =>
    invalid({ [field]: ["Folder not found."] }, `no ${kind} folder ${id} in this workspace`),
  );
}

/** Lists the folders of a parent. Default: the top level. assumed: folders.order. */
export function listFolders(world: World, kind: FolderKind, filter: FoldersQuery): FolderRow[] {
  if (filter.parent_uuid) requireFolderField(world, kind, "parent_uuid", filter.parent_uuid);
  const found = childrenOf(world, kind, filter.parent_uuid || null);
  return pageOf(found.sort(byCreation), filter);
}

function childrenOf(world: World, kind: FolderKind, parent: string | null): FolderRow[] {
  return world.store.folders
    .where("parent", `${kind}:${parent ?? ""}`)
    .filter((row) => row.workspace_id === world.caller.workspace_id);
}

/** assumed: folders.equal_names. */
export function createFolder(world: World, kind: FolderKind, input: FolderInput): FolderRow {
  if (input.parent_uuid !== undefined) requireFolderField(world, kind, "parent_uuid", input.parent_uuid);
  return world.store.folders.put({
    id: world.ids.short(),
    workspace_id: world.caller.workspace_id,
    kind,
    name: input.name,
    parent_uuid: input.parent_uuid ?? null,
    date_created: world.clock.now(),
  });
}

export function renameFolder(world: World, kind: FolderKind, id: string, name: string): FolderRow {
  return world.store.folders.put({ ...requireFolder(world, kind, id), name });
}

function hasItems(row: FolderRow, world: World): boolean {
  const live = documentScope({ workspace_id: row.workspace_id, internal: { deleted_at: null } });
  return row.kind === "document"
    ? world.store.documents.keys("folder", `${live}:${row.id}`).size > 0
    : world.store.templates.where("folder", row.id).some((template) => template.internal.deleted_at === null);
}

const folder = view<FolderRow>()({ uuid: [text, (row) => row.id], name: text, date_created: micros });

const folderItem = view<FolderRow, World>()({
  ...folder.shape,
  has_folders: [flag, (row, world) => childrenOf(world, row.kind, row.id).length > 0],
  has_items: [flag, hasItems],
});

export const foldersGroup = group("Folders", [
  operation({
    id: "listDocumentFolders",
    route: "GET /public/v1/documents/folders",
    query: foldersQuery,
    responses: { 200: folderItem.results },
    errors: [400, 401, 429],
    handle: ({ query }, world) => ok({ results: listFolders(world, "document", query).map((row) => folderItem.of(row, world)) }),
  }),
  operation({
    id: "createDocumentFolder",
    route: "POST /public/v1/documents/folders",
    body: folderInput,
    responses: { 201: folder },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) => created(folder.of(createFolder(world, "document", body))),
  }),
  operation({
    id: "renameDocumentFolder",
    route: "PUT /public/v1/documents/folders/{id}",
    body: folderPatch,
    responses: { 200: folder },
    errors: [400, 401, 404, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => ok(folder.of(renameFolder(world, "document", params.id, body.name))),
  }),
  operation({
    id: "listTemplateFolders",
    route: "GET /public/v1/templates/folders",
    query: foldersQuery,
    responses: { 200: folderItem.results },
    errors: [400, 401, 429],
    handle: ({ query }, world) => ok({ results: listFolders(world, "template", query).map((row) => folderItem.of(row, world)) }),
  }),
  operation({
    id: "createTemplateFolder",
    route: "POST /public/v1/templates/folders",
    body: folderInput,
    responses: { 201: folder },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) => created(folder.of(createFolder(world, "template", body))),
  }),
  operation({
    id: "renameTemplateFolder",
    route: "PUT /public/v1/templates/folders/{id}",
    body: folderPatch,
    responses: { 200: folder },
    errors: [400, 401, 404, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => ok(folder.of(renameFolder(world, "template", params.id, body.name))),
  }),
]);
