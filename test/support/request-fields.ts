/** Each member that a request may have, found by walking its schema. Tests of invalid input use them. */
import { z } from "zod";
import type { Operation, Schema } from "../../src/engine/core/operation.ts";
import { type Json, sample } from "./sample.ts";

/** A step into a value: a name, `0` for the first entry of a list, `*` for any name of a map. */
export type Step = string | 0;
export type Kind = "string" | "integer" | "number" | "boolean" | "null" | "array" | "object";

export type Part = "params" | "query" | "body";

export interface RequestField {
  path: readonly Step[];
  /** Whether the member is required in its parent. */
  required: boolean;
  /** The schemas of the field, one entry for each branch of a union. */
  branches: readonly Json[];
}

/** The schema of a part of the request, as JSON Schema. */
export function requestSchema(schema: Schema): Json {
  return z.toJSONSchema(schema() as z.ZodType, { io: "input", unrepresentable: "any" }) as Json;
}

const known = new WeakMap<object, [Part, Json][]>();

/** The parts of an operation's request. */
export function partsOf(operation: Pick<Operation, "params" | "query" | "body">): [Part, Json][] {
  const parts = known.get(operation) ?? readParts(operation);
  known.set(operation, parts);
  return parts;
}

function readParts(operation: Pick<Operation, "params" | "query" | "body">): [Part, Json][] {
  return (["params", "query", "body"] as const).flatMap((part) => {
    const schema = operation[part];
    return schema ? [[part, requestSchema(schema)] as [Part, Json]] : [];
  });
}

/** The branches of a schema that are not unions. */
export function branchesOf(schema: Json): Json[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return inner.length > 0 ? inner.flatMap(branchesOf) : [schema];
}

/** All fields of a schema by their place, parents first. */
export function fieldsOf(schema: Json): RequestField[] {
  const fields = walked.get(schema) ?? walk(schema);
  walked.set(schema, fields);
  return fields;
}

const walked = new WeakMap<Json, RequestField[]>();

function walk(schema: Json): RequestField[] {
  const found = new Map<string, { path: readonly Step[]; required: boolean; branches: Json[] }>();
  const visit = (one: Json, path: readonly Step[], required: boolean): void => {
    const branches = branchesOf(one);
    const name = nameOf(path);
    const field = found.get(name) ?? { path, required, branches: [] };
    field.branches.push(...branches);
    field.required &&= required;
    found.set(name, field);
    for (const branch of branches) {
      for (const [key, inner] of Object.entries(branch.properties ?? {}))
        visit(inner, [...path, key], branch.required?.includes(key) ?? false);
      if (branch.items) visit(branch.items, [...path, 0], false);
      if (typeof branch.additionalProperties === "object") visit(branch.additionalProperties, [...path, "*"], false);
    }
  };
  visit(schema, [], false);
  return [...found.values()];
}

/** The name that tests use for any key of a map. */
const ANY = "any";

/** `recipients[0].email`, as the service names a wrong field. */
export function nameOf(path: readonly Step[]): string {
  return path.map((step, i) => (step === 0 ? "[0]" : `${i === 0 ? "" : "."}${step === "*" ? ANY : step}`)).join("");
}

/** The JSON kinds that a field accepts. An empty list means any kind. */
export function kindsOf(field: RequestField): Set<Kind> | undefined {
  const kinds = new Set<Kind>();
  for (const branch of field.branches) {
    const values = branch.const !== undefined ? [branch.const] : branch.enum;
    if (branch.type !== undefined) for (const type of [branch.type].flat()) kinds.add(type as Kind);
    else if (values) for (const value of values) kinds.add(kindOf(value));
    else return undefined;
  }
  if (kinds.has("number")) kinds.add("integer");
  return kinds;
}

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as Kind;
}

/** `body` with `value` at the field's place. Missing parents get the smallest value that their schema accepts. */
export function withValue(body: unknown, schema: Json, path: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  for (const branch of branchesOf(schema)) {
    const isList = step === 0;
    const inner = isList ? branch.items : step === "*" ? branch.additionalProperties : branch.properties?.[step];
    if (typeof inner !== "object") continue;
    const base = kindOf(body) === (isList ? "array" : "object") ? body : sample(branch);
    const key = step === "*" ? ANY : step;
    const before = (base as Record<string | number, unknown>)[key];
    const after = withValue(before, inner, rest, value);
    return isList ? [after, ...(base as unknown[]).slice(1)] : { ...(base as object), [key]: after };
  }
  throw new Error(`the schema has no ${nameOf(path)}`);
}

/** `body` without the member at the field's place. */
export function withoutIt(body: unknown, schema: Json, path: readonly Step[]): unknown {
  return JSON.parse(JSON.stringify(withValue(body, schema, path, undefined)));
}
