/** An independent calculation of pricing tables. It follows the vendor's statements and the ledger, and uses no code of the product. */
import { default as fc } from "fast-check";
import { type Fraction, fraction, minus, over, plus, rounded, sum, times, ZERO } from "./exact.ts";

export const DIGITS = { USD: 2, JPY: 0, KWD: 3 } as const;
export type Currency = keyof typeof DIGITS;

/** A number of a request as a decimal text. `isText` says that the request sends a text. */
interface Amount {
  text: string;
  isText: boolean;
}

interface Adjustment {
  type: "percent" | "absolute";
  value: Amount;
}

interface Row {
  price: Amount;
  qty: Amount;
  discount: Adjustment | null;
  tax_first: Adjustment | null;
  tax_second: Adjustment | null;
  fee: Adjustment | null;
  options: { optional?: boolean; optional_selected?: boolean; qty_editable?: boolean };
}

interface Option extends Adjustment {
  key: string;
  name: string | null;
}

export interface TableInput {
  isMerge: boolean;
  options: Option[];
  sections: Row[][] | null;
}

/** What the calculation knows of a table. */
export interface Table {
  discounts: Map<string, Adjustment>;
  tax: Adjustment | null;
  fee: Adjustment | null;
  rows: Row[];
}

function amount(integers: number, decimals: number, min = 0): fc.Arbitrary<Amount> {
  const scale = 10 ** decimals;
  const units = fc.oneof(fc.integer({ min: min * scale, max: integers * scale }), fc.integer({ min, max: 40 }));
  return fc.record({ units, isText: fc.boolean() }).map(({ units: count, isText }) => {
    const text = rounded({ top: BigInt(count), bottom: BigInt(scale) }, decimals);
    // A number that JavaScript would write in another way is sent as a text.
    return { text, isText: isText || JSON.stringify(Number(text)) !== text };
  });
}

const anAdjustment: fc.Arbitrary<Adjustment> = fc.oneof(
  fc.record({ type: fc.constant("percent" as const), value: amount(120, 2, -20) }),
  fc.record({ type: fc.constant("absolute" as const), value: amount(900, 4, -20) }),
);
const maybe = fc.option(anAdjustment, { nil: null, freq: 2 });

const aRow: fc.Arbitrary<Row> = fc.record({
  price: fc.oneof(amount(9000, 4), amount(2, 9)),
  qty: fc.oneof(amount(50, 0), amount(20, 3)),
  discount: maybe,
  tax_first: maybe,
  tax_second: maybe,
  fee: maybe,
  options: fc.record(
    { optional: fc.boolean(), optional_selected: fc.boolean(), qty_editable: fc.boolean() },
    { requiredKeys: [] },
  ),
});

/** Keys and names of options. The key of the last four says nothing, so the name says what they are. */
const OPTION_NAMES: readonly (readonly [key: string, name: string | null])[] = [
  ["discount", null],
  ["discount", "Discount"],
  ["Discount 2", "Loyalty"],
  ["promo_discount", "Promo"],
  ["early", "Early bird discount"],
  ["tax", null],
  ["Tax", "VAT"],
  ["fee", "Delivery"],
  ["vat", "Sales tax"],
  ["delivery", "Delivery fee"],
];

const someOptions: fc.Arbitrary<Option[]> = fc
  .uniqueArray(fc.record({ at: fc.nat({ max: OPTION_NAMES.length - 1 }), adjustment: anAdjustment }), {
    selector: ({ at }) => OPTION_NAMES[at]?.[0],
    maxLength: 4,
  })
  .map((all) =>
    all.map(({ at, adjustment }) => {
      const [key = "", name = null] = OPTION_NAMES[at] ?? [];
      return { ...adjustment, key, name };
    }),
  )
  // A table has one tax and one fee.
  .filter((all) => ["tax", "fee"].every((kind) => all.filter((one) => kindOf(one) === kind).length < 2));

export const aTableInput: fc.Arbitrary<TableInput> = fc.record({
  isMerge: fc.boolean(),
  options: someOptions,
  sections: fc.option(fc.array(fc.array(aRow, { maxLength: 4 }), { maxLength: 3 }), { nil: null, freq: 6 }),
});

function kindOf({ key, name }: Option): "discount" | "tax" | "fee" {
  const of = (text: string) => (["discount", "tax", "fee"] as const).find((kind) => text.toLowerCase().includes(kind));
  const kind = of(key) ?? of(name ?? "");
  if (!kind) throw new Error(`the option ${key} is of no kind`);
  return kind;
}

