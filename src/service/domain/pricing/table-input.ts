import { invalid } from "../../../engine/core/errors.ts";
import { decimal } from "./money.ts";
import type { World } from "../../model/world.ts";
import { tableTotals } from "./pricing-tables.ts";
import {
  type Adjustment,
  DISCOUNT_NAME,
  type MergedValue,
  type NamedAdjustment,
  type PricingItem,
  type PricingTableRow,
} from "../../model/pricing/rows.ts";
import { checkTables, checkTotal, type OtherCurrency } from "./table-checks.ts";
import type { PricingTableInput } from "../../model/pricing/inputs.ts";

type PricingRowInput = NonNullable<NonNullable<PricingTableInput["sections"]>[number]["rows"]>[number];

interface AdjustmentInput {
  type?: string;
  value?: string | number;
  name?: string;
}

/** Built-in columns by their names in rows without `data_merge`. */
const BUILT_IN: Readonly<Record<string, keyof PricingItem>> = {
  name: "name",
  description: "description",
  price: "price",
  qty: "qty",
  sku: "sku",
  cost: "cost",
  discount: "discount",
  tax: "tax_first",
  tax_first: "tax_first",
  tax_second: "tax_second",
  fee: "fees",
};

/** Source: the official examples. assumed: pricing.merge_names. */
const MERGE_NAMES: Readonly<Record<string, string>> = {
  name: "Name",
  description: "Description",
  price: "Price",
  qty: "QTY",
  sku: "SKU",
  cost: "Cost",
  discount: "Discount",
  tax: "Tax",
  tax_first: "Tax First",
  tax_second: "Tax Second",
  fee: "Fee",
};

export function mergeNameOf(table: Pick<PricingTableRow, "merge_names">, column: string): string {
  return table.merge_names?.[column] ?? MERGE_NAMES[column] ?? column;
}

function columnsByMergeName(table: PricingTableRow): Map<string, string> {
  const custom = table.items.flatMap((item) => Object.keys(item.custom_columns));
  const columns = [...Object.keys(MERGE_NAMES), ...Object.keys(table.merge_names ?? {}), ...custom];
  return new Map(columns.map((column) => [mergeNameOf(table, column), column]));
}

/** The kind of the built-in column with this name or merge name: `tax` for both taxes. */
export function builtInColumn(table: PricingTableRow, name: string): string | undefined {
  const column = Object.hasOwn(BUILT_IN, name) ? name : columnsByMergeName(table).get(name);
  if (column === undefined || !Object.hasOwn(BUILT_IN, column)) return undefined;
  return column.startsWith("tax") ? "tax" : column;
}

export function columnNames(table: PricingTableRow): Set<string> {
  const byMergeName = columnsByMergeName(table);
  return new Set([...Object.keys(BUILT_IN), ...byMergeName.values(), ...byMergeName.keys()]);
}

/**
 * Source: rows with `data_merge` take merge names only; other rows take built-in names in lower case.
 * Returns undefined for a name that the mode refuses. assumed: pricing.column_names.
 */
function columnOf(byMergeName: ReadonlyMap<string, string>, name: string, isMerge: boolean): string | undefined {
  if (isMerge) return byMergeName.get(name);
  if (Object.hasOwn(BUILT_IN, name)) return name;
  const column = byMergeName.get(name);
  const isOtherSpelling =
    Object.hasOwn(BUILT_IN, name.toLowerCase()) || (column !== undefined && Object.hasOwn(BUILT_IN, column));
  return isOtherSpelling ? undefined : name;
}

export function applyPricing(
  world: World,
  tables: PricingTableRow[],
  input: readonly PricingTableInput[],
  at = "",
): PricingTableRow[] {
  if (input.length === 0) return tables;
  checkTables(world, input, at);
  const byName = new Map(input.map((table, i) => [table.name, { input: table, where: `${at}pricing_tables[${i}]` }]));
  return tables.map((table) => {
    const found = byName.get(table.name);
    return found && table.accepts_rows ? applyTable(world, table, found.input, found.where) : table;
  });
}

