import type { Ids } from "../../../engine/core/ids.ts";
import { decimal } from "./money.ts";
import type { World } from "../../model/world.ts";
import type { Adjustments, QuoteItem, QuoteRow, QuoteSummary } from "../../model/pricing/rows.ts";
import type { QuoteInput, QuoteItemInput, QuoteSummaryInput } from "../../model/pricing/inputs.ts";

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
            items: one.items ? one.items.map((item) => toItem(world, item, items(item.id))) : (known?.items ?? []),
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
function toItem(world: World, input: QuoteItemInput, known: QuoteItem | undefined): QuoteItem {
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
