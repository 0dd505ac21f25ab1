/** What docdouble accepts in items of the catalog although it makes no sense as a price. Client lint reports it. */
import type { BundleInput, CatalogItemInput, CatalogItemPatch, PriceInput } from "../../model/product-catalog/inputs.ts";
import type { CatalogItemRow } from "../../model/product-catalog/rows.ts";
import type { World } from "../../model/world.ts";

type Remark = (pointer: string, message: string, fix: string) => void;

export function remarkItem(world: World, row: CatalogItemRow, input: CatalogItemInput | CatalogItemPatch): void {
  const remark: Remark = (pointer, message, fix) => world.remark({ kind: "doubtful_pricing", message, fix, pointer });
  if ("price_configuration" in input) remarkPrice(input.price_configuration, "/price_configuration", remark);
  else if ("product_variant" in input)
    remarkPrice(input.product_variant?.price_configuration, "/product_variant/price_configuration", remark);
  remarkBundle(row.type, input.bundle_items, remark);
  const isNewSku = ("product_variant" in input ? input.product_variant?.sku : "sku" in input ? input.sku : undefined) != null;
  const others = world.store.catalog_items.where("workspace", row.workspace_id);
  // assumed: catalog.same_sku.
  if (isNewSku && others.some((one) => one.id !== row.id && one.sku === row.sku))
    world.remark({
      kind: "doubtful_value",
      message: `Another item of the catalog has the SKU "${row.sku}"`,
      fix: "Give each item its own SKU.",
      pointer: "product_variant" in input ? "/product_variant/sku" : "/sku",
    });
}

function remarkBundle(type: CatalogItemRow["type"], parts: BundleInput, remark: Remark): void {
  if (type === "regular") {
    if (parts && parts.length > 0)
      remark("/bundle_items", "Only a bundle has bundle_items, so docdouble ignored them", 'Send the type "bundle".');
    return;
  }
  if (parts?.length === 0) remark("/bundle_items", "The bundle has no items", "Send at least one item.");
  for (const [i, { item_or_uuid: part }] of (parts ?? []).entries()) {
    if (typeof part === "string") continue;
    const at = `/bundle_items/${i}/item_or_uuid`;
    remarkPrice(part.price_configuration, `${at}/price_configuration`, remark);
  }
}

function remarkPrice(input: PriceInput | undefined, at: string, remark: Remark): void {
  if (!input) return;
  // assumed: catalog.billing_cycle.
  const cycle = input.billing_cycle;
  if (cycle != null && input.billing_type !== "recurring")
    remark(
      `${at}/billing_cycle`,
      "The price is not recurring, so its billing cycle counts for nothing",
      "Send the billing_type too.",
    );
  else if (cycle != null && !/^\d+$/.test(cycle))
    remark(
      `${at}/billing_cycle`,
      `The billing cycle "${cycle}" is not a number, so the search does not show it`,
      "Send a number.",
    );
  else if (cycle == null && input.billing_type === "recurring")
    remark(`${at}/billing_cycle`, "The recurring price has no billing cycle", "Send a billing_cycle.");
  if (input.pricing_method !== 0) return;
  if (input.tiers?.length)
    remark(
      `${at}/pricing_method`,
      "The pricing method 0 has one price, so the tiers count for nothing",
      "Send the pricing method 1, or leave the tiers out.",
    );
  else if (input.price == null) remark(`${at}/pricing_method`, "The pricing method 0 has no price", "Send a price.");
}
