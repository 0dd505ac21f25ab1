import { z } from "zod";
import { lazy } from "../../core/operation.ts";

const adjustment = () => z.strictObject({ value: z.string(), type: z.string() });
const adjustments = () => z.record(z.string(), adjustment());
const free = () => z.record(z.string(), z.unknown());

export const pricingTable = lazy(() =>
  z.strictObject({
    name: z.string(),
    id: z.string(),
    total: z.string(),
    is_included_in_total: z.boolean(),
    summary: z.strictObject({ subtotal: z.string(), total: z.string(), discount: z.string(), tax: z.string(), fee: z.string() }),
    items: z.array(
      z.strictObject({
        id: z.string(),
        sku: z.string(),
        qty: z.string(),
        name: z.string(),
        cost: z.string(),
        price: z.string(),
        description: z.string(),
        custom_fields: free(),
        custom_columns: free(),
        discount: adjustment(),
        tax_first: adjustment(),
        tax_second: adjustment(),
        subtotal: z.string(),
        options: z.strictObject({
          optional: z.boolean(),
          optional_selected: z.boolean(),
          multichoice_enabled: z.boolean(),
          multichoice_selected: z.boolean(),
        }),
        sale_price: z.string(),
        taxes: adjustments(),
        discounts: adjustments(),
        fees: adjustments(),
        merged_data: z.record(z.string(), z.string()),
      }),
    ),
    currency: z.string(),
  }),
);

/** assumed so far: a quote's inside is checked where quotes are made. */
export const quote = lazy(() =>
  z.strictObject({
    id: z.string(),
    currency: z.string(),
    total: z.string(),
    summary: free(),
    sections: z.array(free()),
    merge_rules: z.array(free()),
    settings: z.strictObject({ selection_type: z.enum(["custom", "single", "multiple"]) }),
  }),
);

/** An empty object when there is neither table nor quote. */
export const pricing = lazy(() =>
  z.union([z.strictObject({ tables: z.array(pricingTable()), quotes: z.array(quote()), total: z.string() }), z.strictObject({})]),
);
