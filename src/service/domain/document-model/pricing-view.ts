import { money } from "../pricing/money.ts";
import { isSelected, itemTotals, pricingTotal, salePrice, tableTotals } from "../pricing/pricing-tables.ts";
import { columnsOf, toColumn } from "../pricing/table-columns.ts";
import { toQuote } from "../pricing/quote-view.ts";
import type { Content } from "../../model/content/rows.ts";
import type { Adjustment, NamedAdjustment, PricingItem, PricingTableRow } from "../../model/pricing/rows.ts";

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
