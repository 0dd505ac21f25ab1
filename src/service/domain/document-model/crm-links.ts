import type { World } from "../../model/world.ts";
import type { LinkRow } from "../../model/documents/document.ts";

export function linksOf(world: World, documentId: string): LinkRow[] {
  return world.store.links.where("document", documentId);
}

export function toEventLink(row: LinkRow) {
  return { id: row.id, provider: row.provider, entity_type: row.entity_type, entity_id: row.entity_id };
}

/** assumed: crm_links.no_children. */
export function toLink(row: LinkRow) {
  return { ...toEventLink(row), children: [] as { id: string; entity_type: string; entity_id: string }[] };
}
