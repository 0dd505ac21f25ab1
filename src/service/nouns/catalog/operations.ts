import * as z from "zod";
import { isoSeconds } from "../../../engine/core/clock.ts";
import { pageOf, sortBy } from "../../../engine/core/lists.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import { as, kind, list, maybe, number, oneOf, seconds, text, view, whole } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import * as inputs from "./inputs.ts";
import type { CATALOG_ORDERS, CatalogItemRow, CatalogSearch } from "./inputs.ts";
import { TYPES } from "./inputs.ts";
import * as catalog from "./items.ts";
import { customField, imageView, listCatalogItems, mainImage, tierView } from "./items.ts";

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

/** The search writes times with an offset. */
const offset = kind(seconds, (at: number) => isoSeconds(at, "+00:00"));

const highlight = as(() => z.record(z.string(), z.strictObject({ fragments: z.array(z.string()) })));

/** `query`: what the caller searches for. */
const searchItem = view<CatalogItemRow, string | undefined>()({
  billing_cycle: [
    maybe(whole),
    ({ price: { billing_cycle } }) => (/^\d+$/.test(billing_cycle ?? "") ? Number(billing_cycle) : null),
  ],
  billing_type: [text, ({ price }) => price.billing_type],
  bundle_items_count: [whole, (row) => row.bundle_items?.length ?? 0],
  workspace_id: text,
  category_id: maybe(text),
  category_name: maybe(text),
  created_by: text,
  cost: [maybe(number), ({ price }) => price.cost],
  currency: [text, ({ price }) => price.currency],
  custom_fields: list(customField),
  date_created: offset,
  date_modified: offset,
  description: maybe(text),
  image_src: [maybe(text), (row) => mainImage(row.images)],
  images: list(imageView),
  max_tier_value: [maybe(number), ({ price }) => ofTiers(price.tiers, Math.max)],
  min_tier_value: [maybe(number), ({ price }) => ofTiers(price.tiers, Math.min)],
  modified_by: text,
  price: [maybe(number), ({ price }) => (price.pricing_method === 0 ? price.price : null)],
  pricing_method: [whole, ({ price }) => price.pricing_method],
  sku: [text, ({ sku }) => sku ?? ""],
  title: text,
  tiers: [maybe(list(tierView)), ({ price }) => price.tiers],
  type: oneOf(TYPES),
  uuid: [text, ({ id }) => id],
  highlights: [maybe(highlight), highlightsOf],
});

function ofTiers(tiers: CatalogItemRow["price"]["tiers"], choose: (...values: number[]) => number): number | null {
  return tiers?.length ? choose(...tiers.map(({ value }) => value)) : null;
}

const searchResult = lazy(() => z.strictObject({ items: z.array(searchItem()), has_more_items: z.boolean(), total: z.number() }));

export const productCatalogGroup = group("Product catalog", [
  operation({
    id: "searchCatalogItems",
    route: "GET /public/v2/product-catalog/items/search",
    query: inputs.searchQuery,
    responses: { 200: searchResult },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => {
      const { items, total, more } = searchCatalog(world, query);
      return ok({ items: items.map((item) => searchItem.of(item, query.query)), has_more_items: more, total });
    },
  }),
  operation({
    id: "createCatalogItem",
    route: "POST /public/v2/product-catalog/items",
    body: inputs.createRequest,
    responses: { 200: catalog.itemView },
    errors: [403],
    handle: ({ body }, world) => ok(catalog.itemView.of(catalog.createCatalogItem(world, body), world)),
  }),
  operation({
    id: "getCatalogItem",
    route: "GET /public/v2/product-catalog/items/{item_uuid}",
    responses: { 200: catalog.itemView },
    errors: [403],
    handle: ({ params }, world) => ok(catalog.itemView.of(catalog.requireCatalogItem(world, params.item_uuid), world)),
  }),
  operation({
    id: "updateCatalogItem",
    route: "PATCH /public/v2/product-catalog/items/{item_uuid}",
    body: inputs.updateRequest,
    responses: { 200: catalog.itemView },
    errors: [403],
    handle: ({ params, body }, world) => ok(catalog.itemView.of(catalog.updateCatalogItem(world, params.item_uuid, body), world)),
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
