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

export function toQuote(quote: QuoteRow) {
  const sums = quoteSums(quote);
  return {
    id: quote.id,
    currency: quote.currency,
    total: money(sums.total),
    summary: {
      ...toSummary(sums, quote.summary),
      total_discount: money(sums.discount),
      total_tax: money(sums.tax),
      total_fee: money(sums.fee),
      total_savings: money(sums.savings),
      total_contract_value: money(sums.overall),
    },
    sections: quote.sections.map(toSection),
    merge_rules: quote.merge_rules,
    settings: quote.settings,
  };
}

function toSummary(sums: Sums, summary: QuoteSummary) {
  return {
    total: money(sums.total),
    subtotal: money(sums.subtotal),
    one_time_subtotal: money(sums.one_time),
    recurring_subtotal: sums.recurring.map(([billing_cycle, value]) => ({ billing_cycle, value: money(value) })),
    total_qty: sums.qty.toFixed(),
    discounts: summary.discounts,
    taxes: summary.taxes,
    fees: summary.fees,
    custom_fields: summary.custom_columns,
  };
}

function toSection(section: QuoteSection) {
  const sums = sectionSums(section);
  const customColumns = new Set(
    section.items.flatMap((item) => [...Object.keys(item.custom_columns), ...Object.keys(item.text_columns)]),
  );
  return {
    id: section.id,
    name: section.name,
    summary: { ...toSummary(sums, section.summary), total_section_value: money(sums.overall) },
    columns: [
      ...COLUMNS.map(([header, name]) => ({ header, name, merge_name: header, hidden: "false" })),
      ...[...customColumns].map((name) => ({ header: name, name, merge_name: name, hidden: "false" })),
    ],
    items: section.items.map(toItem),
    total: money(sums.total),
    settings: section.settings,
  };
}

/** assumed: quotes.item_texts. */
function toItem(item: QuoteItem) {
  const amounts = itemAmounts(item);
  return {
    id: item.id,
    sku: item.sku,
    name: item.name,
    description: item.description,
    qty: item.qty,
    price: money(amounts.price),
    cost: item.cost,
    billing_frequency: item.billing_frequency,
    contract_term: item.contract_term === null ? null : String(item.contract_term),
    pricing_method: item.price_settings ? "1" : "0",
    type: "regular",
    reference_type: null,
    options: { selected: item.options.selected, qty_editable: item.options.qty_editable },
    custom_columns: { ...item.text_columns, ...item.custom_columns },
    external_columns: item.external_columns,
    discounts: item.discounts,
    taxes: item.taxes,
    fees: item.fees,
    multipliers: item.multipliers,
    total: money(amounts.total),
    overall_total: money(amounts.overall),
  };
}
