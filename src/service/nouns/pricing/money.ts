import Big from "big.js";
import type { Adjustment, Adjustments, QuoteAdjustment, QuoteItem, QuoteRow, QuoteSection } from "./row.ts";
import { digitsOf } from "../../kit/currencies.ts";

export const ZERO = new Big(0);

export function decimal(value: unknown): Big {
  if (typeof value !== "string" && typeof value !== "number") return ZERO;
  try {
    return new Big(typeof value === "string" ? value.trim() || 0 : value);
  } catch {
    return ZERO;
  }
}

export function isDecimal(value: unknown): boolean {
  if (typeof value === "number") return true;
  return typeof value === "string" && /^\s*-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value);
}

/** Money as the service writes it: rounded to the decimals of its currency, without trailing zeros. assumed: pricing.rounding. */
export function money(value: Big, currency: string): string {
  return value.round(digitsOf(currency), Big.roundHalfUp).toFixed();
}

/** Amounts as people read them. */

const NUMBER = /^(-?\d+(?:\.(\d+))?)( [A-Z]{3})?$/;

export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** Formats numbers as `1,234.50`, with all their decimals and at least those of the currency. Returns other texts unchanged. */
export function amount(text: string): string {
  const [, digits, decimals = "", currency = ""] = NUMBER.exec(text) ?? [];
  if (digits === undefined) return text;
  const least = currency === "" ? 2 : digitsOf(currency.trim());
  const places = { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, decimals.length) };
  // As text, because a number has no more than 15 reliable digits.
  return new Intl.NumberFormat("en-US", places).format(digits as unknown as number) + currency;
}

/** With the decimals of the currency, and without its name. */
export function bareAmount(text: string, currency: string): string {
  return amount(`${text} ${currency}`).replace(` ${currency}`, "");
}

export interface Amounts {
  subtotal: Big;
  discount: Big;
  tax: Big;
  fee: Big;
  total: Big;
}

export interface ItemAmounts extends Amounts {
  price: Big;
  overall: Big;
}

export interface Sums extends Amounts {
  one_time: Big;
  recurring: [cycle: string, value: Big][];
  qty: Big;
  overall: Big;
  savings: Big;
}

/** Source: the official description: tiers of a base value are discounts in percent. assumed: quotes.tier_price. */
export function unitPrice(item: Pick<QuoteItem, "qty" | "price" | "price_settings">): Big {
  const { price_settings } = item;
  if (!price_settings) return decimal(item.price);
  const { base_value, tiers } = price_settings;
  const qty = decimal(item.qty);
  const reached = [...tiers].sort((a, b) => b.min_qty - a.min_qty).find((tier) => qty.gte(tier.min_qty));
  if (base_value === null) return reached ? decimal(reached.value) : decimal(item.price);
  const base = decimal(base_value);
  return reached ? base.minus(base.times(decimal(reached.value)).div(100)) : base;
}

export function amountOf(adjustment: Pick<QuoteAdjustment | Adjustment, "type" | "value">, base: Big): Big {
  const value = decimal(adjustment.value);
  return adjustment.type === "percent" ? base.times(value).div(100) : value;
}

function sum(adjustments: Readonly<Record<string, QuoteAdjustment>>, base: Big): Big {
  return Object.values(adjustments).reduce((total, one) => total.plus(amountOf(one, base)), ZERO);
}

/** assumed: quotes.adjustment_order. */
function adjust(subtotal: Big, { discounts, taxes, fees }: Adjustments): Amounts {
  const discount = sum(discounts, subtotal);
  const base = subtotal.minus(discount);
  const tax = sum(taxes, base);
  const fee = sum(fees, base);
  return { subtotal, discount, tax, fee, total: base.plus(tax).plus(fee) };
}

/** assumed: quotes.multipliers. */
export function itemAmounts(item: QuoteItem): ItemAmounts {
  const price = unitPrice(item);
  const factor = Object.values(item.multipliers).reduce((product, one) => product.times(decimal(one)), decimal(1));
  const amounts = adjust(price.times(decimal(item.qty)).times(factor), item);
  const periods = item.billing_frequency === null ? 1 : (item.contract_term ?? 1);
  return { ...amounts, price, overall: amounts.total.times(periods) };
}

interface Choice {
  optional: boolean;
  selected: boolean;
}

/** Returns the entries that count. assumed: quotes.selection. */
function chosen<T>(list: readonly T[], type: QuoteRow["settings"]["selection_type"], of: (one: T) => Choice): T[] {
  if (type === "custom") return list.filter((one) => !of(one).optional || of(one).selected);
  const selected = list.filter((one) => of(one).selected);
  return type === "single" ? selected.slice(0, 1) : selected;
}

export function isChoosable(type: QuoteRow["settings"]["selection_type"], { optional }: Pick<Choice, "optional">): boolean {
  return type !== "custom" || optional;
}

type Part = Omit<Sums, keyof Amounts> & Pick<Amounts, "total">;

function toPart(item: QuoteItem): Part {
  const { total, overall, discount } = itemAmounts(item);
  const cycle = item.billing_frequency;
  return {
    total,
    one_time: cycle === null ? total : ZERO,
    recurring: cycle === null ? [] : [[cycle, total]],
    qty: decimal(item.qty),
    overall,
    savings: discount,
  };
}

function sumsOf(parts: readonly Part[], summary: Adjustments): Sums {
  const add = (member: Exclude<keyof Part, "recurring">) => parts.reduce((result, part) => result.plus(part[member]), ZERO);
  const recurring = new Map<string, Big>();
  for (const [cycle, value] of parts.flatMap((part) => part.recurring))
    recurring.set(cycle, (recurring.get(cycle) ?? ZERO).plus(value));
  const amounts = adjust(add("total"), summary);
  return {
    ...amounts,
    one_time: add("one_time"),
    recurring: [...recurring],
    qty: add("qty"),
    overall: adjust(add("overall"), summary).total,
    savings: add("savings").plus(amounts.discount),
  };
}

/** The rows that count. */
export function chosenItems({ items, settings }: Pick<QuoteSection, "items" | "settings">): QuoteItem[] {
  return chosen(items, settings.selection_type, (item) => item.options);
}

export function chosenSections({ sections, settings }: Pick<QuoteRow, "sections" | "settings">): QuoteSection[] {
  return chosen(sections, settings.selection_type, (section) => section.settings);
}

export function sectionSums(section: QuoteSection): Sums {
  return sumsOf(chosenItems(section).map(toPart), section.summary);
}

export function quoteSums(quote: Pick<QuoteRow, "sections" | "settings" | "summary">): Sums {
  return sumsOf(chosenSections(quote).map(sectionSums), quote.summary);
}
