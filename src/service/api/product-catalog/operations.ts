import { group } from "../../../engine/core/operation.ts";
import * as catalog from "../../domain/product-catalog/items.ts";
import { searchCatalog, toSearchItem } from "../../domain/product-catalog/search.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/product-catalog/inputs.ts";
import * as schemas from "./schemas.ts";

export const productCatalogGroup = group("Product catalog", [
  operation({
    id: "searchCatalogItems",
    route: "GET /public/v2/product-catalog/items/search",
    query: inputs.searchQuery,
    responses: { 200: schemas.searchResult },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => {
      const { items, total, more } = searchCatalog(world, query);
      return ok({ items: items.map((item) => toSearchItem(item, query.query)), has_more_items: more, total });
    },
  }),
  operation({
    id: "createCatalogItem",
    route: "POST /public/v2/product-catalog/items",
    body: inputs.createRequest,
    responses: { 200: schemas.catalogItem },
    errors: [403],
    handle: ({ body }, world) => ok(catalog.toCatalogItem(world, catalog.createCatalogItem(world, body))),
  }),
  operation({
    id: "getCatalogItem",
    route: "GET /public/v2/product-catalog/items/{item_uuid}",
    responses: { 200: schemas.catalogItem },
    errors: [403],
    handle: ({ params }, world) => ok(catalog.toCatalogItem(world, catalog.requireCatalogItem(world, params.item_uuid))),
  }),
  operation({
    id: "updateCatalogItem",
    route: "PATCH /public/v2/product-catalog/items/{item_uuid}",
    body: inputs.updateRequest,
    responses: { 200: schemas.catalogItem },
    errors: [403],
    handle: ({ params, body }, world) =>
      ok(catalog.toCatalogItem(world, catalog.updateCatalogItem(world, params.item_uuid, body))),
  }),
  operation({
    id: "deleteCatalogItem",
    route: "DELETE /public/v2/product-catalog/items/{item_uuid}",
    responses: { 200: null },
    errors: [403],
    furtherErrors: [400],
    handle: ({ params }, world) => catalog.deleteCatalogItem(world, params.item_uuid),
  }),
]);
