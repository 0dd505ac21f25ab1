/** Links of documents to objects of CRMs, as rows and as the service shows them. */
import type { World } from "../world.ts";
import type { LinkRow } from "./rows.ts";

export function linksOf(world: World, documentId: string): LinkRow[] {
  return world.store.links.where("document", documentId);
}

/** A link as events carry it. */
export function toEventLink(row: LinkRow) {
  return { id: row.id, provider: row.provider, entity_type: row.entity_type, entity_id: row.entity_id };
}

/** A link in answers. assumed: no children, as only the CRMs' own integrations make them. */
export function toLink(row: LinkRow) {
  return { ...toEventLink(row), children: [] as { id: string; entity_type: string; entity_id: string }[] };
}
