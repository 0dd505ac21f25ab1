import { own } from "../../../engine/core/maps.ts";
import { decimal } from "./money.ts";
import type { MergeRule, PricingItem, PricingTableRow, QuoteItem, QuoteRow } from "./row.ts";

/** The columns of a pricing table: their names in rows with and without data merge, and what details show of them. */

interface BuiltIn {
  /** Its name in rows without data merge. */
  key: string;
  name: string;
  member: keyof PricingItem;
}

/** Source: two clients read the first four names, and the official description names the others. assumed: pricing.columns. assumed: pricing.merge_names. */
const BUILT_IN: readonly BuiltIn[] = [
  { key: "name", name: "Name", member: "name" },
  { key: "description", name: "Description", member: "description" },
  { key: "price", name: "Price", member: "price" },
  { key: "qty", name: "QTY", member: "qty" },
  { key: "sku", name: "SKU", member: "sku" },
  { key: "cost", name: "Cost", member: "cost" },
  { key: "discount", name: "Discount", member: "discount" },
  { key: "tax", name: "Tax", member: "tax_first" },
  { key: "tax_first", name: "Tax First", member: "tax_first" },
  { key: "tax_second", name: "Tax Second", member: "tax_second" },
  { key: "fee", name: "Fee", member: "fees" },
];

const BY_KEY = new Map(BUILT_IN.map((one) => [one.key, one]));
const BY_NAME = new Map(BUILT_IN.map((one) => [one.name, one]));
const ALWAYS_SHOWN: readonly string[] = ["name", "description", "price", "qty"];

/** The names of built-in columns in rows without data merge. */
export const BUILT_IN_KEYS: readonly string[] = [...BY_KEY.keys()];
/** The names of built-in columns in details. */
export const BUILT_IN_NAMES: readonly string[] = [...BY_NAME.keys()];

export interface Column {
  /** Its name in rows without data merge. */
  key: string;
  /** Undefined for a custom column. */
  member: keyof PricingItem | undefined;
  name: string;
  header: string;
  merge_name: string;
  hidden: boolean;
}

type Declaring = Pick<PricingTableRow, "columns"> & Partial<Pick<PricingTableRow, "items">>;

export function columnsOf(table: Declaring): Column[] {
  const { items = [], columns = [] } = table;
  const declared = new Map(columns.map((column) => [column.name, column]));
  const custom = [...declared.keys(), ...items.flatMap((item) => Object.keys(item.custom_columns))];
  const names = [...new Set([...BUILT_IN_NAMES, ...custom])];
  return names.map((name) => {
    const builtIn = BY_NAME.get(name);
    const own = declared.get(name);
    const merge_name = own?.merge_name ?? name;
    return {
      key: builtIn?.key ?? name,
      member: builtIn?.member,
      name,
      header: own?.header ?? name,
      merge_name,
      hidden: own ? (own.hidden ?? false) : builtIn !== undefined && !isShown(builtIn, merge_name, items),
    };
  });
}

function isShown({ key, member }: BuiltIn, merge_name: string, items: readonly PricingItem[]): boolean {
  return (
    ALWAYS_SHOWN.includes(key) || items.some((item) => merge_name in item.merged_data || (key !== "tax" && isSet(item[member])))
  );
}

function isSet(value: PricingItem[keyof PricingItem]): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== null && value !== "";
}

export function toColumn({ header, name, merge_name, hidden }: Column) {
  return { header, name, merge_name, hidden };
}

/** `key` is the name of a column in rows without data merge. */
export function nameOfColumn(key: string): string {
  return BY_KEY.get(key)?.name ?? key;
}

export function mergeNameOf(table: Pick<PricingTableRow, "columns">, key: string): string {
  const name = nameOfColumn(key);
  return table.columns?.find((one) => one.name === name)?.merge_name ?? name;
}

/** The kind of the built-in column with this name or merge name: `tax` for both taxes. */
export function builtInColumn(table: PricingTableRow, name: string): string | undefined {
  const key = BY_KEY.has(name) ? name : columnsOf(table).find((one) => one.merge_name === name)?.key;
  if (key === undefined || !BY_KEY.has(key)) return undefined;
  return key.startsWith("tax") ? "tax" : key;
}

export function columnNames(table: PricingTableRow): Set<string> {
  return new Set(columnsOf(table).flatMap(({ key, merge_name }) => [key, merge_name]));
}

export function memberOf(key: string): keyof PricingItem | undefined {
  return BY_KEY.get(key)?.member;
}

/**
 * Merge rules choose the section for added products. Source: the help pages on mapping products: the first matching rule applies,
 * and a field is named exactly as its column. assumed: quotes.rule_words.
 */

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
  const builtIn = own(TEXT_OF, field);
  if (builtIn) return builtIn(item);
  for (const columns of [item.external_columns, item.custom_columns, item.text_columns])
    if (Object.hasOwn(columns, field)) return columns[field] ?? "";
  return "";
}

const TEXT_OF: Readonly<Record<string, (item: QuoteItem) => string>> = {
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
