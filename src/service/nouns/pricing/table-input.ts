import type { FieldMessages } from "../../../engine/core/errors.ts";
import { ApiError, invalid } from "../../../engine/core/errors.ts";
import { Ids } from "../../../engine/core/ids.ts";
import { pointerOf } from "../../../engine/core/text.ts";
import type { World } from "../../kit/world.ts";
import type { PricingTableInput } from "./inputs.ts";
import { decimal } from "./money.ts";
import type { Adjustment, MergedValue, NamedAdjustment, PricingItem, PricingTableRow } from "./row.ts";
import { DISCOUNT_NAME } from "./row.ts";
import { CURRENCIES } from "../../kit/currencies.ts";
import { BUILT_IN_KEYS, columnsOf, memberOf, mergeNameOf } from "./table-columns.ts";
import { tableTotals } from "./tables.ts";

/** What the service refuses in pricing input, beyond its types. */

/** The currency of the request, and that of the table. */
export interface OtherCurrency {
  asked: string;
  kept: string;
}

/** `at` prefixes the field paths in errors. @throws 400 */
export function checkTables(world: World, input: readonly PricingTableInput[], at: string): void {
  const missing: FieldMessages = {};
  for (const [t, table] of input.entries()) {
    const where = `${at}pricing_tables[${t}]`;
    checkCurrency(table.options?.currency, `${where}.options.currency`);
    for (const [s, section] of (table.sections ?? []).entries())
      for (const [r, row] of (section.rows ?? []).entries())
        if (row.options === undefined) missing[`${where}.sections[${s}].rows[${r}].options`] = ["This field is required."];
  }
  const [first] = Object.keys(missing);
  // Source: the vendor's files.
  if (first === undefined || world.decide("pricing.row_options") === "optional") return;
  throw invalid(
    missing,
    `each row of a pricing table needs options, although the description calls them optional; send {} at ${first}`,
  );
}

/** assumed: pricing.currency_codes. */
function checkCurrency(currency: unknown, where: string): void {
  if (currency === undefined || (typeof currency === "string" && CURRENCIES.has(currency))) return;
  if (currency === null) throw invalid({ [where]: ["This field may not be null."] });
  const shown = typeof currency === "object" ? JSON.stringify(currency) : String(currency);
  throw invalid(
    { [where]: [`"${shown}" is not a valid choice.`] },
    "a currency is a code of ISO 4217 with three letters in upper case, such as USD",
  );
}

/** `total` is that of a table or quote after the change. @throws 400 in the other reading. */
export function checkTotal(world: World, total: string, where: string): void {
  if (decimal(total).gte(0)) return;
  if (world.decide("pricing.negative_total") === "refuse")
    throw invalid(
      { [where]: ["Ensure this value is greater than or equal to 0."] },
      `the discounts exceed the sum, so the total would be ${total}; lower the discounts`,
    );
  world.remark({
    kind: "doubtful_pricing",
    message: `The discounts exceed the sum, so the total is ${total}`,
    fix: "Lower the discounts, so that the total is at least 0.",
    pointer: pointerOf(where),
  });
}

/**
 * Source: the vendor says that the refused create leaves a broken document behind. assumed: pricing.currency_text.
 */
export function currencyRefused({ asked, kept }: OtherCurrency, { keepsChanges }: { keepsChanges: boolean }): ApiError {
  const rest = keepsChanges ? ". A broken document stays behind" : "";
  return new ApiError("invalid", `Wrong request currency ${asked} mismatch template currency`, {
    assumption: "pricing.other_currency",
    keepsChanges,
    why: `the template has prices in ${kept}; leave the currency out, or use a template in ${asked}${rest}`,
  });
}

type PricingRowInput = NonNullable<NonNullable<PricingTableInput["sections"]>[number]["rows"]>[number];

interface AdjustmentInput {
  type?: string;
  value?: string | number;
  name?: string;
}

/**
 * Source: rows with `data_merge` take merge names only; other rows take built-in names in lower case.
 * Returns undefined for a name that the mode refuses. assumed: pricing.column_names.
 */
function columnOf(byMergeName: ReadonlyMap<string, string>, name: string, isMerge: boolean): string | undefined {
  if (isMerge) return byMergeName.get(name);
  if (memberOf(name)) return name;
  const isOtherSpelling = memberOf(name.toLowerCase()) ?? memberOf(byMergeName.get(name) ?? name);
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
    return found ? applyTable(world, table, found.input, found.where) : table;
  });
}

/** Refuses what `applyPricing` would refuse, for a caller that applies the input later. @throws 400 */
export function checkPricing(
  world: World,
  tables: PricingTableRow[],
  input: readonly PricingTableInput[] | undefined,
  at = "",
): void {
  applyPricing({ ...world, ids: new Ids("check"), remark() {} }, tables, input ?? [], at);
}

/** Source: two clients know this refusal, one by its text. assumed: pricing.disabled_merge. */
function requireMerge(table: PricingTableRow, { data_merge, sections = [] }: PricingTableInput, where: string): void {
  if (data_merge !== true || (table.accepts_rows && table.data_merge_enabled)) return;
  if (sections.every(({ rows = [] }) => rows.length === 0)) return;
  throw invalid(
    {
      [`${where}.data_merge`]: [
        `Data merge is disabled: the pricing table "${table.name}" takes no rows while data merge is disabled.`,
      ],
    },
    `the template's pricing table "${table.name}" does not allow data merge; enable "Automatically add products to this table" there, use another table, or send the rows with data_merge: false`,
  );
}

function applyTable(world: World, table: PricingTableRow, input: PricingTableInput, where: string): PricingTableRow {
  requireMerge(table, input, where);
  const options = input.options ?? {};
  const byMergeName = new Map(columnsOf(table).map((column) => [column.merge_name, column.key]));
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
    if (table && isOtherCurrency(table, asked)) return { asked, kept: table.currency };
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
  return byMergeName.get(name) ?? (memberOf(name.toLowerCase()) ? name.toLowerCase() : name);
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
  const known = isMerge ? [...byMergeName.keys()] : BUILT_IN_KEYS;
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
    const column = memberOf(name);
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
