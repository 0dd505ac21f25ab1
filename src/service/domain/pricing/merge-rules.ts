/**
 * Merge rules choose the section for added products. Source: the help pages on mapping products: the first matching rule applies,
 * and a field is named exactly as its column. assumed: quotes.rule_words.
 */
import { own } from "../../../engine/core/maps.ts";
import { decimal } from "./money.ts";
import type { MergeRule, QuoteItem, QuoteRow } from "../../model/pricing/rows.ts";

/**
 * Moves the `merged` items to the sections of the first matching rules. Drops rules of deleted sections.
 * assumed: quotes.merged_items.
 */
export function mergeItems(quote: QuoteRow, merged: ReadonlySet<string>): QuoteRow {
  const merge_rules = quote.merge_rules.filter((rule) => quote.sections.some((section) => section.id === rule.action.section_id));
  const rules = merge_rules.filter((rule) => rule.enabled);
  const target = (item: QuoteItem) =>
    merged.has(item.id) ? rules.find((rule) => matches(item, rule.condition))?.action.section_id : undefined;
  const stays = (item: QuoteItem, section_id: string) => (target(item) ?? section_id) === section_id;
  const sections = quote.sections.map((section) => ({
    ...section,
    items: [
      ...section.items.filter((item) => stays(item, section.id)),
      ...quote.sections
        .filter((other) => other.id !== section.id)
        .flatMap((other) => other.items.filter((item) => target(item) === section.id)),
    ],
  }));
  return { ...quote, sections, merge_rules };
}

function matches(item: QuoteItem, condition: MergeRule["condition"]): boolean {
  const value = fieldOf(item, condition.field_name);
  const holds = ({ type, value: wanted }: { type: string; value: string }) => compare(type, value, wanted);
  return condition.type === "or" ? condition.comparison.some(holds) : condition.comparison.every(holds);
}

/** assumed: quotes.rule_comparison. */
function compare(type: string, value: string, wanted: string): boolean {
  if (type === "contains") return value.includes(wanted);
  if (type === "not_contains") return !value.includes(wanted);
  return (type === "equals") === isSame(value, wanted);
}

const NUMBER = /^-?\d{1,20}(\.\d{1,20})?$/;

function isSame(value: string, wanted: string): boolean {
  return value === wanted || (NUMBER.test(value) && NUMBER.test(wanted) && decimal(value).eq(decimal(wanted)));
}

function fieldOf(item: QuoteItem, field: string): string {
  const builtIn = own(BUILT_IN, field);
  if (builtIn) return builtIn(item);
  for (const columns of [item.external_columns, item.custom_columns, item.text_columns])
    if (Object.hasOwn(columns, field)) return columns[field] ?? "";
  return "";
}

const BUILT_IN: Readonly<Record<string, (item: QuoteItem) => string>> = {
  Name: (item) => item.name,
  Description: (item) => item.description,
  SKU: (item) => item.sku,
  Price: (item) => item.price,
  QTY: (item) => item.qty,
  Cost: (item) => item.cost ?? "",
  Discount: (item) =>
    Object.values(item.discounts)
      .map(({ type, value }) => (type === "percent" ? `${value}%` : value))
      .join(" "),
};
