import * as z from "zod";
import { group, lazy } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import { namedItem, namedItemsRequest } from "./inputs.ts";
import type { NamedItemRow } from "./row.ts";
import { requireDocument, requireUnlocked } from "./row.ts";

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

const added = lazy(() =>
  z.strictObject({
    results: z.array(z.strictObject({ id: z.string(), ...namedItem(), page_uuid: z.string() })),
    count: z.number().int(),
  }),
);

export const structureViewGroup = group("Document Structure View", [
  operation({
    id: "addDsvNamedItems",
    route: "POST /public/v2/dsv/{document_id}/add-named-items",
    body: namedItemsRequest,
    responses: { 200: added },
    errors: [],
    furtherErrors: [423],
    handle: ({ params, body }, world) => {
      const rows = addNamedItems(world, params.document_id, body.items);
      const results = rows.map(({ id, name, level, page_name, page_uuid }) => ({ id, name, level, page_name, page_uuid }));
      return ok({ results, count: results.length });
    },
  }),
]);
