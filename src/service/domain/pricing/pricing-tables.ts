import type { default as Big } from "big.js";
import type { Reading } from "../../assumptions/switches.ts";
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