function applyTable(world: World, table: PricingTableRow, input: PricingTableInput, where: string): PricingTableRow {
  const options = input.options ?? {};
  const byMergeName = columnsByMergeName(table);
  const items = (input.sections ?? []).flatMap((section, s) =>
    (section.rows ?? []).map((row, r) => {
      const columns = readColumns(world, byMergeName, row, input.data_merge ?? false, `${where}.sections[${s}].rows[${r}].data`);
      return toItem(world, table, row, columns, section.multichoice_enabled ?? false);
    }),
  );
  const changed: PricingTableRow = {
    ...table,
    currency: currencyIn(world, table, options),
    discounts: discountsIn(world, table, options),
    tax: optionsOf(options, "tax")[0] ?? table.tax,
    fee: optionsOf(options, "fee")[0] ?? table.fee,
    items: input.sections ? items : table.items,
  };
  checkTotal(world, tableTotals(changed).total, where);
  return changed;
}

/** Source: the vendor says that a table keeps the currency of its template. */
function currencyIn(world: World, table: PricingTableRow, { currency }: TableOptions): string {
  if (!isOtherCurrency(table, currency)) return table.currency;
  return world.decide("pricing.other_currency") === "take" ? currency : table.currency;
}

function isOtherCurrency(table: Pick<PricingTableRow, "currency">, currency: unknown): currency is string {
  return typeof currency === "string" && currency !== table.currency;
}

/** The first table whose input has another currency than the table. */
export function otherCurrency(
  tables: readonly PricingTableRow[],
  input: readonly PricingTableInput[],
): OtherCurrency | undefined {
  for (const { name, options } of input) {
    const table = tables.find((one) => one.name === name);
    const asked = options?.currency;
    if (table?.accepts_rows && isOtherCurrency(table, asked)) return { asked, kept: table.currency };
  }
  return undefined;
}

type TableOptions = NonNullable<PricingTableInput["options"]>;

const KINDS = /discount|tax|fee/i;

/** The options of this kind, those that their key names first. assumed: pricing.option_kind. */
function optionsOf(options: TableOptions, part: "discount" | "tax" | "fee"): Adjustment[] {
  const all = Object.entries(options).map(([key, option]) => ({ key, name: nameOf(option), option }));
  const isKind = (text: string) => text.toLowerCase().includes(part);
  return [
    ...all.filter(({ key }) => isKind(key)),
    ...all.filter(({ key, name }) => !isKind(key) && !KINDS.test(key) && isKind(name)),
  ].flatMap(({ option }) => toAdjustment(option) ?? []);
}

/** Says whether any part of the table reads an option with this key. */
export function isRead(key: string, option: unknown): boolean {
  return key === "currency" || KINDS.test(key) || KINDS.test(nameOf(option));
}

/** Source: the vendor says that the name of a discount is a key: a known name replaces, another name adds. */
function discountsIn(world: World, table: PricingTableRow, options: TableOptions): readonly NamedAdjustment[] {
  // assumed: pricing.unnamed_discount.
  const given = optionsOf(options, "discount").map((one) => ({ ...one, name: one.name || DISCOUNT_NAME }));
  const [first] = given;
  if (!first) return table.discounts;
  const isNew = given.some(({ name }) => !table.discounts.some((one) => one.name === name));
  const reading = isNew ? world.decide("pricing.discount_name") : world.reading("pricing.discount_name");
  if (reading === "single") return [first];
  const byName = new Map(table.discounts.map((one) => [one.name, one]));
  for (const one of given) byName.set(one.name, one);
  return [...byName.values()];
}

function nameOf(option: unknown): string {
  const { name } = (typeof option === "object" && option !== null ? option : {}) as AdjustmentInput;
  return typeof name === "string" ? name : "";
}

function anyColumn(byMergeName: ReadonlyMap<string, string>, name: string): string {
  return byMergeName.get(name) ?? (Object.hasOwn(BUILT_IN, name.toLowerCase()) ? name.toLowerCase() : name);
}

