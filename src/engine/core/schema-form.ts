/** The form that a schema takes, as short JSON: refusals show it to a client that sent another form. */
import type { z } from "zod";
import { definitionOf, innermost } from "./schema-parts.ts";

const DEPTH_MAX = 3;
const OPTIONAL_SHOWN = 3;

export function formOf(schema: z.ZodType, depth = 0): string {
  const inner = innermost(schema);
  const definition = definitionOf(inner);
  switch (definition?.type) {
    case "array":
      return depth > DEPTH_MAX ? "[…]" : `[${formOf(definition.element as z.ZodType, depth + 1)}]`;
    case "object":
      return depth > DEPTH_MAX ? "{…}" : objectForm(definition.shape as Record<string, z.ZodType>, depth);
    case "record":
      return depth > DEPTH_MAX ? "{…}" : `{"name": ${formOf(definition.valueType as z.ZodType, depth + 1)}}`;
    case "union":
      return formOf((definition.options as z.ZodType[])[0] as z.ZodType, depth);
    case "enum":
      return JSON.stringify(Object.values(definition.entries as object)[0]);
    case "literal":
      return JSON.stringify((definition.values as unknown[])[0]);
    case "number":
    case "int":
      return "1";
    case "boolean":
      return "true";
    default:
      return '"text"';
  }
}

/** The required members, or the first optional ones. */
function objectForm(shape: Record<string, z.ZodType>, depth: number): string {
  const names = Object.keys(shape);
  const required = names.filter((name) => shape[name]?._zod.optin !== "optional");
  const shown = required.length > 0 ? required : names.slice(0, OPTIONAL_SHOWN);
  const members = shown.map((name) => `"${name}": ${formOf(shape[name] as z.ZodType, depth + 1)}`);
  return `{${[...members, ...(shown.length < names.length ? ["…"] : [])].join(", ")}}`;
}

/** The schema of the member at a path of the value. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  const inner = innermost(schema);
  const [next, ...rest] = path;
  if (next === undefined) return inner;
  const definition = definitionOf(inner);
  for (const option of (definition?.options as z.ZodType[] | undefined) ?? []) {
    const found = schemaAt(option, path);
    if (found) return found;
  }
  const shape = definition?.shape as Record<PropertyKey, z.ZodType> | undefined;
  const member = shape?.[next] ?? ((definition?.element ?? definition?.valueType) as z.ZodType | undefined);
  return member && schemaAt(member, rest);
}
