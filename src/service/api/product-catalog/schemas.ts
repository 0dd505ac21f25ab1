import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTimeOfSeconds, dateTimeWithoutZone } from "../shapes/document.ts";
import { TYPES } from "../../model/product-catalog/inputs.ts";

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
