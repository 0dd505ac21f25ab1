import type { default as Big } from "big.js";
import type { Amounts, Sums } from "./money.ts";
import { ZERO, amountOf, chosenSections, decimal, itemAmounts, money, quoteSums, sectionSums } from "./money.ts";
import type { Adjustment, Adjustments, PricingTableRow, QuoteAdjustment, QuoteItem, QuoteRow, QuoteSection } from "./row.ts";
import { isSelected, itemTotals, tableTotals } from "./tables.ts";

/**
 * The sums of pricing tables and quotes for readers, line by line. Each amount is a text of the API, or a part of one. The parts of an
 * amount add up to it, also after rounding.
 */

export interface BillLine {
  label: string;
  /** What the sender calls it, and its rate. */
  of: string;
  /** Negative for a discount. */
  amount: string;
  isTotal?: true;
}

export function lineLabel({ label, of }: BillLine): string {
  return of === "" ? label : `${label} (${of})`;
}

const KINDS = [
  ["discount", "Discount"],
  ["tax", "Tax"],
  ["fee", "Fee"],
] as const;

type Kind = (typeof KINDS)[number][0];

interface BillPart {
  kind: Kind;
  name: string;
  /** Empty for an amount of money. */
  rate: string;
  amount: Big;
}

/** A name that only repeats the kind says nothing. */
function ofText(kind: Kind, { name, rate }: Pick<BillPart, "name" | "rate">): string {
  const isPlain = name === "" || name.toLowerCase() === kind;
  return [isPlain ? "" : name, rate].filter(Boolean).join(", ");
}

function rateOf({ type, value }: Adjustment | QuoteAdjustment): string {
  return type === "percent" ? `${decimal(value).toFixed()}%` : "";
}

/** Parts with the same name and rate are one line. The last line of a kind takes what rounding leaves. */
function linesOf(parts: readonly BillPart[], totals: Readonly<Record<Kind, string>>, currency: string): BillLine[] {
  return KINDS.flatMap(([kind, label]) => {
    const sums = new Map<string, Big>();
    for (const part of parts)
      if (part.kind === kind) sums.set(ofText(kind, part), (sums.get(ofText(kind, part)) ?? ZERO).plus(part.amount));
    const shown = [...sums].filter(([, amount]) => money(amount, currency) !== "0");
    const total = decimal(totals[kind]);
    if (shown.length === 0) return total.eq(0) ? [] : [{ label, of: "", amount: signed(kind, total) }];
    let left = total;
    return shown.map(([of, amount], i) => {
      const rounded = i === shown.length - 1 ? left : decimal(money(amount, currency));
      left = left.minus(rounded);
      return { label, of, amount: signed(kind, rounded) };
    });
  });
}

function signed(kind: Kind, amount: Big): string {
  return (kind === "discount" ? ZERO.minus(amount) : amount).toFixed();
}

function tableParts(table: PricingTableRow): BillPart[] {
  const parts: BillPart[] = [];
  const add = (kind: Kind, name: string, one: Adjustment | null, base: Big) => {
    if (one) parts.push({ kind, name: one.name ?? name, rate: rateOf(one), amount: amountOf(one, base) });
  };
  let subtotal = ZERO;
  let discounted = ZERO;
  for (const item of table.items) {
    if (!isSelected(item)) continue;
    const totals = itemTotals(item);
    const base = totals.subtotal.minus(totals.discount);
    add("discount", "", item.discount, totals.subtotal);
    for (const [name, one] of Object.entries(item.discounts)) add("discount", name, one, totals.subtotal);
    for (const one of [item.tax_first, item.tax_second]) add("tax", "", one, base);
    for (const [name, one] of Object.entries(item.taxes)) add("tax", name, one, base);
    for (const [name, one] of Object.entries(item.fees)) add("fee", name, one, base);
    subtotal = subtotal.plus(totals.subtotal);
    discounted = discounted.plus(totals.discount);
  }
  let base = subtotal.minus(discounted);
  for (const one of table.discounts) add("discount", one.name, one, subtotal.minus(discounted));
  for (const one of table.discounts) base = base.minus(amountOf(one, subtotal.minus(discounted)));
  add("tax", "", table.tax, base);
  add("fee", "", table.fee, base);
  return parts;
}

