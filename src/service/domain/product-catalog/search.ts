import { pageOf, sortBy } from "../../../engine/core/lists.ts";
import { isoSeconds } from "../../../engine/core/clock.ts";
import { listCatalogItems, mainImage } from "./items.ts";
import type { World } from "../../model/world.ts";
import type { CATALOG_ORDERS, CatalogSearch } from "../../model/product-catalog/inputs.ts";
import type { CatalogItemRow } from "../../model/product-catalog/rows.ts";

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
