import * as z from "zod";
import { isoSeconds } from "../../../engine/core/clock.ts";
import { pageOf, sortBy } from "../../../engine/core/lists.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import { dateTimeOfSeconds, dateTimeWithoutZone } from "../documents/answers.ts";
import * as inputs from "./inputs.ts";
import type { CATALOG_ORDERS, CatalogItemRow, CatalogSearch } from "./inputs.ts";
import { TYPES } from "./inputs.ts";
import * as catalog from "./items.ts";
import { listCatalogItems, mainImage } from "./items.ts";

type OrderField = (typeof CATALOG_ORDERS)[number];

/** assumed: catalog.search_order. */
export function searchCatalog(world: World, search: CatalogSearch): { items: CatalogItemRow[]; total: number; more: boolean } {
  const query = search.query?.toLowerCase();
  const found = listCatalogItems(world).filter(
    (row) =>
      (query === undefined || textsOf(row).some(([, one]) => one.toLowerCase().includes(query))) &&
      (!search.types?.length || search.types.includes(row.type)) &&
      (!search.billing_types?.length || search.billing_types.includes(row.price.billing_type)) &&
      !search.exclude_uuids?.includes(row.id) &&
      (search.category_id === undefined || row.category_id === search.category_id) &&
      (search.no_category !== true || row.category_id === null),
  );
  const order = search.order_by ?? "-date_modified";
  const field = order.replace("-", "") as OrderField;
  const sorted = sortBy(found, (row) => keyOf(row, field), order.startsWith("-"));
  const items = pageOf(sorted, { page: search.page, count: search.per_page });
  return { items, total: found.length, more: search.page * search.per_page < found.length };
}

/** Source: the official description: the search covers these members, and names and values of custom fields. */
function textsOf(row: CatalogItemRow): [where: string, text: string][] {
  const fields = row.custom_fields.flatMap(({ name, value }) => [name, value ?? ""]);
  return [
    ["title", row.title],
    ["sku", row.sku ?? ""],
    ["description", row.description ?? ""],
    ["category_name", row.category_name ?? ""],
    ...fields.map((text): [string, string] => ["custom_fields", text]),
  ];
}

/** Marks the query in the matching texts. assumed: catalog.highlights. */
function highlightsOf(row: CatalogItemRow, query: string | undefined): Record<string, { fragments: string[] }> | null {
  if (!query) return null;
  const found: Record<string, { fragments: string[] }> = {};
  for (const [where, text] of textsOf(row)) {
    const marked = mark(text, query.toLowerCase());
    if (marked === undefined) continue;
    found[where] ??= { fragments: [] };
    found[where].fragments.push(marked);
  }
  return found;
}

function mark(text: string, query: string): string | undefined {
  const lower = text.toLowerCase();
  if (!lower.includes(query)) return undefined;
  // Some letters change their length with their case, so positions do not match. Mark the whole text.
  if (lower.length !== text.length) return `<em>${text}</em>`;
  let marked = "";
  let from = 0;
  for (let at = lower.indexOf(query); at >= 0; at = lower.indexOf(query, from)) {
    marked += `${text.slice(from, at)}<em>${text.slice(at, at + query.length)}</em>`;
    from = at + query.length;
  }
  return marked + text.slice(from);
}

function keyOf(row: CatalogItemRow, field: OrderField): string | number {
  if (field === "date_modified") return row.date_modified;
  if (field === "price") return row.price.price ?? Math.min(...(row.price.tiers ?? []).map((tier) => tier.value), Infinity);
  return (field === "sku" ? (row.sku ?? "") : row.title).toLowerCase();
}

export function toSearchItem(row: CatalogItemRow, query: string | undefined) {
  const { price } = row;
  const values = price.tiers?.map((tier) => tier.value) ?? [];
  return {
    billing_cycle: price.billing_cycle !== null && /^\d+$/.test(price.billing_cycle) ? Number(price.billing_cycle) : null,
    billing_type: price.billing_type,
    bundle_items_count: row.bundle_items?.length ?? 0,
    workspace_id: row.workspace_id,
    category_id: row.category_id,
    category_name: row.category_name,
    created_by: row.created_by,
    cost: price.cost,
    currency: price.currency,
    custom_fields: row.custom_fields,
    date_created: isoSeconds(row.date_created, "+00:00"),
    date_modified: isoSeconds(row.date_modified, "+00:00"),
    description: row.description,
    image_src: mainImage(row.images),
    images: row.images,
    max_tier_value: values.length > 0 ? Math.max(...values) : null,
    min_tier_value: values.length > 0 ? Math.min(...values) : null,
    modified_by: row.modified_by,
    price: price.pricing_method === 0 ? price.price : null,
    pricing_method: price.pricing_method,
    sku: row.sku ?? "",
    title: row.title,
    tiers: price.tiers,
    type: row.type,
    uuid: row.id,
    highlights: highlightsOf(row, query),
  };
}

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