const sent = ({ text, isText }: Amount): string | number => (isText ? text : Number(text));
const sentAdjustment = ({ type, value }: Adjustment) => ({ type, value: sent(value) });

/** The input as a table of a request. */
export function toTable(name: string, { isMerge, options, sections }: TableInput): object {
  const columns = isMerge
    ? {
        name: "Name",
        price: "Price",
        qty: "QTY",
        discount: "Discount",
        tax_first: "Tax First",
        tax_second: "Tax Second",
        fee: "Fee",
      }
    : {
        name: "name",
        price: "price",
        qty: "qty",
        discount: "discount",
        tax_first: "tax_first",
        tax_second: "tax_second",
        fee: "fee",
      };
  const toRow = (row: Row) => {
    const data: Record<string, unknown> = {
      [columns.name]: "Row",
      [columns.price]: sent(row.price),
      [columns.qty]: sent(row.qty),
    };
    for (const part of ["discount", "tax_first", "tax_second", "fee"] as const) {
      const adjustment = row[part];
      if (adjustment) data[columns[part]] = sentAdjustment(adjustment);
    }
    return { options: row.options, data };
  };
  return {
    name,
    data_merge: isMerge,
    options: Object.fromEntries(
      options.map((one) => [one.key, { ...sentAdjustment(one), ...(one.name === null ? {} : { name: one.name }) }]),
    ),
    ...(sections ? { sections: sections.map((rows, i) => ({ title: `Section ${i}`, rows: rows.map(toRow) })) } : {}),
  };
}

/** The table after a request. Vendor's row V7: a known name of a discount replaces it, and another name adds one. */
export function changed(table: Table, { options, sections }: TableInput): Table {
  const discounts = new Map(table.discounts);
  let { tax, fee } = table;
  for (const one of options) {
    const kind = kindOf(one);
    if (kind === "discount") discounts.set(one.name ?? "Discount", one);
    else if (kind === "tax") tax = one;
    else fee = one;
  }
  return { discounts, tax, fee, rows: sections ? sections.flat() : table.rows };
}

const of = (adjustment: Adjustment | null, base: Fraction): Fraction => {
  if (!adjustment) return ZERO;
  const value = fraction(adjustment.value.text);
  return adjustment.type === "percent" ? over(times(base, value), fraction("100")) : value;
};

/** Vendor's row V9: a row that says `optional_selected: false` adds nothing. An optional row needs a selection. */
function counts({ options: { optional, optional_selected } }: Row): boolean {
  if (optional === false) return true;
  return optional === true ? optional_selected === true : optional_selected !== false;
}

function amountsOf(row: Row) {
  const subtotal = times(fraction(row.price.text), fraction(row.qty.text));
  const discount = of(row.discount, subtotal);
  const rest = minus(subtotal, discount);
  return { subtotal, discount, tax: plus(of(row.tax_first, rest), of(row.tax_second, rest)), fee: of(row.fee, rest), rest };
}

/** The amounts of a table as its details show them, and its exact total. */
export function priced(table: Table, digits: number) {
  const rows = table.rows.filter(counts).map(amountsOf);
  const subtotal = sum(rows.map((row) => row.subtotal));
  const byRows = sum(rows.map((row) => row.discount));
  const afterRows = minus(subtotal, byRows);
  const discount = plus(byRows, sum([...table.discounts.values()].map((one) => of(one, afterRows))));
  const rest = minus(subtotal, discount);
  const tax = plus(sum(rows.map((row) => row.tax)), of(table.tax, rest));
  const fee = plus(sum(rows.map((row) => row.fee)), of(table.fee, rest));
  const total = plus(plus(rest, tax), fee);
  const text = (value: Fraction) => rounded(value, digits);
  return {
    exact: total,
    shown: {
      total: text(total),
      summary: { subtotal: text(subtotal), discount: text(discount), tax: text(tax), fee: text(fee), total: text(total) },
      discounts: [...table.discounts.keys()].sort(),
      items: table.rows.map((row) => {
        const amounts = amountsOf(row);
        const qty = fraction(row.qty.text);
        return {
          price: row.price.text,
          qty: row.qty.text,
          subtotal: text(amounts.subtotal),
          sale_price: text(qty.top === 0n ? fraction(row.price.text) : over(amounts.rest, qty)),
          optional_selected: counts(row),
        };
      }),
    },
  };
}
