import { invalid } from "../../../engine/core/errors.ts";
import type { DocumentRow } from "../documents/row.ts";
import { isChoosable, money, sectionSums } from "./money.ts";
import type { PricingItem, PricingTableRow, QuoteItem, QuoteRow, QuoteSection } from "./row.ts";
import { mergeNameOf } from "./table-columns.ts";

export interface Choice {
  selected?: boolean;
  qty?: number | string;
}

/** Keys are ids, SKUs or names of items, or ids or names of quote sections. */
export type Choices = Readonly<Record<string, Choice>>;

/** `selected` and `qty` are undefined where the signer has no choice. A selected item deselects the others of its `group`. */
export interface ChoosableItem {
  id: string;
  sku: string;
  name: string;
  price: string;
  currency: string;
  selected: boolean | undefined;
  qty: string | undefined;
  group: string | undefined;
}

type Choosable = Omit<ChoosableItem, "currency">;

function inTable({ id, sku, name, price, qty, options }: PricingItem, table: string): Choosable {
  const [isOption, selected] = options.multichoice_enabled
    ? [true, options.multichoice_selected]
    : [options.optional, options.optional_selected];
  return {
    ...{ id, sku, name, price, selected: isOption ? selected : undefined, qty: options.qty_editable ? qty : undefined },
    group: options.multichoice_enabled ? table : undefined,
  };
}

function inQuote({ id, sku, name, price, qty, options }: QuoteItem, section: QuoteSection): Choosable {
  const { selection_type } = section.settings;
  return {
    ...{ id, sku, name, price, qty: options.qty_editable ? qty : undefined },
    selected: isChoosable(selection_type, options) ? options.selected : undefined,
    group: selection_type === "single" ? section.id : undefined,
  };
}

function wholeSection(section: QuoteSection, { id, settings, currency }: QuoteRow): Choosable {
  const price = money(sectionSums(section).total, currency);
  const selected = isChoosable(settings.selection_type, section.settings) ? section.settings.selected : undefined;
  const group = settings.selection_type === "single" ? id : undefined;
  return { id: section.id, sku: "", name: section.name, price, selected, qty: undefined, group };
}

function itemsOf({ pricing_tables, quotes }: Pick<DocumentRow, "pricing_tables" | "quotes">): ChoosableItem[] {
  return [
    ...pricing_tables.flatMap(({ id, currency, items }) => items.map((item) => ({ ...inTable(item, id), currency }))),
    ...quotes.flatMap((quote) =>
      quote.sections
        .flatMap((section) => [wholeSection(section, quote), ...section.items.map((item) => inQuote(item, section))])
        .map((one) => ({ ...one, currency: quote.currency })),
    ),
  ];
}

export function choosableItems(document: Pick<DocumentRow, "pricing_tables" | "quotes">): ChoosableItem[] {
  return itemsOf(document).filter(leavesChoice);
}

function leavesChoice({ selected, qty }: ChoosableItem): boolean {
  return selected !== undefined || qty !== undefined;
}

/**
 * assumed: quotes.signer_choice.
 * @throws 400 for an unknown item or an option that the item does not have
 */
export function applyChoices(document: DocumentRow, choices: Choices): DocumentRow {
  if (Object.keys(choices).length === 0) return document;
  const all = itemsOf(document);
  const changes = new Map<string, { selected?: boolean; qty?: string }>();
  for (const [key, { selected, qty }] of Object.entries(choices)) {
    const item = find(all, key);
    if (selected !== undefined) {
      if (item.selected === undefined)
        throw invalid({ [key]: ["This item cannot be chosen or left out."] }, `${item.name} is not optional`);
      const others = selected && item.group !== undefined ? all.filter((one) => one.group === item.group) : [];
      for (const other of others) changes.set(other.id, { ...changes.get(other.id), selected: false });
      changes.set(item.id, { ...changes.get(item.id), selected });
    }
    if (qty !== undefined) changes.set(item.id, { ...changes.get(item.id), qty: quantity(item, key, qty) });
  }
  return {
    ...document,
    pricing_tables: document.pricing_tables.map((table) => ({
      ...table,
      items: table.items.map((item) => withMerged(table, changed(item, changes.get(item.id), selectRow))),
    })),
    quotes: document.quotes.map((quote) => ({
      ...quote,
      sections: quote.sections.map((section) => ({
        ...section,
        settings: { ...section.settings, selected: changes.get(section.id)?.selected ?? section.settings.selected },
        items: section.items.map((item) => changed(item, changes.get(item.id), selectItem)),
      })),
    })),
  };
}

function find(all: readonly ChoosableItem[], key: string): ChoosableItem {
  // An empty key must not match items without a SKU.
  const found = (["id", "sku", "name"] as const).map((by) => all.find((one) => key !== "" && one[by] === key)).find(Boolean);
  if (found) return found;
  const known = all.filter(leavesChoice).map((one) => one.name);
  throw invalid({ [key]: ["There is no such item."] }, `the signer may choose ${known.join(", ") || "nothing"}`);
}

function quantity(item: ChoosableItem, key: string, qty: number | string): string {
  if (item.qty === undefined)
    throw invalid(
      { [key]: ["The quantity of this item cannot be changed."] },
      `the quantity of ${item.name} is fixed: its qty_editable is false`,
    );
  const text = String(qty).trim();
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) throw invalid({ [key]: ["A valid number is required."] }, `${text} is not a number`);
  return text;
}

function changed<T extends { qty: string }>(
  item: T,
  change: { selected?: boolean; qty?: string } | undefined,
  select: (item: T, selected: boolean) => T,
): T {
  if (change === undefined) return item;
  const counted = change.qty === undefined ? item : { ...item, qty: change.qty };
  return change.selected === undefined ? counted : select(counted, change.selected);
}

function selectRow(item: PricingItem, selected: boolean): PricingItem {
  const { multichoice_enabled } = item.options;
  const options = multichoice_enabled ? { multichoice_selected: selected } : { optional_selected: selected };
  return { ...item, options: { ...item.options, ...options } };
}

function withMerged(table: PricingTableRow, item: PricingItem): PricingItem {
  const name = mergeNameOf(table, "qty");
  if (item.merged_data[name] === undefined || item.merged_data[name] === item.qty) return item;
  return { ...item, merged_data: { ...item.merged_data, [name]: item.qty } };
}

function selectItem(item: QuoteItem, selected: boolean): QuoteItem {
  return { ...item, options: { ...item.options, selected } };
}
