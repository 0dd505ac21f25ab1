import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { currencyCode } from "../../kit/inputs.ts";
import { BILLING_FREQUENCIES, SELECTION_TYPES } from "./row.ts";

export const pricingTables = lazy(() =>
  z.array(
    z.object({
      name: z.string(),
      data_merge: z.boolean().optional(),
      options: z.record(z.string(), z.unknown()).optional(),
      sections: z
        .array(
          z.object({
            title: z.string(),
            default: z.boolean().optional(),
            multichoice_enabled: z.boolean().optional(),
            rows: z
              .array(
                z.object({
                  options: z
                    .object({
                      qty_editable: z.boolean().optional(),
                      optional_selected: z.boolean().optional(),
                      optional: z.boolean().optional(),
                    })
                    .optional(),
                  data: z.record(z.string(), z.unknown()).optional(),
                  custom_fields: z.record(z.string(), z.unknown()).optional(),
                }),
              )
              .optional(),
          }),
        )
        .optional(),
    }),
  ),
);

export type PricingTableInput = z.infer<ReturnType<typeof pricingTables>>[number];

const texts = () => z.record(z.string(), z.string());

/** Source: the official description requires neither member. assumed: quotes.partial_adjustment. */
const adjustments = () =>
  z.record(z.string(), z.object({ type: z.enum(["percent", "flat"]).optional(), value: z.number().optional() }));

const adjustable = () => ({
  discounts: adjustments().optional(),
  taxes: adjustments().optional(),
  fees: adjustments().optional(),
});

const quoteSummary = () => z.object({ ...adjustable(), custom_columns: texts().optional() }).optional();

const selectionType = () => z.enum(SELECTION_TYPES).optional();

/** Both spellings are in use. assumed: quotes.semiannual_spelling. */
const billingFrequency = () =>
  z
    .enum([...BILLING_FREQUENCIES, "semiannualy"])
    .transform((word) => (word === "semiannualy" ? ("semiannually" as const) : word));

const quoteItem = () =>
  z.object({
    id: z.string().optional(),
    sku: z.string().optional(),
    name: z.string().optional(),
    description: z.string().optional(),
    qty: z.number().int().optional(),
    price: z.number().optional(),
    price_settings: z
      .object({
        base_value: z.number().nullable(),
        tiers: z.array(z.object({ min_qty: z.number().int(), value: z.number() })).min(1),
      })
      .nullish(),
    cost: z.number().optional(),
    billing_frequency: billingFrequency().nullish(),
    contract_term: z.number().int().nullish(),
    reference_id: z.string().nullish(),
    options: z
      .object({ selected: z.boolean().optional(), qty_editable: z.boolean().optional(), optional: z.boolean().optional() })
      .optional(),
    custom_columns: texts().optional(),
    external_columns: texts().optional(),
    text_columns: texts().optional(),
    ...adjustable(),
    multipliers: z.record(z.string(), z.number()).optional(),
  });

/** Fixtures of templates use it too. assumed: quotes.qty_editable. */
export const quoteRequest = lazy(() =>
  z.object({
    currency: currencyCode().optional(),
    summary: quoteSummary(),
    sections: z
      .array(
        z.object({
          id: z.string().optional(),
          name: z.string().nullish(),
          summary: quoteSummary(),
          items: z.array(quoteItem()).optional(),
          settings: z
            .object({
              optional: z.boolean().optional(),
              selected: z.boolean().optional(),
              selection_type: selectionType(),
              data_merge_enabled: z.boolean().optional(),
            })
            .optional(),
        }),
      )
      .optional(),
    settings: z.object({ selection_type: selectionType() }).optional(),
  }),
);

const BATCH_MAX = 25;

/** Source: version 8.20.0 of the official description: 1 to 25 quotes with unique ids. assumed: quotes.batch_body. */
export const quotesRequest = lazy(() =>
  z.object({
    quotes: z
      .array(quoteRequest().extend({ id: z.string() }))
      .min(1)
      .max(BATCH_MAX)
      .superRefine((quotes, context) => {
        const ids = new Set<string>();
        for (const [i, { id }] of quotes.entries()) {
          if (ids.has(id)) context.addIssue({ code: "custom", message: "Quote ids must be unique.", path: [i, "id"] });
          ids.add(id);
        }
      }),
  }),
);

export type QuoteInput = z.infer<ReturnType<typeof quoteRequest>>;
export type QuoteItemInput = z.infer<ReturnType<typeof quoteItem>>;
export type QuoteSummaryInput = NonNullable<QuoteInput["summary"]>;
