import Big from "big.js";

export const ZERO = new Big(0);

export function decimal(value: unknown): Big {
  if (typeof value !== "string" && typeof value !== "number") return ZERO;
  try {
    return new Big(typeof value === "string" ? value.trim() || 0 : value);
  } catch {
    return ZERO;
  }
}

/** Money as the service writes it: at most two decimals, no trailing zeros. */
export function money(value: Big): string {
  return value.round(2, Big.roundHalfUp).toFixed();
}
