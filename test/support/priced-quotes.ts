/** An independent calculation of quotes. It follows the official description and the ledger, and uses no code of the product. */
import { default as fc } from "fast-check";
import { type Fraction, fraction, minus, over, plus, rounded, sum, times, ZERO } from "./exact.ts";
import { DIGITS } from "./priced-tables.ts";

interface Adjustment {
  type: "percent" | "flat";
  value: number;
}

interface Adjustments {
  discounts?: Record<string, Adjustment>;
  taxes?: Record<string, Adjustment>;
  fees?: Record<string, Adjustment>;
}

interface Item extends Adjustments {
  qty?: number;
  price?: number;
  price_settings?: { base_value: number | null; tiers: { min_qty: number; value: number }[] };
  billing_frequency?: string | null;
  contract_term?: number | null;
  options?: { selected?: boolean; qty_editable?: boolean; optional?: boolean };
  multipliers?: Record<string, number>;
}

interface Section {
  items: Item[];
  summary?: Adjustments;
  settings?: { optional?: boolean; selected?: boolean; selection_type?: string };
}

export interface Quote {
  currency: keyof typeof DIGITS;
  summary: Required<Adjustments>;
  sections: Section[];
  settings: { selection_type: string };
}

/** A number with at most this many decimals, as JSON keeps it. */
const number = (max: number, decimals: number, min = 0) =>
  fc.integer({ min: min * 10 ** decimals, max: max * 10 ** decimals }).map((units) => Number(`${units}e-${decimals}`));

const anAdjustment: fc.Arbitrary<Adjustment> = fc.oneof(
  fc.record({ type: fc.constant("percent" as const), value: number(120, 2, -20) }),
  fc.record({ type: fc.constant("flat" as const), value: number(700, 3, -20) }),
);
const some = fc.dictionary(fc.constantFrom("A", "B", "Loyal customer"), anAdjustment, { maxKeys: 2 });
const adjustments = { discounts: some, taxes: some, fees: some };
const aSelection = fc.constantFrom("custom", "single", "multiple");
const flag = fc.boolean();

const tiers = (max: number) =>
  fc.uniqueArray(fc.record({ min_qty: fc.integer({ min: 1, max: 30 }), value: number(max, 2) }), {
    selector: (tier) => tier.min_qty,
    minLength: 1,
    maxLength: 3,
  });

const itemMembers = {
  qty: fc.integer({ min: 0, max: 40 }),
  billing_frequency: fc.constantFrom(null, "weekly", "monthly", "quarterly", "semiannually", "annually"),
  contract_term: fc.option(fc.integer({ min: 1, max: 36 })),
  options: fc.record({ selected: flag, qty_editable: flag, optional: flag }, { requiredKeys: ["qty_editable"] }),
  multipliers: fc.dictionary(fc.constantFrom("Months", "Sites"), number(12, 1), { maxKeys: 2 }),
  ...adjustments,
};

const anItem: fc.Arbitrary<Item> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ price: number(2000, 4), ...itemMembers }, { requiredKeys: [] }) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        ...itemMembers,
        price_settings: fc.oneof(
          fc.record({ base_value: number(500, 2), tiers: tiers(100) }),
          fc.record({ base_value: fc.constant(null), tiers: tiers(500) }),
        ),
      },
      { requiredKeys: ["price_settings"] },
    ),
  },
);

const aSection: fc.Arbitrary<Section> = fc.record(
  {
    items: fc.array(anItem, { maxLength: 4 }),
    summary: fc.record(adjustments, { requiredKeys: [] }),
    settings: fc.record({ optional: flag, selected: flag, selection_type: aSelection }, { requiredKeys: [] }),
  },
  { requiredKeys: ["items"] },
);

export const aQuote: fc.Arbitrary<Quote> = fc.record({
  currency: fc.constantFrom(...(Object.keys(DIGITS) as Quote["currency"][])),
  summary: fc.record(adjustments),
  sections: fc.array(aSection, { maxLength: 4 }),
  settings: fc.record({ selection_type: aSelection }),
});

const exactly = (value: number) => fraction(String(value));
const HUNDRED = fraction("100");

function added(all: Record<string, Adjustment> | undefined, base: Fraction): Fraction {
  return sum(
    Object.values(all ?? {}).map(({ type, value }) =>
      type === "percent" ? over(times(base, exactly(value)), HUNDRED) : exactly(value),
    ),
  );
}

