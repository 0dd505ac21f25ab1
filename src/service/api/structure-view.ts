import * as z from "zod";
import { group, lazy } from "../../engine/core/operation.ts";
import { addNamedItems } from "../domain/documents/structure-view.ts";
import { ok, operation } from "./operation.ts";
import { namedItem, namedItemsRequest } from "../model/documents/inputs.ts";

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
