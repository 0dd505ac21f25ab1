import { escapePointer, nearest } from "../../../engine/core/text.ts";
import type { DomainRemark, World } from "../../kit/world.ts";
import type { PricingTableInput } from "../pricing/inputs.ts";
import { remarkTable } from "../pricing/remarks.ts";
import { columnNames } from "../pricing/table-columns.ts";
import { hasContent, keysOf } from "./content.ts";
import type { Content, ContentInput } from "./row.ts";

/** The service accepts and ignores names that the content lacks. Client lint reports them. */

type Named = readonly ({ name: string } | null)[];

const LISTED_MAX = 12;

/** `at` is the JSON pointer of `input` in the body. An operation that adds unknown tokens leaves `tokens` out of `input`. */
export function remarkUnknownNames(world: World, content: Content, input: ContentInput, at = ""): void {
  if (!hasContent(input)) return;
  const owner = "name" in content ? `"${content.name}"` : "the document";
  const noTable = content.quotes.length > 0 && content.pricing_tables.length === 0 ? "a quote and no" : "no";
  const remark = (kind: DomainRemark["kind"], what: string, name: string, pointer: string, known: Iterable<string>) =>
    world.remark({
      kind,
      message: `${owner} has ${what === "pricing table" ? noTable : "no"} ${what} "${name}", so the service ignored it`,
      fix: fixOf(what, name, known),
      pointer: `${at}${pointer}`,
    });
  const check = (kind: DomainRemark["kind"], what: string, part: string, items: Named | undefined, rows: Named) => {
    if (items === undefined || items.length === 0) return;
    const known = namesOf(rows);
    for (const [i, item] of items.entries())
      if (item && !known.has(item.name)) remark(kind, what, item.name, `/${part}/${i}/name`, known);
  };
  const remarkField = (name: string, known: Iterable<string>) => {
    const pointer = `/fields/${escapePointer(name)}`;
    const field = content.fields.find((one) => [one.field_id, one.name, one.uuid].includes(name));
    if (!field) {
      remark("unknown_document_field", "field", name, pointer, known);
      return;
    }
    const { merge_field } = field;
    world.remark({
      kind: "unknown_document_field",
      message: `${owner} has a field "${name}", but no field has this merge name, so the service ignored it`,
      fix: merge_field ? `Write "${merge_field}".` : "Give the field a merge name in the template. Without one, no key fills it.",
      pointer: `${at}${pointer}`,
    });
  };
  for (const [name, { options }] of Object.entries(input.fields ?? {}))
    if (options !== undefined)
      world.remark({
        kind: "doubtful_value",
        message: `${owner} has its own options for "${name}", so docdouble ignores those of the request`,
        fix: "Leave the options out: only a dropdown that a field tag of a file makes takes them.",
        pointer: `${at}/fields/${escapePointer(name)}/options`,
      });
  const fields = Object.keys(input.fields ?? {});
  if (fields.length > 0) {
    const known = new Set(content.fields.flatMap((field) => keysOf(world, field)));
    for (const name of fields) if (!known.has(name)) remarkField(name, known);
  }
  check("unknown_token", "token", "tokens", input.tokens, content.tokens);
  check("unknown_block", "text block", "texts", input.texts, content.texts);
  check("unknown_block", "image block", "images", input.images, content.images);
  check("unknown_block", "table", "tables", input.tables, content.tables);
  check("unknown_pricing_name", "pricing table", "pricing_tables", input.pricing_tables, content.pricing_tables);
  for (const [i, table] of (input.pricing_tables ?? []).entries())
    remarkColumns(world, content, table, `${at}/pricing_tables/${i}`);
}

function remarkColumns(world: World, content: Content, input: PricingTableInput, at: string): void {
  const table = content.pricing_tables.find((one) => one.name === input.name);
  if (!table) return;
  if (!table.accepts_rows)
    world.remark({
      kind: "unknown_pricing_name",
      message: `The pricing table "${table.name}" does not allow rows from the API, so the service may not take them`,
      fix: "Allow rows from the API in the template's pricing table, or leave the rows out.",
      pointer: at,
    });
  remarkTable(world, table, input, at);
  const known = columnNames(table);
  // Without declared columns, a custom column and a misspelled one look alike.
  if (!table.columns) return;
  for (const [s, section] of (input.sections ?? []).entries())
    for (const [r, row] of (section.rows ?? []).entries())
      for (const name of Object.keys(row.data ?? {}))
        if (!known.has(name))
          world.remark({
            kind: "unknown_pricing_name",
            message: `The pricing table "${table.name}" has no column "${name}", so its value counts for nothing`,
            fix: fixOf("column", name, known),
            pointer: `${at}/sections/${s}/rows/${r}/data/${escapePointer(name)}`,
          });
}

function namesOf(rows: Named): Set<string> {
  return new Set(rows.flatMap((row) => row?.name ?? []));
}

export function fixOf(what: string, name: string, known: Iterable<string>): string {
  const all = [...new Set(known)];
  const similar = nearest(name, all);
  if (similar !== undefined) return `Write "${similar}".`;
  if (all.length === 0) return `Leave it out: there is no ${what}.`;
  const more = all.length > LISTED_MAX ? ", …" : "";
  return `Use one of ${all
    .slice(0, LISTED_MAX)
    .map((one) => `"${one}"`)
    .join(", ")}${more}.`;
}
