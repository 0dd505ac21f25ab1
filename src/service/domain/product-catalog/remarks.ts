/** What docdouble accepts in items of the catalog although it makes no sense as a price. Client lint reports it. */
import type { BundleInput, CatalogItemInput, CatalogItemPatch, PriceInput } from "../../model/product-catalog/inputs.ts";
import type { CatalogItemRow } from "../../model/product-catalog/rows.ts";
import type { World } from "../../model/world.ts";

type Remark = (pointer: string, message: string, fix: string) => void;

export function remarkItem(world: World, { type }: CatalogItemRow, input: CatalogItemInput | CatalogItemPatch): void {
  const remark: Remark = (pointer, message, fix) => world.remark({ kind: "doubtful_pricing", message, fix, pointer });
  if ("price_configuration" in input) remarkPrice(input.price_configuration, "/price_configuration", remark);
  else if ("product_variant" in input)
    remarkPrice(input.product_variant?.price_configuration, "/product_variant/price_configuration", remark);
  remarkBundle(type, input.bundle_items, remark);
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
    if (part.price != null && part.price < 0) remark(`${at}/price`, "The price is negative", "Send a price of at least 0.");
    remarkPrice(part.price_configuration, `${at}/price_configuration`, remark);
  }
}

function remarkPrice(input: PriceInput | undefined, at: string, remark: Remark): void {
  if (!input) return;
  for (const member of ["price", "cost"] as const) {
    const value = input[member];
    if (value != null && value < 0) remark(`${at}/${member}`, `The ${member} is negative`, `Send a ${member} of at least 0.`);
  }
  if (input.pricing_method !== 0) return;
  if (input.tiers?.length)
    remark(
      `${at}/pricing_method`,
      "The pricing method 0 has one price, so the tiers count for nothing",
      "Send the pricing method 1, or leave the tiers out.",
    );
  else if (input.price == null) remark(`${at}/pricing_method`, "The pricing method 0 has no price", "Send a price.");
}
