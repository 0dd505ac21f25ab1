import { escapePointer } from "../../../engine/core/text.ts";
import type { World } from "../../kit/world.ts";
import type { PricingTableInput, QuoteInput, QuoteItemInput } from "./inputs.ts";
import { isDecimal } from "./money.ts";
import type { PricingTableRow } from "./row.ts";
import { builtInColumn } from "./table-columns.ts";
import { isRead } from "./table-input.ts";

/** What docdouble accepts in pricing input and then reads differently, or not at all. Client lint reports it. */

const TYPES: readonly unknown[] = ["percent", "absolute"];

type Remark = (pointer: string, message: string, fix: string) => void;

function remarkAt(world: World, at: string): Remark {
  return (pointer, message, fix) => world.remark({ kind: "doubtful_pricing", message, fix, pointer: `${at}${pointer}` });
}

/** `at` is the JSON pointer of `input` in the body. */
export function remarkTable(world: World, table: PricingTableRow, input: PricingTableInput, at: string): void {
  const remark = remarkAt(world, at);
  remarkOptions(table, input.options ?? {}, remark);
  for (const [s, section] of (input.sections ?? []).entries())
    for (const [r, row] of (section.rows ?? []).entries()) {
      const { optional, optional_selected } = row.options ?? {};
      if (optional === false && optional_selected === false)
        remark(
          `/sections/${s}/rows/${r}/options/optional_selected`,
          "The row is neither optional nor selected, and docdouble counts it",
          "Leave optional_selected out, or make the row optional.",
        );
      for (const [name, value] of Object.entries(row.data ?? {}))
        remarkCell(builtInColumn(table, name), name, value, `/sections/${s}/rows/${r}/data/${escapePointer(name)}`, remark);
    }
}

function remarkOptions(table: PricingTableRow, options: NonNullable<PricingTableInput["options"]>, remark: Remark): void {
  const { currency } = options;
  if (typeof currency === "string" && currency !== table.currency)
    remark(
      "/options/currency",
      `The pricing table "${table.name}" keeps its currency ${table.currency}, so the service ignored ${currency}`,
      "Use a template in the currency that you want. Prices keep their numbers.",
    );
  const isKind = (kind: RegExp) => Object.keys(options).filter((key) => kind.test(key));
  for (const [kind, keys] of [["tax", isKind(/tax/i)] as const, ["fee", isKind(/fee/i)] as const])
    for (const key of keys.slice(1))
      remark(
        `/options/${escapePointer(key)}`,
        `The table has one ${kind}, so docdouble ignored "${key}"`,
        `Send one ${kind}, or use a column.`,
      );
  for (const [key, option] of Object.entries(options)) {
    const pointer = `/options/${escapePointer(key)}`;
    if (!isRead(key, option))
      remark(pointer, `No part of the table reads the option "${key}"`, "Use a key that contains discount, tax or fee.");
    else if (key !== "currency") {
      remarkAdjustment(key, option, pointer, remark);
      const { name } = Object(option) as { name?: unknown };
      if (name != null && typeof name !== "string")
        remark(`${pointer}/name`, `The name of "${key}" is not a text, so docdouble ignores it`, "Send a text.");
    }
  }
}

function remarkCell(column: string | undefined, name: string, value: unknown, pointer: string, remark: Remark): void {
  if (column === "price" || column === "qty" || column === "cost") {
    if (!isDecimal(value)) remark(pointer, `"${name}" is not a number, so it counts as 0`, "Send a number.");
    else if (Number(value) < 0) remark(pointer, `"${name}" is negative`, "Send a discount instead.");
    else if (column === "qty" && Number(value) === 0)
      remark(pointer, `"${name}" is 0, so the row adds nothing`, "Send a quantity.");
  } else if (column === undefined) {
    if (typeof value === "object" && value !== null && !("value" in value))
      remark(pointer, `"${name}" is not a text, so docdouble shows an empty one`, "Send a text.");
  } else if (column === "discount" || column === "tax" || column === "fee") remarkAdjustment(name, value, pointer, remark);
  else if (typeof value !== "string")
    remark(pointer, `"${name}" is not a text, so the document shows ${JSON.stringify(String(value ?? ""))}`, "Send a text.");
}

function remarkAdjustment(name: string, value: unknown, pointer: string, remark: Remark): void {
  const { type, value: amount } = (typeof value === "object" && value !== null ? value : {}) as {
    type?: unknown;
    value?: unknown;
  };
  if (typeof value !== "object" || value === null)
    remark(
      pointer,
      `"${name}" is not an object with type and value`,
      'Send an object, such as { "type": "percent", "value": 10 }.',
    );
  else if (!TYPES.includes(type))
    remark(`${pointer}/type`, `The type of "${name}" is not known, so docdouble takes an amount`, 'Use "percent" or "absolute".');
  else if (!isDecimal(amount))
    remark(`${pointer}/value`, `The value of "${name}" is not a number, so it counts as 0`, "Send a number.");
  else if (Number(amount) < 0)
    remark(`${pointer}/value`, `The value of "${name}" is negative, so it works the other way round`, "Send a positive value.");
}

/** `at` is the JSON pointer of `input` in the body. */
export function remarkQuote(world: World, { summary, sections = [] }: QuoteInput, at: string): void {
  const remark = remarkAt(world, at);
  remarkAdjustments(summary, "/summary", remark);
  for (const [s, section] of sections.entries()) {
    remarkAdjustments(section.summary, `/sections/${s}/summary`, remark);
    for (const [i, item] of (section.items ?? []).entries()) remarkItem(item, `/sections/${s}/items/${i}`, remark);
  }
}

function remarkItem(item: QuoteItemInput, at: string, remark: Remark): void {
  remarkTerm(item, `${at}/contract_term`, remark);
  for (const [name, factor] of Object.entries(item.multipliers ?? {}))
    if (factor <= 0)
      remark(
        `${at}/multipliers/${escapePointer(name)}`,
        `The multiplier "${name}" is not positive, so the item adds ${factor === 0 ? "nothing" : "a negative amount"}`,
        "Send a positive number.",
      );
  remarkAdjustments(item, at, remark);
}

function remarkTerm({ id, billing_frequency, contract_term }: QuoteItemInput, at: string, remark: Remark): void {
  // A known item may have its billing frequency from before.
  if (contract_term != null && (billing_frequency === null || (billing_frequency === undefined && id === undefined)))
    remark(at, "The item has no billing frequency, so docdouble ignores its contract term", "Send a billing_frequency too.");
}

function remarkAdjustments(input: NonNullable<QuoteInput["summary"]> | undefined, at: string, remark: Remark): void {
  for (const kind of ["discounts", "taxes", "fees"] as const)
    for (const [name, { type, value }] of Object.entries(input?.[kind] ?? {})) {
      const pointer = `${at}/${kind}/${escapePointer(name)}`;
      if (value === undefined) remark(pointer, `"${name}" has no value, so it counts as 0`, "Send a value.");
      else if (type === undefined)
        remark(pointer, `"${name}" has no type, so docdouble takes an amount`, 'Send "percent" or "flat".');
    }
}
