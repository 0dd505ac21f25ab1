import type { World } from "../../model/world.ts";
import type { NamedItemRow } from "../../model/documents/rows.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";
import { requireDocument } from "../document-model/find.ts";

/** assumed: structure_view.pages. */
export function addNamedItems(
  world: World,
  id: string,
  items: readonly Pick<NamedItemRow, "name" | "level" | "page_name">[],
): NamedItemRow[] {
  const document = requireDocument(world, id);
  // assumed: locks.every_change.
  requireUnlocked(world, document);
  const pages = new Map(world.store.named_items.where("document", document.id).map((row) => [row.page_name, row.page_uuid]));
  return items.map(({ name, level, page_name }) => {
    const page_uuid = pages.get(page_name) ?? world.ids.uuid();
    pages.set(page_name, page_uuid);
    return world.store.named_items.put({ id: world.ids.uuid(), document_id: document.id, name, level, page_name, page_uuid });
  });
}
