import { default as fc } from "fast-check";
import { describe, expect, test } from "vitest";
import { default as Big } from "big.js";
import { decimal, money } from "../../../src/service/nouns/pricing/money.ts";
import { isSelected, pricingTotal, salePrice, tableTotals } from "../../../src/service/nouns/pricing/tables.ts";
import type { PricingItem, PricingTableRow, QuoteRow } from "../../../src/service/nouns/pricing/row.ts";
import { law } from "../../support/law.ts";

const OPTIONS: PricingItem["options"] = {
  optional: false,
  optional_selected: false,
  multichoice_enabled: false,
  multichoice_selected: false,
  qty_editable: false,
};

function item(part: Partial<Omit<PricingItem, "options">> & { options?: Partial<PricingItem["options"]> } = {}): PricingItem {
  const { options, ...rest } = part;
  return {
    id: "i",
    sku: "",
    name: "",
    description: "",
    qty: "1",
    price: "100",
    cost: "",
    discount: null,
    tax_first: null,
    tax_second: null,
    taxes: {},
    discounts: {},
    fees: {},
    options: { ...OPTIONS, ...options },
    custom_fields: {},
    custom_columns: {},
    merged_data: {},
    ...rest,
  };
}

function table(items: PricingItem[], part: Partial<PricingTableRow> = {}): PricingTableRow {
  return {
    id: "t",
    name: "Pricing",
    currency: "USD",
    is_included_in_total: true,
    accepts_rows: true,
    data_merge_enabled: true,
    discounts: [],
    tax: null,
    fee: null,
    items,
    ...part,
  };
}

const percent = (value: string) => ({ type: "percent" as const, value });
const absolute = (value: string) => ({ type: "absolute" as const, value });

describe("money and decimals", () => {
  test.each([
    ["10", "10"],
    ["10.10", "10.1"],
    ["10.005", "10.01"],
    ["-10.005", "-10.01"],
    ["0.004", "0"],
    ["-0.004", "0"],
    ["1000000000000000000000000", "1000000000000000000000000"],
    ["0.1234", "0.12"],
  ])("money(%s) is %s", (value, text) => {
    expect(money(new Big(value), "USD")).toBe(text);
  });

  test.each<[unknown, string]>([
    ["12.5", "12.5"],
    [12.5, "12.5"],
    [" 7 ", "7"],
    ["", "0"],
    ["free", "0"],
    [Number.NaN, "0"],
    [Number.POSITIVE_INFINITY, "0"],
    [null, "0"],
    [undefined, "0"],
    [true, "0"],
    [{}, "0"],
  ])("decimal(%j) is %s", (value, text) => {
    expect(decimal(value).toFixed()).toBe(text);
  });

  test("sums of tenths are exact", () => {
    const items = Array.from({ length: 3 }, () => item({ price: "0.1" }));
    expect(tableTotals(table(items)).total).toBe("0.3");
  });
});

describe("a row", () => {
  test.each<[string, Partial<PricingItem["options"]>, boolean]>([
    ["a plain row counts", {}, true],
    ["an optional row does not count", { optional: true }, false],
    ["a selected optional row counts", { optional: true, optional_selected: true }, true],
    ["an unselected choice does not count", { multichoice_enabled: true }, false],
    ["a selected choice counts", { multichoice_enabled: true, multichoice_selected: true }, true],
  ])("%s", (_, options, expected) => {
    expect(isSelected(item({ options }))).toBe(expected);
    expect(tableTotals(table([item({ options })])).total).toBe(expected ? "100" : "0");
  });

  test("the sale price is the price of one piece, and the list price for a quantity of zero", () => {
    expect(salePrice(item({ qty: "4", price: "10", discount: absolute("4") }), "USD")).toBe("9");
    expect(salePrice(item({ qty: "0", price: "10", discount: percent("50") }), "USD")).toBe("10");
  });
});

describe("a table", () => {
  test("sums are rounded only at the end: a hundred times 0.333 is 33.3", () => {
    const rows = Array.from({ length: 100 }, () => item({ price: "0.333" }));
    expect(tableTotals(table(rows)).subtotal).toBe("33.3");
  });

  test("the total equals subtotal minus discount plus tax plus fee, to the cent, for random rows", () => {
    const cents = fc.integer({ min: 0, max: 100_000 }).map((value) => String(value / 100));
    const row = fc.record({
      qty: fc.integer({ min: 0, max: 20 }),
      price: cents,
      off: fc.option(fc.integer({ min: 0, max: 100 })),
    });
    law(
      fc.property(fc.array(row), fc.option(fc.integer({ min: 0, max: 30 })), (rows, tax) => {
        const totals = tableTotals(
          table(
            rows.map(({ qty, price, off }) =>
              item({ qty: String(qty), price, discount: off === null ? null : percent(String(off)) }),
            ),
            { tax: tax === null ? null : percent(String(tax)) },
          ),
        );
        const sum = new Big(totals.subtotal).minus(totals.discount).plus(totals.tax).plus(totals.fee);
        expect(sum.minus(totals.total).abs().lte("0.02")).toBe(true);
        expect(new Big(totals.total).gte(0)).toBe(true);
      }),
    );
  });
});

describe("the grand total", () => {
  const quote = (total: string): QuoteRow => {
    const adjustments = { discounts: {}, taxes: {}, fees: {} };
    const item = {
      ...adjustments,
      id: "item",
      sku: "#",
      name: "",
      description: "",
      qty: "1",
      price: total,
      price_settings: null,
      cost: null,
      billing_frequency: null,
      contract_term: null,
      reference_id: null,
      options: { selected: true, qty_editable: true, optional: false },
      custom_columns: {},
      external_columns: {},
      text_columns: {},
      multipliers: {},
    };
    const summary = { ...adjustments, custom_columns: {} };
    const settings = { optional: false, selected: true, selection_type: "custom" as const, data_merge_enabled: false };
    return {
      id: "quote",
      currency: "EUR",
      summary,
      sections: [{ id: "section", name: "", summary, items: [item], settings }],
      merge_rules: [],
      settings: { selection_type: "custom" },
    };
  };

  test("the total of the pricing adds quotes and included tables, and skips excluded tables", () => {
    const tables = [table([item()]), table([item({ price: "50" })], { is_included_in_total: false })];
    expect(pricingTotal({ pricing_tables: tables, quotes: [quote("9.99")] }, "GBP")).toEqual({
      amount: "109.99",
      currency: "USD",
    });
  });

  test("the currency comes from the first table, then the first quote, then the default", () => {
    expect(pricingTotal({ pricing_tables: [], quotes: [quote("1")] }, "GBP")).toEqual({ amount: "1", currency: "EUR" });
    expect(pricingTotal({ pricing_tables: [], quotes: [] }, "GBP")).toEqual({ amount: "0", currency: "GBP" });
  });
});