/** Reads the values of a row by column. @throws 400. assumed: pricing.fault_texts. */
function readColumns(
  world: World,
  byMergeName: ReadonlyMap<string, string>,
  row: PricingRowInput,
  isMerge: boolean,
  where: string,
): Map<string, unknown> {
  const columns = new Map<string, unknown>();
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(row.data ?? {})) {
    const column = columnOf(byMergeName, name, isMerge);
    if (column === undefined) wrong.push(name);
    else columns.set(column, value);
  }
  if (wrong.length === 0) return columns;
  if (world.decide("pricing.column_names") === "any") {
    for (const name of wrong) columns.set(anyColumn(byMergeName, name), row.data?.[name]);
    return columns;
  }
  const known = isMerge ? [...byMergeName.keys()] : Object.keys(BUILT_IN);
  throw invalid(
    { [where]: wrong.map((name) => `"${name}" is not a column of the pricing table.`) },
    `data_merge is ${isMerge}, so a row may name these columns: ${known.join(", ")}`,
  );
}

export function emptyItem(world: World): Omit<PricingItem, "options"> {
  return {
    id: world.ids.uuid(),
    sku: "",
    name: "",
    description: "",
    qty: "1",
    price: "0",
    cost: "",
    discount: null,
    tax_first: null,
    tax_second: null,
    taxes: {},
    discounts: {},
    fees: {},
    custom_fields: {},
    custom_columns: {},
    merged_data: {},
  };
}

function toItem(
  world: World,
  table: PricingTableRow,
  row: PricingRowInput,
  columns: ReadonlyMap<string, unknown>,
  multichoice: boolean,
): PricingItem {
  const item: PricingItem = {
    ...emptyItem(world),
    options: {
      // Source: the vendor says that a row with optional_selected: false adds nothing. assumed: pricing.unselected_row.
      optional: row.options?.optional ?? row.options?.optional_selected === false,
      optional_selected: row.options?.optional_selected ?? false,
      multichoice_enabled: multichoice,
      multichoice_selected: multichoice && (row.options?.optional_selected ?? false),
      qty_editable: row.options?.qty_editable ?? false,
    },
    custom_fields: row.custom_fields ?? {},
  };
  const merged: Record<string, MergedValue> = {};
  for (const [name, value] of columns) {
    const column = BUILT_IN[name];
    merged[mergeNameOf(table, name)] = toMerged(column, value);
    if (column === "discount" || column === "tax_first" || column === "tax_second") item[column] = toAdjustment(value);
    else if (column === "fees") item.fees = { Fee: toAdjustment(value) ?? { type: "absolute", value: "0" } };
    else if (column === "price" || column === "qty" || column === "cost") item[column] = decimal(value).toFixed();
    else if (column === "name" || column === "description" || column === "sku") item[column] = String(value ?? "");
    else item.custom_columns = { ...item.custom_columns, [name]: value };
  }
  return { ...item, merged_data: merged };
}

/** Source: the official example shows tax, fee and discount as objects and every other column as a text. */
function toMerged(column: keyof PricingItem | undefined, value: unknown): MergedValue {
  if (column === "discount" || column === "tax_first" || column === "tax_second" || column === "fees") {
    const adjustment = toAdjustment(value);
    return { value: adjustment?.value ?? "0", type: adjustment?.type ?? "percent" };
  }
  if (typeof value === "object" && value !== null) return String((value as AdjustmentInput).value ?? "");
  return String(value ?? "");
}

function toAdjustment(value: unknown): Adjustment | null {
  if (typeof value === "number" || typeof value === "string") return { type: "percent", value: decimal(value).toFixed() };
  if (typeof value !== "object" || value === null) return null;
  const { type, value: amount, name } = value as AdjustmentInput;
  return {
    type: type === "percent" ? "percent" : "absolute",
    value: decimal(amount).toFixed(),
    name: typeof name === "string" ? name : undefined,
  };
}
