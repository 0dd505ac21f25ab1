/** Values that a schema accepts and that are wrong all the same: empty, zero, negative, huge, or of a thing that does not exist. */
import { kindsOf, type RequestField } from "./request-fields.ts";
import { type Json, STRANGER } from "./sample.ts";

export type WrongKind = "type" | "unknown" | "empty" | "zero" | "negative" | "huge" | "repeated";
export type Wrong = readonly [kind: WrongKind, value: unknown];

const HUGE = 1e12;

/** A text that names nothing, in the form that the schema wants. */
function unknownText({ format }: Json): string {
  if (format === "uuid") return STRANGER;
  if (format === "email") return "nobody.here@client.example";
  if (format === "uri") return "http://127.0.0.1:9/none";
  return format === "date-time" ? "2001-01-01T00:00:00Z" : "no such thing";
}

function* ofBranch(one: Json): Generator<Wrong> {
  const types = [one.type].flat();
  if (one.enum || one.const !== undefined) yield ["unknown", "~"];
  else if (types.includes("string")) yield* [["empty", ""] as const, ["unknown", unknownText(one)] as const];
  if (types.includes("integer") || types.includes("number"))
    yield* [["zero", 0] as const, ["negative", -1] as const, ["huge", HUGE] as const];
  if (types.includes("array")) yield ["empty", []];
  if (types.includes("object")) yield ["empty", {}];
}

const OTHERS = [
  ["string", "~"],
  ["integer", 7],
  ["boolean", true],
  ["array", [["~"]]],
  ["object", { "~": 1 }],
] as const;

export function doubtfulInBody(field: RequestField): Wrong[] {
  const kinds = kindsOf(field);
  const values: Wrong[] = field.branches.flatMap((one) => [...ofBranch(one)]);
  if (!kinds) values.push(["type", 7], ["type", ["~"]], ["type", { "~": 1 }], ["empty", ""]);
  const other = kinds && OTHERS.find(([kind]) => !kinds.has(kind));
  if (other) values.push(["type", other[1]]);
  return distinct(values);
}

export function doubtfulInQuery(field: RequestField): Wrong[] {
  const branches = field.branches.flatMap((one) => (one.items ? [one.items] : [one]));
  const values: Wrong[] = [...branches.flatMap((one) => [...ofBranch(one)]), ["type", "~"], ["empty", ""]];
  if (!field.branches.some((one) => one.items)) values.push(["repeated", ["1", "1"]]);
  return distinct(values);
}

function distinct(values: readonly Wrong[]): Wrong[] {
  return [...new Map(values.map((one) => [JSON.stringify(one[1]), one])).values()];
}
