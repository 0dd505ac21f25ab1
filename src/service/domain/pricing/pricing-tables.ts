import type { default as Big } from "big.js";
import { decimal, money, ZERO } from "./money.ts";
import { type Amounts, amountOf, quoteSums } from "./quote-totals.ts";
import type { Adjustment, PricingItem, PricingTableRow } from "../../model/pricing/rows.ts";
import type { Content } from "../../model/content/rows.ts";

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

export function salePrice(item: PricingItem): string {
  const { subtotal, discount } = itemTotals(item);
  const qty = decimal(item.qty);
  return qty.eq(0) ? money(decimal(item.price)) : money(subtotal.minus(discount).div(qty));
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
  discount = discount.plus(sum([table.discount], subtotal.minus(discount)));
  const base = subtotal.minus(discount);
  tax = tax.plus(sum([table.tax], base));
  fee = fee.plus(sum([table.fee], base));
  return { subtotal, discount, tax, fee, total: base.plus(tax).plus(fee) };
}

export function tableTotals(table: PricingTableRow): Record<keyof Amounts, string> {
  const totals = totalsOf(table);
  return {
    subtotal: money(totals.subtotal),
    discount: money(totals.discount),
    tax: money(totals.tax),
    fee: money(totals.fee),
    total: money(totals.total),
  };
}

export function amountDue(content: Pick<Content, "pricing_tables" | "quotes">, agreed: string, currency: string): string {
  return agreed || grandTotal(content, currency).amount;
}

export function grandTotal(
  content: Pick<Content, "pricing_tables" | "quotes">,
  currency: string,
): { amount: string; currency: string } {
  let total = ZERO;
  for (const table of content.pricing_tables) if (table.is_included_in_total) total = total.plus(totalsOf(table).total);
  for (const quote of content.quotes) total = total.plus(quoteSums(quote).total);
  const first = content.pricing_tables[0]?.currency ?? content.quotes[0]?.currency;
  return { amount: money(total), currency: first ?? currency };
}
