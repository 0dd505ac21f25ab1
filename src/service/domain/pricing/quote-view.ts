import type { default as Big } from "big.js";
import { money } from "./money.ts";
import { itemAmounts, quoteSums, sectionSums, type Sums } from "./quote-totals.ts";
import type { QuoteItem, QuoteRow, QuoteSection, QuoteSummary } from "../../model/pricing/rows.ts";

/** assumed: quotes.columns. */
const COLUMNS = [
  ["SKU", "sku"],
  ["Name", "name"],
  ["Description", "description"],
  ["Price", "price"],
  ["QTY", "qty"],
  ["Subtotal", "total"],
] as const;

type Text = (amount: Big) => string;

export function toQuote(quote: QuoteRow) {
  const sums = quoteSums(quote);
  const text: Text = (amount) => money(amount, quote.currency);
  return {
    id: quote.id,
    currency: quote.currency,
    total: text(sums.total),
    summary: {
      ...toSummary(text, sums, quote.summary),
      total_discount: text(sums.discount),
      total_tax: text(sums.tax),
      total_fee: text(sums.fee),
      total_savings: text(sums.savings),
      total_contract_value: text(sums.overall),
    },
    sections: quote.sections.map((section) => toSection(text, section)),
    merge_rules: quote.merge_rules,
    settings: quote.settings,
  };
}

function toSummary(text: Text, sums: Sums, summary: QuoteSummary) {
  return {
    total: text(sums.total),
    subtotal: text(sums.subtotal),
    one_time_subtotal: text(sums.one_time),
    recurring_subtotal: sums.recurring.map(([billing_cycle, value]) => ({ billing_cycle, value: text(value) })),
    total_qty: sums.qty.toFixed(),
    discounts: summary.discounts,
    taxes: summary.taxes,
    fees: summary.fees,
    custom_fields: summary.custom_columns,
  };
}

function toSection(text: Text, section: QuoteSection) {
  const sums = sectionSums(section);
  const customColumns = new Set(
    section.items.flatMap((item) => [...Object.keys(item.custom_columns), ...Object.keys(item.text_columns)]),
  );
  return {
    id: section.id,
    name: section.name,
    summary: { ...toSummary(text, sums, section.summary), total_section_value: text(sums.overall) },
    columns: [
      ...COLUMNS.map(([header, name]) => ({ header, name, merge_name: header, hidden: false })),
      ...[...customColumns].map((name) => ({ header: name, name, merge_name: name, hidden: false })),
    ],
    items: section.items.map((item) => toItem(text, item)),
    total: text(sums.total),
    settings: section.settings,
  };
}

/** assumed: quotes.item_members. */
function mergedData(item: QuoteItem, price: string): Record<string, string> {
  const built_in = { SKU: item.sku, Name: item.name, Description: item.description, Price: price, QTY: item.qty };
  return { ...built_in, ...item.text_columns, ...item.custom_columns, ...item.external_columns };
}

/** assumed: quotes.item_texts. */
function toItem(text: Text, item: QuoteItem) {
  const amounts = itemAmounts(item);
  return {
    id: item.id,
    sku: item.sku,
    name: item.name,
    description: item.description,
    qty: item.qty,
    price: text(amounts.price),
    cost: item.cost,
    billing_frequency: item.billing_frequency,
    contract_term: item.contract_term === null ? null : String(item.contract_term),
    pricing_method: item.price_settings ? "1" : "0",
    type: "regular",
    reference_type: null,
    reference_id: item.reference_id,
    images: [] as string[],
    thumbnail: null,
    total_qty: item.qty,
    merged_data: mergedData(item, text(amounts.price)),
    options: { selected: item.options.selected, qty_editable: item.options.qty_editable },
    custom_columns: { ...item.text_columns, ...item.custom_columns },
    external_columns: item.external_columns,
    discounts: item.discounts,
    taxes: item.taxes,
    fees: item.fees,
    multipliers: item.multipliers,
    total: text(amounts.total),
    overall_total: text(amounts.overall),
  };
}
