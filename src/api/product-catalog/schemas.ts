import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { CATALOG_ORDERS } from "../../domain/product-catalog/search.ts";
import { dateTimeOfSeconds, dateTimeWithoutZone } from "../shapes/document.ts";
import { BILLING_TYPES } from "../../domain/product-catalog/rows.ts";
import { listOf, queryBool, queryInt } from "../../core/inputs.ts";

const ORDERS = [...CATALOG_ORDERS, ...CATALOG_ORDERS.map((field) => `-${field}` as const)] as const;
const TYPES = ["regular", "bundle"] as const;

/** assumed: 25 items a page, at most 100; neither is published. */
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
    currency: z.string().min(1),
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
            currency: z.string().optional(),
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

export const catalogItem = lazy(() =>
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

export const searchResult = lazy(() =>
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
