import { invalid } from "../../../engine/core/errors.ts";
import { decimal } from "./money.ts";
import type { World } from "../../model/world.ts";
import type { Adjustment, MergedValue, PricingItem, PricingTableRow } from "../../model/pricing/rows.ts";
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
  // assumed: pricing.option_kind.
  const find = (part: string): Adjustment | null => {
    const all = Object.entries(options).map(([key, option]) => ({ key, name: nameOf(option), option }));
    const isKind = (text: string) => text.toLowerCase().includes(part);
    const found = all.find(({ key }) => isKind(key)) ?? all.find(({ key, name }) => !KINDS.test(key) && isKind(name));
    return found ? toAdjustment(found.option) : null;
  };
  return {
    ...table,
    currency: typeof options.currency === "string" ? options.currency : table.currency,
    discount: find("discount") ?? table.discount,
    tax: find("tax") ?? table.tax,
    fee: find("fee") ?? table.fee,
    items: input.sections ? items : table.items,
  };
}

const KINDS = /discount|tax|fee/i;

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
      optional: row.options?.optional ?? false,
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
    else if (column === "price" || column === "qty" || column === "cost") item[column] = decimal(value).toString();
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
  if (typeof value === "number" || typeof value === "string") return { type: "percent", value: decimal(value).toString() };
  if (typeof value !== "object" || value === null) return null;
  const { type, value: amount, name } = value as AdjustmentInput;
  return {
    type: type === "percent" ? "percent" : "absolute",
    value: decimal(amount).toString(),
    name,
  };
}
