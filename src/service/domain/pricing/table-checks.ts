/** What the service refuses in pricing input, beyond its types. */
import { pointerOf } from "../../../engine/core/text.ts";
import { CURRENCIES } from "../../model/pricing/currencies.ts";
import { ApiError, type FieldMessages, invalid } from "../../../engine/core/errors.ts";
import { decimal } from "./money.ts";
import type { World } from "../../model/world.ts";
import type { PricingTableInput } from "../../model/pricing/inputs.ts";

/** The currency of the request, and that of the table. */
export interface OtherCurrency {
  asked: string;
  kept: string;
}

/** `at` prefixes the field paths in errors. @throws 400 */
export function checkTables(world: World, input: readonly PricingTableInput[], at: string): void {
  const missing: FieldMessages = {};
  for (const [t, table] of input.entries()) {
    const where = `${at}pricing_tables[${t}]`;
    checkCurrency(table.options?.currency, `${where}.options.currency`);
    for (const [s, section] of (table.sections ?? []).entries())
      for (const [r, row] of (section.rows ?? []).entries())
        if (row.options === undefined) missing[`${where}.sections[${s}].rows[${r}].options`] = ["This field is required."];
  }
  const [first] = Object.keys(missing);
  // Source: the vendor's files.
  if (first === undefined || world.decide("pricing.row_options") === "optional") return;
  throw invalid(
    missing,
    `each row of a pricing table needs options, although the description calls them optional; send {} at ${first}`,
  );
}

/** assumed: pricing.currency_codes. */
function checkCurrency(currency: unknown, where: string): void {
  if (currency === undefined || (typeof currency === "string" && CURRENCIES.has(currency))) return;
  if (currency === null) throw invalid({ [where]: ["This field may not be null."] });
  const shown = typeof currency === "object" ? JSON.stringify(currency) : String(currency);
  throw invalid(
    { [where]: [`"${shown}" is not a valid choice.`] },
    "a currency is a code of ISO 4217 with three letters in upper case, such as USD",
  );
}

/** `total` is that of a table or quote after the change. @throws 400 in the other reading. */
export function checkTotal(world: World, total: string, where: string): void {
  if (decimal(total).gte(0)) return;
  if (world.decide("pricing.negative_total") === "refuse")
    throw invalid(
      { [where]: ["Ensure this value is greater than or equal to 0."] },
      `the discounts exceed the sum, so the total would be ${total}; lower the discounts`,
    );
  world.remark({
    kind: "doubtful_pricing",
    message: `The discounts exceed the sum, so the total is ${total}`,
    fix: "Lower the discounts, so that the total is at least 0.",
    pointer: pointerOf(where),
  });
}

/**
 * Source: the vendor says that the refused create leaves a broken document behind. assumed: pricing.currency_text.
 */
export function currencyRefused({ asked, kept }: OtherCurrency, { keepsChanges }: { keepsChanges: boolean }): ApiError {
  const rest = keepsChanges ? ". A broken document stays behind" : "";
  return new ApiError("invalid", `Wrong request currency ${asked} mismatch template currency`, {
    assumption: "pricing.other_currency",
    keepsChanges,
    why: `the template has prices in ${kept}; leave the currency out, or use a template in ${asked}${rest}`,
  });
}
