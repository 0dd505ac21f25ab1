/**
 * Merge rules of a quote: into which section a product goes that is merged into it. Source: the help pages on mapping products:
 * rules are if-then; a product is added once, by the first rule that it fits; the field's name is spelled exactly as its column.
 *
 * assumed: the words of a rule, for the official description has plain texts there: its action is `add_to_section`, its condition
 * joins its comparisons by `and` or `or`.
 */
import { decimal } from "./money.ts";
import type { MergeRule, QuoteItem, QuoteRow } from "./rows.ts";

/**
 * The quote with the items named in `merged` where its rules want them, and without the rules of sections that are gone.
 *
 * assumed: what is merged into a quote by the API are the items that an update adds; those that the quote had stay where the update
 * puts them, and so does an item that fits no rule, because the update names a section for each. A rule goes with its section.
 */
export function mergeItems(quote: QuoteRow, merged: ReadonlySet<string>): QuoteRow {
  const kept = quote.merge_rules.filter((rule) => quote.sections.some((section) => section.id === rule.action.section_id));
  const rules = kept.filter((rule) => rule.enabled);
  const target = (item: QuoteItem) =>
    merged.has(item.id) ? rules.find((rule) => fits(item, rule.condition))?.action.section_id : undefined;
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
  return { ...quote, sections, merge_rules: kept };
}

function fits(item: QuoteItem, condition: MergeRule["condition"]): boolean {
  const value = fieldOf(item, condition.field_name);
  const holds = ({ type, value: wanted }: { type: string; value: string }) => compare(type, value, wanted);
  return condition.type === "or" ? condition.comparison.some(holds) : condition.comparison.every(holds);
}

/** assumed: an item without such a field has an empty text there; letters count as they are written. */
function compare(type: string, value: string, wanted: string): boolean {
  if (type === "contains") return value.includes(wanted);
  if (type === "not_contains") return !value.includes(wanted);
  return (type === "equals") === isSame(value, wanted);
}

const NUMBER = /^-?\d{1,20}(\.\d{1,20})?$/;

function isSame(value: string, wanted: string): boolean {
  return value === wanted || (NUMBER.test(value) && NUMBER.test(wanted) && decimal(value).eq(decimal(wanted)));
}

/** Built-in fields by the names that the help pages give them, others by the name of the item's column. */
function fieldOf(item: QuoteItem, field: string): string {
  const own = Object.hasOwn(OWN, field) ? OWN[field] : undefined;
  if (own) return own(item);
  for (const columns of [item.external_columns, item.custom_columns, item.text_columns])
    if (Object.hasOwn(columns, field)) return columns[field] ?? "";
  return "";
}

const OWN: Readonly<Record<string, (item: QuoteItem) => string>> = {
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
