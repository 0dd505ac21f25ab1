/** Links of documents to objects of CRMs, as rows and as the service shows them. */
import { type Row, table } from "../../store/collection.ts";
import type { World } from "../world.ts";

export interface LinkRow extends Row {
  workspace_id: string;
  document_id: string;
  provider: string;
  entity_type: string;
  entity_id: string;
}

export const linkTables = {
  links: table<LinkRow>()({ indexes: { document: (row) => row.document_id, entity: entityKey } }),
};

export function entityKey(entity: Pick<LinkRow, "workspace_id" | "provider" | "entity_type" | "entity_id">): string {
  return JSON.stringify([entity.workspace_id, entity.provider, entity.entity_type, entity.entity_id]);
}

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
