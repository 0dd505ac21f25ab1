import type { default as Big } from "big.js";
import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import type { Reading } from "../../assumptions/switches.ts";
import { as } from "../../kit/view.ts";
import type { Content } from "../content/row.ts";
import type { Amounts } from "./money.ts";
import { ZERO, amountOf, decimal, money, quoteSums } from "./money.ts";
import { toQuote } from "./quotes.ts";
import type { Adjustment, NamedAdjustment, PricingItem, PricingTableRow } from "./row.ts";
import { columnsOf, toColumn } from "./table-columns.ts";

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

function toAdjustment(adjustment: Adjustment | null): { value: string; type: string } {
  return { value: adjustment?.value ?? "0", type: adjustment?.type ?? "percent" };
}

function toAdjustments(adjustments: Record<string, Adjustment>): Record<string, { value: string; type: string }> {
  return Object.fromEntries(Object.entries(adjustments).map(([name, one]) => [name, toAdjustment(one)]));
}

function byName(discounts: readonly NamedAdjustment[]): Record<string, Adjustment> {
  return Object.fromEntries(discounts.map((one) => [one.name, one]));
}

function toPricingItem({ currency, discounts }: PricingTableRow, item: PricingItem, names: DiscountNames) {
  return {
    id: item.id,
    sku: item.sku,
    qty: item.qty,
    name: item.name,
    cost: item.cost,
    price: item.price,
    description: item.description,
    custom_fields: item.custom_fields,
    custom_columns: item.custom_columns,
    discount: toAdjustment(item.discount),
    tax_first: toAdjustment(item.tax_first),
    tax_second: toAdjustment(item.tax_second),
    subtotal: money(itemTotals(item).subtotal, currency),
    options: {
      optional: item.options.optional,
      optional_selected: isSelected(item),
      multichoice_enabled: item.options.multichoice_enabled,
      multichoice_selected: item.options.multichoice_selected,
    },
    sale_price: salePrice(item, currency),
    taxes: toAdjustments(item.taxes),
    discounts: names === "hidden" ? {} : toAdjustments({ ...byName(discounts), ...item.discounts }),
    fees: toAdjustments(item.fees),
    merged_data: item.merged_data,
  };
}

function toPricingTable(table: PricingTableRow, names: DiscountNames) {
  const summary = tableTotals(table);
  return {
    name: table.name,
    id: table.id,
    total: summary.total,
    is_included_in_total: table.is_included_in_total,
    summary,
    items: table.items.map((item) => toPricingItem(table, item, names)),
    currency: table.currency,
    data_merge_enabled: table.data_merge_enabled,
    columns: columnsOf(table).map(toColumn),
  };
}

export type PricingView =
  | Record<string, never>
  | { tables: ReturnType<typeof toPricingTable>[]; quotes: ReturnType<typeof toQuote>[]; total: string };

/** Source: the vendor saw names of discounts in documents, and none in templates. assumed: pricing.discount_places. */
export type DiscountNames = "shown" | "hidden";

export function toPricing(
  content: Pick<Content, "pricing_tables" | "quotes">,
  currency: string,
  names: DiscountNames = "shown",
): PricingView {
  if (content.pricing_tables.length === 0 && content.quotes.length === 0) return {};
  return {
    tables: content.pricing_tables.map((table) => toPricingTable(table, names)),
    quotes: content.quotes.map(toQuote),
    total: pricingTotal(content, currency).amount,
  };
}

/** The member `pricing` of an answer. */
export const pricingKind = as(pricing as () => z.ZodType<PricingView, PricingView>);

function sum(adjustments: Iterable<Adjustment | null>, base: Big): Big {
  let total = ZERO;
  for (const adjustment of adjustments) if (adjustment) total = total.plus(amountOf(adjustment, base));
  return total;
}

export function isSelected(item: PricingItem): boolean {
  if (item.options.multichoice_enabled) return item.options.multichoice_selected;
  return !item.options.optional || item.options.optional_selected;
}

/** assumed: pricing.table_order. */
export function itemTotals(item: PricingItem): Omit<Amounts, "total"> {
  const subtotal = decimal(item.price).times(decimal(item.qty));
  const discount = sum([item.discount, ...Object.values(item.discounts)], subtotal);
  const base = subtotal.minus(discount);
  return {
    subtotal,
    discount,
    tax: sum([item.tax_first, item.tax_second, ...Object.values(item.taxes)], base),
    fee: sum(Object.values(item.fees), base),
  };
}

export function salePrice(item: PricingItem, currency: string): string {
  const { subtotal, discount } = itemTotals(item);
  const qty = decimal(item.qty);
  return money(qty.eq(0) ? decimal(item.price) : subtotal.minus(discount).div(qty), currency);
}

function totalsOf(table: PricingTableRow): Amounts {
  let subtotal = ZERO;
  let discount = ZERO;
  let tax = ZERO;
  let fee = ZERO;
  for (const item of table.items) {
    if (!isSelected(item)) continue;
    const totals = itemTotals(item);
    subtotal = subtotal.plus(totals.subtotal);
    discount = discount.plus(totals.discount);
    tax = tax.plus(totals.tax);
    fee = fee.plus(totals.fee);
  }
  // assumed: pricing.combined_discounts.
  discount = discount.plus(sum(table.discounts, subtotal.minus(discount)));
  const base = subtotal.minus(discount);
  tax = tax.plus(sum([table.tax], base));
  fee = fee.plus(sum([table.fee], base));
  return { subtotal, discount, tax, fee, total: base.plus(tax).plus(fee) };
}

export function tableTotals(table: PricingTableRow): Record<keyof Amounts, string> {
  const totals = totalsOf(table);
  const text = (amount: Big) => money(amount, table.currency);
  return {
    subtotal: text(totals.subtotal),
    discount: text(totals.discount),
    tax: text(totals.tax),
    fee: text(totals.fee),
    total: text(totals.total),
  };
}

type Priced = Pick<Content, "pricing_tables" | "quotes">;

export interface Total {
  amount: string;
  currency: string;
}

export function amountDue(content: Priced, agreed: string, currency: string): string {
  return agreed || pricingTotal(content, currency).amount;
}

/** The sum of all tables and quotes in the currency of the first one. `currency` is that of the account. */
export function pricingTotal(content: Priced, currency: string): Total {
  let total = ZERO;
  for (const table of content.pricing_tables) if (table.is_included_in_total) total = total.plus(totalsOf(table).total);
  for (const quote of content.quotes) total = total.plus(quoteSums(quote).total);
  const shown = currenciesOf(content)[0] ?? currency;
  return { amount: money(total, shown), currency: shown };
}

function currenciesOf({ pricing_tables, quotes }: Priced): string[] {
  return [...pricing_tables, ...quotes].map((one) => one.currency);
}

/** Says whether a table or a quote has another currency than the account. */
export function hasOtherCurrency(content: Priced, currency: string): boolean {
  return currenciesOf(content).some((one) => one !== currency);
}

/** The member `grand_total`. `currency` is that of the account. assumed: details.grand_total. */
export function grandTotal(content: Priced, currency: string, reading: Reading<"details.grand_total">): Total {
  if (reading === "zero" || (reading === "same_currency" && hasOtherCurrency(content, currency)))
    return { amount: "0", currency };
  return pricingTotal(content, currency);
}
