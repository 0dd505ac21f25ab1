import { documentScope } from "../../model/documents/indexes.ts";
import { iso } from "../../../engine/core/clock.ts";
import { type ApiError, invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation, pageOf } from "../../../engine/core/lists.ts";
import type { World } from "../../model/world.ts";
import type { FolderInput, FoldersQuery } from "../../model/folders/inputs.ts";
import type { FolderRow } from "../../model/folders/rows.ts";

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

export function toFolder(row: FolderRow) {
  return { uuid: row.id, name: row.name, date_created: iso(row.date_created) };
}

export function toFolderItem(world: World, row: FolderRow) {
  const live = documentScope({ workspace_id: row.workspace_id, internal: { deleted_at: null } });
  const hasItems =
    row.kind === "document"
      ? world.store.documents.keys("folder", `${live}:${row.id}`).size > 0
      : world.store.templates.where("folder", row.id).some((template) => template.internal.deleted_at === null);
  return {
    ...toFolder(row),
    has_folders: childrenOf(world, row.kind, row.id).length > 0,
    has_items: hasItems,
  };
}
