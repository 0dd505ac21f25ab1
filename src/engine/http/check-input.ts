import { ApiError, invalid } from "../core/errors.ts";
import type { Schema } from "../core/operation.ts";
import { listMembers } from "../core/schema-parts.ts";
import { noteAssumption, type OperationCall } from "./call.ts";
import { convertTypes } from "./convert-types.ts";
import { invalidInput, parseInput } from "./error-bodies.ts";
import { requireText } from "./json-text.ts";

export function requireTexts(queries: Record<string, string[]>): void {
  for (const [name, values] of Object.entries(queries)) for (const value of values) requireText(value, [name]);
}

export function checkInput(schema: Schema, value: unknown, isForm = false): unknown {
  const result = parseInput(schema(), value);
  if (!result.success) throw invalidInput(result.error, { value, schema: schema(), isForm });
  return result.data;
}

/** As `checkInput`, for a value that is checked once: zod compiles a schema at its first parse, which takes longer than such a parse. */
export function checkOnce(schema: Schema, value: unknown): unknown {
  const result = schema().safeParse(value, { jitless: true });
  return result.success ? result.data : checkInput(schema, value);
}

export function hasEmptyValue({ entry }: OperationCall): boolean {
  return /[?&][^=&]+=(&|$)/.test(entry.url);
}

/** The parameters with a value. Undefined when empty values get the same checks as other values. @throws 400 */
export function withoutEmptyValues(call: OperationCall): Record<string, string[]> | undefined {
  noteAssumption(call, "query.empty_values");
  const reading = call.tenant.readings.of("query.empty_values");
  if (reading === "check") return undefined;
  const queries = Object.entries(call.context.req.queries());
  if (reading === "refuse") {
    const empty = queries.filter(([, values]) => values.includes("")).map(([name]) => [name, ["This field may not be blank."]]);
    const error = invalid(Object.fromEntries(empty));
    error.options.inQuery = true;
    throw error;
  }
  const kept = queries.map(([name, values]) => [name, values.filter((value) => value !== "")] as const);
  return Object.fromEntries(kept.filter(([, values]) => values.length > 0));
}

export function hasRepeated(queries: Record<string, string[]>): boolean {
  for (const name in queries) if ((queries[name] as string[]).length > 1) return true;
  return false;
}

/** As in Django, the last value counts where a parameter takes one value. assumed: errors.repeated_parameter. */
export function checkQuery(call: OperationCall, schema: Schema, queries: Record<string, string[]>): unknown {
  const lists = listMembers(schema());
  const values = Object.entries(queries).map(([name, all]) => {
    const last = all.at(-1);
    if (all.length < 2) return [name, last];
    if (lists.has(name)) return [name, all];
    noteAssumption(call, "errors.repeated_parameter");
    return [name, last];
  });
  try {
    return checkInput(schema, Object.fromEntries(values));
  } catch (error) {
    if (error instanceof ApiError) error.options.inQuery = true;
    throw error;
  }
}

export function checkBodyTypes(call: OperationCall, schema: Schema, isForm: boolean): unknown {
  const { body } = call.input;
  const result = parseInput(schema(), body);
  if (result.success) return result.data;
  const refused = () => invalidInput(result.error, { value: body, schema: schema(), isForm });
  const converted = convertTypes(schema(), body, result.error);
  if (converted === undefined) throw refused();
  noteAssumption(call, "json.types");
  if (call.tenant.readings.of("json.types") === "strict") throw refused();
  return checkInput(schema, converted, isForm);
}
