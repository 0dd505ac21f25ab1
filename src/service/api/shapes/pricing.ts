import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";

const adjustment = () => z.strictObject({ value: z.string(), type: z.string() });
const adjustments = () => z.record(z.string(), adjustment());
const columns = () =>
  z.array(z.strictObject({ header: z.string(), name: z.string(), merge_name: z.string(), hidden: z.boolean() }));
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
        merged_data: z.record(z.string(), z.union([z.string(), adjustment()])),
      }),
    ),
    currency: z.string(),
    data_merge_enabled: z.boolean(),
    columns: columns(),
  }),
);

const texts = () => z.record(z.string(), z.string());

const quoteSummary = () => ({
  total: z.string(),
  subtotal: z.string(),
  one_time_subtotal: z.string(),
  recurring_subtotal: z.array(z.strictObject({ billing_cycle: z.string(), value: z.string() })),
  total_qty: z.string(),
  discounts: adjustments(),
  taxes: adjustments(),
  fees: adjustments(),
  custom_fields: texts(),
});

const selectionType = () => z.enum(["custom", "single", "multiple"]);

const quoteItem = () =>
  z.strictObject({
    id: z.string(),
    sku: z.string(),
    name: z.string(),
    description: z.string(),
    qty: z.string(),
    price: z.string(),
    cost: z.string().nullable(),
    billing_frequency: z.string().nullable(),
    contract_term: z.string().nullable(),
    pricing_method: z.string(),
    type: z.string(),
    reference_type: z.string().nullable(),
    reference_id: z.string().nullable(),
    images: z.array(z.string()),
    thumbnail: z.string().nullable(),
    total_qty: z.string(),
    merged_data: texts(),
    options: z.strictObject({ selected: z.boolean(), qty_editable: z.boolean() }),
    custom_columns: texts(),
    external_columns: texts(),
    discounts: adjustments(),
    taxes: adjustments(),
    fees: adjustments(),
    multipliers: texts(),
    total: z.string(),
    overall_total: z.string(),
  });

const quoteSection = () =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    summary: z.strictObject({ ...quoteSummary(), total_section_value: z.string() }),
    columns: columns(),
    items: z.array(quoteItem()),
    total: z.string(),
    settings: z.strictObject({
      optional: z.boolean(),
      selected: z.boolean(),
      selection_type: selectionType(),
      data_merge_enabled: z.boolean(),
    }),
  });

export const quote = lazy(() =>
  z.strictObject({
    id: z.string(),
    currency: z.string(),
    total: z.string(),
    summary: z.strictObject({
      ...quoteSummary(),
      total_discount: z.string(),
      total_tax: z.string(),
      total_fee: z.string(),
      total_savings: z.string(),
      total_contract_value: z.string(),
    }),
    sections: z.array(quoteSection()),
    merge_rules: z.array(
      z.strictObject({
        id: z.string(),
        enabled: z.boolean(),
        action: z.strictObject({ type: z.string(), section_id: z.string() }),
        condition: z.strictObject({
          field_name: z.string(),
          type: z.string(),
          comparison: z.array(z.strictObject({ type: z.string(), value: z.string() })),
        }),
      }),
    ),
    settings: z.strictObject({ selection_type: selectionType() }),
  }),
);

/** An empty object without tables and quotes. */
export const pricing = lazy(() =>
  z.union([z.strictObject({ tables: z.array(pricingTable()), quotes: z.array(quote()), total: z.string() }), z.strictObject({})]),
);
