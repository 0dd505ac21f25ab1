import * as z from "zod";
import { isoZoneless } from "../../../engine/core/clock.ts";
import { badRequest, invalid, notFound } from "../../../engine/core/errors.ts";
import { flag, kind, list, maybe, number, oneOf, text, view, whole } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import type {
  BundleInput,
  CatalogImage,
  CatalogItemFixture,
  CatalogItemInput,
  CatalogItemPatch,
  CatalogItemRow,
  OwnBundleItem,
  OwnItemInput,
  PriceConfiguration,
  PriceInput,
  PriceTier,
} from "./inputs.ts";
import { TYPES } from "./inputs.ts";

/** What docdouble accepts in items of the catalog although it makes no sense as a price. Client lint reports it. */

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

/** assumed: catalog.not_found. */
export function requireCatalogItem(world: World, id: string): CatalogItemRow {
  const row = world.store.catalog_items.get(id);
  if (row?.workspace_id !== world.caller.workspace_id) throw notFound(`no catalog item ${id} in this workspace`);
  return row;
}

export function createCatalogItem(world: World, input: CatalogItemInput): CatalogItemRow {
  const row = addItem(world, input, world.ids.uuid(), categoryOf(world, input.category_id ?? null));
  remarkItem(world, row, input);
  return row;
}

export function seedCatalogItem(world: World, { id, category_id, category_name, ...input }: CatalogItemFixture): void {
  const category = category_id
    ? { category_id, category_name: category_name ?? null }
    : { category_id: null, category_name: null };
  addItem(world, input, id ?? world.ids.uuid(), category);
}

type Category = Pick<CatalogItemRow, "category_id" | "category_name">;

function addItem(world: World, input: CatalogItemInput, id: string, category: Category): CatalogItemRow {
  const now = world.clock.now();
  const type = input.type ?? "regular";
  return world.store.catalog_items.put({
    id,
    workspace_id: world.caller.workspace_id,
    title: input.title,
    type,
    ...category,
    bundle_items: toBundle(world, id, type, input.bundle_items),
    variant_id: world.ids.uuid(),
    // The vendor's example generates a SKU for an empty text. assumed: catalog.missing_sku.
    sku: input.sku || newSku(world),
    description: input.description ?? null,
    images: input.images ?? [],
    custom_fields: (input.custom_fields ?? []).map(({ name, value }) => ({ name, value: value ?? null })),
    price: toPrice(world, input.price_configuration, "price_configuration"),
    date_created: now,
    date_modified: now,
    created_by: world.caller.user_id,
    modified_by: world.caller.user_id,
  });
}

export function updateCatalogItem(world: World, id: string, patch: CatalogItemPatch): CatalogItemRow {
  const row = requireCatalogItem(world, id);
  const variant = patch.product_variant ?? {};
  const type = patch.type ?? row.type;
  const changed = world.store.catalog_items.put({
    ...row,
    title: patch.title ?? row.title,
    type,
    ...(patch.category_id === undefined ? {} : categoryOf(world, patch.category_id)),
    bundle_items:
      patch.bundle_items === undefined && type === row.type ? row.bundle_items : toBundle(world, id, type, patch.bundle_items),
    sku: variant.sku === undefined ? row.sku : variant.sku || newSku(world),
    description: variant.description === undefined ? row.description : variant.description,
    images: variant.images === undefined ? row.images : (variant.images ?? []),
    custom_fields:
      variant.custom_fields === undefined
        ? row.custom_fields
        : (variant.custom_fields ?? []).map(({ name, value }) => ({ name, value: value ?? null })),
    price: variant.price_configuration
      ? toPrice(world, variant.price_configuration, "product_variant.price_configuration")
      : row.price,
    date_modified: world.clock.now(),
    modified_by: world.caller.user_id,
  });
  remarkItem(world, changed, patch);
  return changed;
}

/** assumed: catalog.bundled_item. */
export function deleteCatalogItem(world: World, id: string): void {
  const row = requireCatalogItem(world, id);
  const bundle = listCatalogItems(world).find((one) => one.bundle_items?.some(({ item }) => item === id));
  if (bundle)
    throw badRequest("The item is part of a bundle", { why: `the bundle ${bundle.title} (${bundle.id}) contains this item` });
  world.store.catalog_items.delete(row.id);
}

export function listCatalogItems(world: World): CatalogItemRow[] {
  return world.store.catalog_items.where("workspace", world.caller.workspace_id);
}

/** assumed: catalog.categories. */
function categoryOf(world: World, id: string | null): Category {
  if (id === null) return { category_id: null, category_name: null };
  const known = listCatalogItems(world).find((row) => row.category_id === id);
  if (!known) throw invalid({ category_id: ["Category not found."] }, `no item of this workspace is in a category ${id}`);
  return { category_id: id, category_name: known.category_name };
}