export function tableBill(table: PricingTableRow): BillLine[] {
  const totals = tableTotals(table);
  return [
    { label: "Subtotal", of: "", amount: totals.subtotal },
    ...linesOf(tableParts(table), totals, table.currency),
    {
      label: table.is_included_in_total ? "Total" : "Total, not part of the grand total",
      of: "",
      amount: totals.total,
      isTotal: true,
    },
  ];
}

function adjustmentParts({ discounts, taxes, fees }: Adjustments, { subtotal, discount }: Amounts): BillPart[] {
  const base = subtotal.minus(discount);
  const parts = (kind: Kind, all: Readonly<Record<string, QuoteAdjustment>>, of: Big) =>
    Object.entries(all).map(([name, one]): BillPart => ({ kind, name, rate: rateOf(one), amount: amountOf(one, of) }));
  return [...parts("discount", discounts, subtotal), ...parts("tax", taxes, base), ...parts("fee", fees, base)];
}

function adjustmentLines(adjustments: Adjustments, amounts: Amounts, currency: string): BillLine[] {
  const text = (amount: Big) => money(amount, currency);
  const totals = { discount: text(amounts.discount), tax: text(amounts.tax), fee: text(amounts.fee) };
  return linesOf(adjustmentParts(adjustments, amounts), totals, currency);
}

/** Discounts, taxes and fees of one row of a quote. The total of the row includes them. */
export function itemBill(item: QuoteItem, currency: string): BillLine[] {
  return adjustmentLines(item, itemAmounts(item), currency);
}

export const NOT_CHOSEN = "not chosen";
export const QUOTE_HEAD = "Total of this quote";

/** Empty when the rows alone show the total of the section. The total of a section that is not chosen says so, because it counts for nothing. */
export function sectionBill(section: QuoteSection, quote: QuoteRow): BillLine[] {
  const { currency, sections } = quote;
  const sums = sectionSums(section);
  const lines = adjustmentLines(section.summary, sums, currency);
  if (lines.length === 0 && sections.length === 1) return [];
  return [
    ...(lines.length === 0 ? [] : [{ label: "Subtotal", of: "", amount: money(sums.subtotal, currency) }]),
    ...lines,
    {
      label: "Section total",
      of: chosenSections(quote).includes(section) ? "" : NOT_CHOSEN,
      amount: money(sums.total, currency),
      isTotal: true,
    },
  ];
}

function cycleLines({ one_time, recurring }: Sums, currency: string): BillLine[] {
  if (recurring.length === 0) return [];
  return [
    { label: "One-time subtotal", of: "", amount: money(one_time, currency) },
    ...recurring.map(([cycle, amount]) => ({ label: CYCLE_SUBTOTALS[cycle] ?? cycle, of: "", amount: money(amount, currency) })),
  ];
}

export const CYCLE_SUBTOTALS: Readonly<Record<string, string>> = {
  weekly: "Weekly subtotal",
  monthly: "Monthly subtotal",
  quarterly: "Quarterly subtotal",
  semiannually: "Half-yearly subtotal",
  annually: "Yearly subtotal",
};

/** How often a row is billed. */
export const CYCLES: Readonly<Record<string, string>> = {
  weekly: "billed every week",
  monthly: "billed every month",
  quarterly: "billed every quarter",
  semiannually: "billed every half-year",
  annually: "billed every year",
};

export function quoteBill(quote: QuoteRow): BillLine[] {
  const { currency } = quote;
  const sums = quoteSums(quote);
  const lines = adjustmentLines(quote.summary, sums, currency);
  const total = money(sums.total, currency);
  const overall = money(sums.overall, currency);
  return [
    ...cycleLines(sums, currency),
    ...(lines.length === 0 ? [] : [{ label: "Subtotal", of: "", amount: money(sums.subtotal, currency) }]),
    ...lines,
    { label: "Quote total", of: "", amount: total, isTotal: true },
    ...(overall === total ? [] : [{ label: "Value of the whole contract", of: "", amount: overall }]),
  ];
}
