/** Money: decimal texts in rows and answers, exact decimals between. */
import Big from "big.js";

export const ZERO = new Big(0);

/** A decimal from a number or a text; what is none counts as 0. */
export function decimal(value: unknown): Big {
  if (typeof value !== "string" && typeof value !== "number") return ZERO;
  try {
    return new Big(typeof value === "string" ? value.trim() || 0 : value);
  } catch {
    return ZERO;
  }
}

/** Money as the service writes it: no needless zeros, at most two decimals. */
export function money(value: Big): string {
  return value.round(2, Big.roundHalfUp).toFixed();
}
