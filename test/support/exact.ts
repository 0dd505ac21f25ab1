/** Exact fractions of whole numbers, for tests that compute amounts on their own. */
export interface Fraction {
  top: bigint;
  /** Positive. */
  bottom: bigint;
}

export const ZERO: Fraction = { top: 0n, bottom: 1n };

/** Reads a decimal text, such as `-12.50`. */
export function fraction(text: string): Fraction {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found) throw new Error(`${text} is not a decimal`);
  const [, sign, whole = "", decimals = ""] = found;
  const top = BigInt(whole + decimals);
  return { top: sign ? -top : top, bottom: 10n ** BigInt(decimals.length) };
}

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
});
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { top: -b.top, bottom: b.bottom });
export const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });
export const over = (a: Fraction, b: Fraction): Fraction =>
  b.top < 0n ? { top: -a.top * b.bottom, bottom: a.bottom * -b.top } : { top: a.top * b.bottom, bottom: a.bottom * b.top };
export const sum = (all: readonly Fraction[]): Fraction => all.reduce(plus, ZERO);

/** The decimal text with at most `digits` decimals, without trailing zeros. A half is rounded away from zero. */
export function rounded({ top, bottom }: Fraction, digits: number): string {
  const isNegative = top < 0n;
  const units = ((isNegative ? -top : top) * 10n ** BigInt(digits) * 2n + bottom) / (bottom * 2n);
  const text = units.toString().padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const decimals = text.slice(text.length - digits).replace(/0+$/, "");
  return `${isNegative && units > 0n ? "-" : ""}${whole}${decimals && `.${decimals}`}`;
}