/** Source: twelve digits in the vendor's example. */
function newSku(world: World): string {
  const digits = () => String(world.ids.between(0, 999_999)).padStart(6, "0");
  return `${world.ids.between(1, 9)}${digits().slice(1)}${digits()}`;
}

/** @throws 400. `where` is the path of `input` in the body. */
function checkTiers(input: PriceInput, where: string): void {
  if (input.pricing_method !== 0 && !input.tiers?.length)
    throw invalid({ [`${where}.tiers`]: ["This field is required."] }, "volume pricing needs tiers");
}

function toPrice(world: World, input: PriceInput, where: string): PriceConfiguration {
  checkTiers(input, where);
  return {
    uuid: world.ids.uuid(),
    currency: input.currency,
    price: input.price ?? null,
    cost: input.cost ?? null,
    billing_type: input.billing_type ?? "one_time",
    billing_cycle: input.billing_cycle ?? null,
    tiers: input.tiers ?? null,
    pricing_method: input.pricing_method,
  };
}

function toBundle(world: World, id: string, type: CatalogItemRow["type"], input: BundleInput): CatalogItemRow["bundle_items"] {
  // Source: the vendor's examples answer null for every regular item.
  if (type === "regular") return null;
  return (input ?? []).map(({ quantity, item_or_uuid: part }, i) => {
    if (typeof part !== "string") return { quantity, item: toOwnItem(world, part, `bundle_items[${i}].item_or_uuid`) };
    const item = world.store.catalog_items.get(part);
    if (item?.workspace_id !== world.caller.workspace_id || item.type === "bundle" || part === id)
      throw invalid({ [`bundle_items[${i}].item_or_uuid`]: ["Item not found."] }, `no regular catalog item ${part}`);
    return { quantity, item: part };
  });
}

function toOwnItem(world: World, input: OwnItemInput, where: string): OwnBundleItem {
  if (!input.title) throw invalid({ [`${where}.title`]: ["This field is required."] });
  if (input.price_configuration) checkTiers(input.price_configuration, `${where}.price_configuration`);
  return {
    uuid: input.uuid ?? world.ids.uuid(),
    title: input.title,
    sku: input.sku ?? null,
    description: input.description ?? null,
    image_url: input.image_url ?? null,
    images: input.images ?? null,
    price: input.price ?? input.price_configuration?.price ?? null,
    currency: input.currency ?? input.price_configuration?.currency ?? "USD",
  };
}

export const imageView = view<CatalogImage>()({ is_main: flag, order: number, src: text });
export const tierView = view<PriceTier>()({ value: number, min_qty: number });
export const customField = view<CatalogItemRow["custom_fields"][number]>()({ name: text, value: maybe(text) });

/** The catalog writes times without a zone. */
const zoneless = kind(
  () => z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/),
  (at: number) => isoZoneless(at),
);

const priceView = view<PriceConfiguration>()({
  uuid: text,
  currency: text,
  price: maybe(number),
  cost: maybe(number),
  billing_type: text,
  billing_cycle: maybe(text),
  tiers: maybe(list(tierView)),
  pricing_method: number,
});

const variant = view<CatalogItemRow>()({
  uuid: [text, (row) => row.variant_id],
  sku: maybe(text),
  description: maybe(text),
  custom_fields: list(customField),
  images: list(imageView),
  date_created: zoneless,
  date_modified: zoneless,
  status: [number, () => 0],
  price_configurations: [list(priceView), (row) => [row.price]],
});

const bundledItem = view<OwnBundleItem>()({
  uuid: text,
  title: text,
  sku: maybe(text),
  description: maybe(text),
  image_url: maybe(text),
  images: maybe(list(imageView)),
  price: maybe(number),
  currency: text,
});

type Part = NonNullable<CatalogItemRow["bundle_items"]>[number];

const part = view<Part, World>()({
  quantity: whole,
  item: [
    bundledItem,
    ({ item }, world) => (typeof item === "string" ? inBundle(world.store.catalog_items.get(item), item) : item),
  ],
});

export const itemView = view<CatalogItemRow, World>()({
  uuid: [text, (row) => row.id],
  title: text,
  date_created: zoneless,
  date_modified: zoneless,
  created_by: text,
  modified_by: text,
  default_price_configuration: [priceView, (row) => row.price],
  variants: [list(variant), (row) => [row]],
  category_id: maybe(text),
  category_name: maybe(text),
  type: oneOf(TYPES),
  bundle_items: maybe(list(part)),
});

function inBundle(row: CatalogItemRow | undefined, uuid: string): OwnBundleItem {
  return {
    uuid,
    title: row?.title ?? "",
    sku: row?.sku ?? null,
    description: row?.description ?? null,
    image_url: mainImage(row?.images ?? []),
    images: row?.images ?? null,
    price: row?.price.price ?? null,
    currency: row?.price.currency ?? "USD",
  };
}

export function mainImage(images: readonly CatalogImage[]): string | null {
  return (images.find((image) => image.is_main) ?? images[0])?.src ?? null;
}
