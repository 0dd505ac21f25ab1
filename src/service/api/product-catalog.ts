import { group, lazy } from "../../engine/core/operation.ts";
import * as catalog from "../domain/product-catalog/items.ts";
import { searchCatalog, toSearchItem } from "../domain/product-catalog/search.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/product-catalog/inputs.ts";
import * as z from "zod";
import { dateTimeOfSeconds, dateTimeWithoutZone } from "./shapes/document.ts";
import { TYPES } from "../model/product-catalog/inputs.ts";

const images = () => z.array(z.strictObject({ is_main: z.boolean(), order: z.number(), src: z.string() }));
const tiers = () => z.array(z.strictObject({ value: z.number(), min_qty: z.number() })).nullable();
const customFields = () => z.array(z.strictObject({ name: z.string(), value: z.string().nullable() }));

const price = () =>
  z.strictObject({
    uuid: z.string(),
    currency: z.string(),
    price: z.number().nullable(),
    cost: z.number().nullable(),
    billing_type: z.string(),
    billing_cycle: z.string().nullable(),
    tiers: tiers(),
    pricing_method: z.number(),
  });

const catalogItem = lazy(() =>
  z.strictObject({
    uuid: z.string(),
    title: z.string(),
    date_created: dateTimeWithoutZone(),
    date_modified: dateTimeWithoutZone(),
    created_by: z.string(),
    modified_by: z.string(),
    default_price_configuration: price(),
    variants: z.array(
      z.strictObject({
        uuid: z.string(),
        sku: z.string().nullable(),
        description: z.string().nullable(),
        custom_fields: customFields(),
        images: images(),
        date_created: dateTimeWithoutZone(),
        date_modified: dateTimeWithoutZone(),
        status: z.number(),
        price_configurations: z.array(price()),
      }),
    ),
    category_id: z.string().nullable(),
    category_name: z.string().nullable(),
    type: z.enum(TYPES),
    bundle_items: z
      .array(
        z.strictObject({
          quantity: z.number().int(),
          item: z.strictObject({
            uuid: z.string(),
            title: z.string(),
            sku: z.string().nullable(),
            description: z.string().nullable(),
            image_url: z.string().nullable(),
            images: images().nullable(),
            price: z.number().nullable(),
            currency: z.string(),
          }),
        }),
      )
      .nullable(),
  }),
);

const searchResult = lazy(() =>
  z.strictObject({
    items: z.array(
      z.strictObject({
        billing_cycle: z.number().int().nullable(),
        billing_type: z.string(),
        bundle_items_count: z.number().int(),
        workspace_id: z.string(),
        category_id: z.string().nullable(),
        category_name: z.string().nullable(),
        created_by: z.string(),
        cost: z.number().nullable(),
        currency: z.string(),
        custom_fields: customFields(),
        date_created: dateTimeOfSeconds(),
        date_modified: dateTimeOfSeconds(),
        description: z.string().nullable(),
        image_src: z.string().nullable(),
        images: images(),
        max_tier_value: z.number().nullable(),
        min_tier_value: z.number().nullable(),
        modified_by: z.string(),
        price: z.number().nullable(),
        pricing_method: z.number().int(),
        sku: z.string(),
        title: z.string(),
        tiers: tiers(),
        type: z.enum(TYPES),
        uuid: z.string(),
        highlights: z.record(z.string(), z.strictObject({ fragments: z.array(z.string()) })).nullable(),
      }),
    ),
    has_more_items: z.boolean(),
    total: z.number(),
  }),
);

export const productCatalogGroup = group("Product catalog", [
  operation({
    id: "searchCatalogItems",
    route: "GET /public/v2/product-catalog/items/search",
    query: inputs.searchQuery,
    responses: { 200: searchResult },
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
    responses: { 200: catalogItem },
    errors: [403],
    handle: ({ body }, world) => ok(catalog.toCatalogItem(world, catalog.createCatalogItem(world, body))),
  }),
  operation({
    id: "getCatalogItem",
    route: "GET /public/v2/product-catalog/items/{item_uuid}",
    responses: { 200: catalogItem },
    errors: [403],
    handle: ({ params }, world) => ok(catalog.toCatalogItem(world, catalog.requireCatalogItem(world, params.item_uuid))),
  }),
  operation({
    id: "updateCatalogItem",
    route: "PATCH /public/v2/product-catalog/items/{item_uuid}",
    body: inputs.updateRequest,
    responses: { 200: catalogItem },
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
