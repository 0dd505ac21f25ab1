import type { default as Big } from "big.js";
import type { Ids } from "../../../engine/core/ids.ts";
import type { World } from "../../kit/world.ts";
import type { QuoteInput, QuoteItemInput, QuoteSummaryInput } from "./inputs.ts";
import type { Sums } from "./money.ts";
import { decimal, itemAmounts, money, quoteSums, sectionSums } from "./money.ts";
import type { Adjustments, QuoteItem, QuoteRow, QuoteSection, QuoteSummary } from "./row.ts";

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

const NO_SUMMARY: QuoteSummary = { discounts: {}, taxes: {}, fees: {}, custom_columns: {} };

export function newQuote(world: World, currency: string, input: QuoteInput): QuoteRow {
  const empty = { id: world.ids.uuid(), currency, summary: NO_SUMMARY, sections: [], merge_rules: [] };
  return changeQuote(world, { ...empty, settings: { selection_type: "custom" } }, input);
}

export function changeQuote(world: World, quote: QuoteRow, input: QuoteInput): QuoteRow {
  const sections = claim(quote.sections);
  // assumed: quotes.moved_item.
  const items = claim(quote.sections.flatMap((section) => section.items));
  return {
    ...quote,
    currency: input.currency ?? quote.currency,
    summary: changeSummary(quote.summary, input.summary),
    settings: { selection_type: input.settings?.selection_type ?? quote.settings.selection_type },
    sections: input.sections
      ? input.sections.map((one) => {
          const known = sections(one.id);
          return {
            id: known?.id ?? world.ids.uuid(),
            name: one.name ?? known?.name ?? "Section name",
            summary: changeSummary(known?.summary ?? NO_SUMMARY, one.summary),
            items: one.items ? one.items.map((item) => toQuoteItem(world, item, items(item.id))) : (known?.items ?? []),
            settings: {
              optional: one.settings?.optional ?? known?.settings.optional ?? false,
              selected: one.settings?.selected ?? known?.settings.selected ?? true,
              selection_type: one.settings?.selection_type ?? known?.settings.selection_type ?? "custom",
              data_merge_enabled: one.settings?.data_merge_enabled ?? known?.settings.data_merge_enabled ?? false,
            },
          };
        })
      : quote.sections,
  };
}

/** Finds each row once, so that a repeated id makes a new row. */
function claim<T extends { id: string }>(rows: readonly T[]): (id: string | undefined) => T | undefined {
  const unclaimed = new Map(rows.map((row) => [row.id, row]));
  return (id) => {
    const row = id === undefined ? undefined : unclaimed.get(id);
    if (row) unclaimed.delete(row.id);
    return row;
  };
}

function changeSummary(before: QuoteSummary, input: QuoteSummaryInput | undefined): QuoteSummary {
  return { ...toAdjustments(before, input ?? {}), custom_columns: input?.custom_columns ?? before.custom_columns };
}

function toAdjustments(before: Adjustments, input: QuoteSummaryInput): Adjustments {
  const pick = (name: keyof Adjustments) =>
    mapValues(input[name], ({ type = "flat", value }) => ({ type, value: decimal(value).toFixed() })) ?? before[name];
  return { discounts: pick("discounts"), taxes: pick("taxes"), fees: pick("fees") };
}

function mapValues<A, B>(record: Record<string, A> | undefined, change: (value: A) => B): Record<string, B> | undefined {
  return record && Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : decimal(value).toFixed());

/** Source: the defaults of the official description. */
function toQuoteItem(world: World, input: QuoteItemInput, known: QuoteItem | undefined): QuoteItem {
  const tiers = input.price_settings?.tiers.map((tier) => ({ min_qty: tier.min_qty, value: decimal(tier.value).toFixed() }));
  const base_value = text(input.price_settings?.base_value ?? undefined) ?? null;
  const or = <T>(wanted: T | undefined, before: T | undefined, otherwise: T): T =>
    wanted !== undefined ? wanted : before !== undefined ? before : otherwise;
  return {
    id: known?.id ?? world.ids.uuid(),
    sku: or(input.sku, known?.sku, "#"),
    name: or(input.name, known?.name, ""),
    description: or(input.description, known?.description, ""),
    qty: or(text(input.qty), known?.qty, "1"),
    price: or(text(input.price), known?.price, "0"),
    price_settings: tiers ? { base_value, tiers } : or(input.price_settings as null | undefined, known?.price_settings, null),
    cost: or<string | null>(text(input.cost), known?.cost, null),
    billing_frequency: or(input.billing_frequency, known?.billing_frequency, null),
    contract_term: or(input.contract_term, known?.contract_term, null),
    reference_id: or(input.reference_id, known?.reference_id, null),
    options: {
      selected: or(input.options?.selected, known?.options.selected, true),
      qty_editable: or(input.options?.qty_editable, known?.options.qty_editable, true),
      optional: or(input.options?.optional, known?.options.optional, false),
    },
    custom_columns: or(input.custom_columns, known?.custom_columns, {}),
    external_columns: or(input.external_columns, known?.external_columns, {}),
    text_columns: or(input.text_columns, known?.text_columns, {}),
    multipliers: or(
      mapValues(input.multipliers, (value) => decimal(value).toFixed()),
      known?.multipliers,
      {},
    ),
    ...toAdjustments(known ?? NO_SUMMARY, input),
  };
}

export function copyQuote(ids: Ids, quote: QuoteRow): QuoteRow {
  const sections = new Map(quote.sections.map((section) => [section.id, ids.uuid()]));
  return {
    ...quote,
    id: ids.uuid(),
    sections: quote.sections.map((section) => ({
      ...section,
      id: sections.get(section.id) ?? section.id,
      items: section.items.map((item) => ({ ...item, id: ids.uuid() })),
    })),
    merge_rules: quote.merge_rules.map((rule) => ({
      ...rule,
      action: { ...rule.action, section_id: sections.get(rule.action.section_id) ?? rule.action.section_id },
    })),
  };
}
