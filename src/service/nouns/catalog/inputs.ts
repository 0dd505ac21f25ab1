import * as z from "zod";
import { listOf, queryBool, queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import { currencyCode } from "../../kit/inputs.ts";

export const BILLING_TYPES = ["one_time", "recurring"] as const;

export interface PriceTier {
  value: number;
  min_qty: number;
}

export interface PriceConfiguration {
  uuid: string;
  currency: string;
  price: number | null;
  cost: number | null;
  billing_type: (typeof BILLING_TYPES)[number];
  billing_cycle: string | null;
  tiers: PriceTier[] | null;
  pricing_method: 0 | 1 | 2;
}

export interface CatalogImage {
  is_main: boolean;
  order: number;
  src: string;
}

export interface OwnBundleItem {
  uuid: string;
  title: string;
  sku: string | null;
  description: string | null;
  image_url: string | null;
  images: CatalogImage[] | null;
  price: number | null;
  currency: string;
}

export interface CatalogItemRow extends Row {
  workspace_id: string;
  title: string;
  type: "regular" | "bundle";
  category_id: string | null;
  category_name: string | null;
  bundle_items: { quantity: number; item: string | OwnBundleItem }[] | null;
  variant_id: string;
  sku: string | null;
  description: string | null;
  images: CatalogImage[];
  custom_fields: { name: string; value: string | null }[];
  price: PriceConfiguration;
  date_created: number;
  date_modified: number;
  created_by: string;
  modified_by: string;
}

export const catalogTables = {
  catalog_items: table<CatalogItemRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};

export const CATALOG_ORDERS = ["sku", "title", "price", "date_modified"] as const;
const ORDERS = [...CATALOG_ORDERS, ...CATALOG_ORDERS.map((field) => `-${field}` as const)] as const;

export const TYPES = ["regular", "bundle"] as const;

/** assumed: catalog.page_size. */
export const searchQuery = lazy(() =>
  z.object({
    page: queryInt({ min: 1 }).default(1),
    per_page: queryInt({ min: 1, max: 100 }).default(25),
    query: z.string().optional(),
    order_by: z.enum(ORDERS).optional(),
    types: listOf(z.enum(TYPES)),
    billing_types: listOf(z.enum(BILLING_TYPES)),
    exclude_uuids: listOf(z.string()),
    category_id: z.string().optional(),
    no_category: queryBool().optional(),
  }),
);

/** assumed: catalog.empty_entries. */
const imagesInput = () =>
  z
    .array(
      z.object({
        is_main: z
          .boolean()
          .nullish()
          .transform((value) => value ?? false),
        order: z.number().default(0),
        src: z.string(),
      }),
    )
    .nullish();

const priceInput = () =>
  z.object({
    currency: currencyCode(),
    price: z.number().nullish(),
    cost: z.number().nullish(),
    billing_type: z.enum(BILLING_TYPES).optional(),
    billing_cycle: z.string().nullish(),
    tiers: z.array(z.object({ value: z.number().min(0), min_qty: z.number().min(1) })).nullish(),
    pricing_method: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  });

const bundleInput = () =>
  z
    .array(
      z.object({
        quantity: z.number().int().min(1).default(1),
        item_or_uuid: z.union([
          z.string(),
          z.object({
            uuid: z.string().min(1).optional(),
            title: z.string().optional(),
            sku: z.string().nullish(),
            description: z.string().nullish(),
            image_url: z.string().nullish(),
            images: imagesInput(),
            price: z.number().nullish(),
            currency: currencyCode().optional(),
            price_configuration: priceInput().optional(),
          }),
        ]),
      }),
    )
    .nullish();

const variantMembers = () => ({
  sku: z.string().nullish(),
  description: z.string().nullish(),
  images: imagesInput(),
  custom_fields: z.array(z.object({ name: z.string(), value: z.string().nullish() })).nullish(),
});

const itemMembers = () => ({
  category_id: z.string().nullish(),
  type: z.enum(TYPES).optional(),
  bundle_items: bundleInput(),
});

export const createRequest = lazy(() =>
  z.object({ title: z.string().min(1), ...itemMembers(), ...variantMembers(), price_configuration: priceInput() }),
);

export const itemFixture = lazy(() =>
  createRequest().extend({ id: z.string().optional(), category_name: z.string().optional() }).strict(),
);

export const updateRequest = lazy(() =>
  z.object({
    title: z.string().min(1).optional(),
    ...itemMembers(),
    product_variant: z.object({ ...variantMembers(), price_configuration: priceInput().optional() }).optional(),
  }),
);

export type CatalogSearch = z.infer<ReturnType<typeof searchQuery>>;
export type PriceInput = z.infer<ReturnType<typeof priceInput>>;
export type BundleInput = z.infer<ReturnType<typeof bundleInput>>;
export type OwnItemInput = Exclude<NonNullable<BundleInput>[number]["item_or_uuid"], string>;
export type CatalogItemInput = z.infer<ReturnType<typeof createRequest>>;
export type CatalogItemFixture = z.infer<ReturnType<typeof itemFixture>>;
export type CatalogItemPatch = z.infer<ReturnType<typeof updateRequest>>;