/** Discounts come first. Taxes and fees count from the rest. */
function adjusted(subtotal: Fraction, { discounts, taxes, fees }: Adjustments) {
  const discount = added(discounts, subtotal);
  const rest = minus(subtotal, discount);
  const [tax, fee] = [added(taxes, rest), added(fees, rest)];
  return { subtotal, discount, tax, fee, total: plus(plus(rest, tax), fee) };
}

function unitPrice({ qty = 1, price = 0, price_settings }: Item): Fraction {
  if (!price_settings) return exactly(price);
  const reached = price_settings.tiers.filter((tier) => tier.min_qty <= qty).sort((a, b) => b.min_qty - a.min_qty)[0];
  const { base_value } = price_settings;
  if (base_value === null) return exactly(reached?.value ?? price);
  return over(times(exactly(base_value), minus(HUNDRED, exactly(reached?.value ?? 0))), HUNDRED);
}

function amountsOf(item: Item) {
  const { qty = 1, billing_frequency = null, contract_term = null, multipliers = {} } = item;
  const price = unitPrice(item);
  const whole = Object.values(multipliers).reduce((product, one) => times(product, exactly(one)), times(price, exactly(qty)));
  const { discount, total } = adjusted(whole, item);
  const periods = billing_frequency === null ? 1 : (contract_term ?? 1);
  return {
    price,
    total,
    savings: discount,
    overall: times(total, exactly(periods)),
    qty: exactly(qty),
    cycle: billing_frequency,
  };
}

interface Part {
  total: Fraction;
  overall: Fraction;
  savings: Fraction;
  qty: Fraction;
  one_time: Fraction;
  recurring: [cycle: string, value: Fraction][];
}

function summed(parts: readonly Part[], summary: Adjustments) {
  const of = (member: Exclude<keyof Part, "recurring">) => sum(parts.map((part) => part[member]));
  const recurring = new Map<string, Fraction>();
  for (const [cycle, value] of parts.flatMap((part) => part.recurring))
    recurring.set(cycle, plus(recurring.get(cycle) ?? ZERO, value));
  const amounts = adjusted(of("total"), summary);
  return {
    ...amounts,
    one_time: of("one_time"),
    recurring: [...recurring],
    qty: of("qty"),
    savings: plus(of("savings"), amounts.discount),
    overall: adjusted(of("overall"), summary).total,
  };
}

type Choice = { optional?: boolean; selected?: boolean } | undefined;

function chosen<T>(all: readonly T[], type: string, choiceOf: (one: T) => Choice): T[] {
  const isSelected = (one: T) => choiceOf(one)?.selected ?? true;
  if (type === "custom") return all.filter((one) => choiceOf(one)?.optional !== true || isSelected(one));
  return all.filter(isSelected).slice(0, type === "single" ? 1 : undefined);
}

function ofSection({ items, summary, settings }: Section) {
  const parts = chosen(items, settings?.selection_type ?? "custom", (item) => item.options).map((item): Part => {
    const { cycle, ...amounts } = amountsOf(item);
    const isOnce = cycle === null;
    return { ...amounts, one_time: isOnce ? amounts.total : ZERO, recurring: isOnce ? [] : [[cycle, amounts.total]] };
  });
  return summed(parts, summary ?? {});
}

/** The amounts of a quote as its details show them. */
export function quoted({ currency, summary, sections, settings }: Quote) {
  const text = (value: Fraction) => rounded(value, DIGITS[currency]);
  const common = (sums: ReturnType<typeof summed>) => ({
    total: text(sums.total),
    subtotal: text(sums.subtotal),
    one_time_subtotal: text(sums.one_time),
    recurring_subtotal: sums.recurring.map(([billing_cycle, value]) => ({ billing_cycle, value: text(value) })),
    total_qty: rounded(sums.qty, 0),
  });
  const whole = summed(chosen(sections, settings.selection_type, (section) => section.settings).map(ofSection), summary);
  return {
    currency,
    total: text(whole.total),
    summary: {
      ...common(whole),
      total_discount: text(whole.discount),
      total_tax: text(whole.tax),
      total_fee: text(whole.fee),
      total_savings: text(whole.savings),
      total_contract_value: text(whole.overall),
    },
    sections: sections.map((section) => {
      const sums = ofSection(section);
      return {
        total: text(sums.total),
        summary: { ...common(sums), total_section_value: text(sums.overall) },
        items: section.items.map((item) => {
          const { price, total, overall } = amountsOf(item);
          return { price: text(price), qty: String(item.qty ?? 1), total: text(total), overall_total: text(overall) };
        }),
      };
    }),
  };
}
