import Big from "big.js";
import { digitsOf } from "../../model/pricing/currencies.ts";

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
