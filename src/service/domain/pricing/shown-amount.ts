/** Amounts as people read them. */
import { digitsOf } from "../../model/pricing/currencies.ts";

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
