/** Wrong values for a field of a request: values of other kinds, and values outside its limits. */
import { type Kind, kindsOf, type RequestField } from "./request-fields.ts";
import type { Json } from "./sample.ts";

/** One value of each JSON kind. */
const VALUES: readonly [kind: Kind, value: unknown][] = [
  ["string", "~"],
  ["integer", 7],
  ["number", 1.5],
  ["boolean", true],
  ["null", null],
  ["array", [["~"]]],
  ["object", { "~": { "~": 1 } }],
];

/** Wrong values in a JSON body. */
export function wrongInBody(field: RequestField): unknown[] {
  const kinds = kindsOf(field);
  if (!kinds) return [];
  const values = VALUES.filter(([kind]) => !kinds.has(kind)).map(([, value]) => value);
  for (const one of field.branches) values.push(...beyond(one, kinds));
  return [...new Set(values)];
}

function beyond(one: Json, kinds: ReadonlySet<Kind>): unknown[] {
  const values: unknown[] = [];
  const hasText = one.format !== undefined || one.pattern !== undefined || (one.minLength ?? 0) > 0;
  if (one.enum || one.const !== undefined) values.push(kinds.has("string") ? "~" : -7);
  if (one.maxLength !== undefined) values.push("x".repeat(one.maxLength + 1));
  if (hasText) values.push("", ...(one.format !== undefined || one.pattern !== undefined ? ["~"] : []));
  if ((one.minimum ?? Number.MIN_SAFE_INTEGER) > Number.MIN_SAFE_INTEGER) values.push((one.minimum as number) - 1);
  if (one.maximum !== undefined) values.push(one.maximum < Number.MAX_SAFE_INTEGER ? one.maximum + 1 : 1e300);
  if ((one.minItems ?? 0) > 0) values.push([]);
  return values;
}

/** Wrong values in a query, where each value is a text. A text field accepts any text. */
export function wrongInQuery({ branches }: RequestField): string[] {
  const values: string[] = [];
  for (const one of branches.flatMap((branch) => (branch.items ? [branch.items] : [branch]))) {
    if (one.type === "integer") values.push("", "~", "1.5", "1e3", "0x10", "٣", "9".repeat(20), `${(one.minimum ?? 0) - 1}~`);
    if (one.type === "integer" && one.minimum !== undefined) values.push(String(one.minimum - 1));
    if (one.type === "integer" && one.maximum !== undefined) values.push(String(one.maximum + 1));
    if (one.type === "number") values.push("", "~", "NaN", "Infinity", "-1", "1e400");
    if (one.type === "boolean") values.push("", "~", "2");
    if (one.format === "date-time") values.push("", "~", "yesterday", "2026-13-40T00:00:00Z", "12:00");
    if (one.enum) values.push("", "~");
    if (one.pattern !== undefined || (one.minLength ?? 0) > 0) values.push("");
  }
  return [...new Set(values)];
}
