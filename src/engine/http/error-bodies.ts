import * as z from "zod";
import { type ApiError, type FieldMessages, invalid } from "../core/errors.ts";
import { fieldName } from "../core/field-path.ts";
import { formOf, schemaAt } from "../core/schema-form.ts";
import { nearest } from "../core/text.ts";
import { NOT_BOOLEAN, NOT_INTEGER, NOT_NUMBER, WRONG_DATE } from "../core/inputs.ts";

export const REQUIRED = "This field is required.";

interface Checked {
  value: unknown;
  /** Whose form the refusal shows. */
  schema?: z.ZodType;
  isForm?: boolean;
  names?: Names;
}

/** The 400 for the schema issues of `value`. assumed: errors.form_data_path. */
export function invalidInput(error: z.core.$ZodError, { value, schema, isForm = false, names }: Checked): ApiError {
  const fields = Object.create(null) as FieldMessages;
  // For a value of the wrong type, zod also reports its length. The type alone is enough.
  const mistyped = new Set(error.issues.filter((issue) => issue.code === "invalid_type").map((issue) => issue.path.join()));
  const issues = error.issues.filter((issue) => issue.code === "invalid_type" || !mistyped.has(issue.path.join()));
  for (const { path, message } of issues.flatMap((issue) => flatten(issue, value))) {
    const name = fieldName(isForm && path[0] === "data" && path.length > 1 ? path.slice(1) : path);
    fields[name] ??= [];
    if (!fields[name].includes(message)) fields[name].push(message);
  }
  const allowed = issues.flatMap((issue) => [...allowedBy(issue, names), ...formBy(issue, schema)]);
  return invalid(fields, allowed.length > 0 ? [...new Set(allowed)].join("; ") : undefined);
}

type Path = PropertyKey[];

type Names = (path: (string | number)[]) => readonly string[];

/** The allowed values of an issue, if they form a list. The service's messages omit them. */
function allowedBy(issue: z.core.$ZodIssue, names?: Names): string[] {
  if (issue.code === "invalid_value") return [`${fieldName(issue.path)} is one of ${issue.values.map(String).join(", ")}`];
  if (issue.code !== "unrecognized_keys" || names === undefined) return [];
  const known = names(issue.path as (string | number)[]);
  const near = issue.keys.flatMap((key) => nearest(key, known) ?? []);
  return [`${near.length === 0 ? "" : `did you mean ${near.join(", ")}? `}There are ${known.join(", ")}`];
}

const SHAPES: readonly string[] = ["array", "object", "record"];

/** What a list or object in place of another value should look like. The service's messages omit it. */
function formBy(issue: z.core.$ZodIssue, schema: z.ZodType | undefined): string[] {
  if (issue.code !== "invalid_type" || !SHAPES.includes(issue.expected)) return [];
  // An entry of a list is shown in its list.
  const path = issue.path.slice(0, issue.path.findLastIndex((step) => typeof step !== "number") + 1);
  const wanted = schema && schemaAt(schema, path);
  if (!wanted) return [];
  return [path.length === 0 ? `send ${formOf(wanted)}` : `${fieldName(path)} is ${formOf(wanted)}`];
}

function flatten(issue: z.core.$ZodIssue, root: unknown, prefix: Path = []): { path: Path; message: string }[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const deepest = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
    if (depth(deepest) > 0) return deepest.flatMap((inner) => flatten(inner, root, path));
  }
  // Only admin schemas are strict.
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => ({ path: [...path, key], message: "Unknown name." }));
  return [{ path, message: messageOf(issue, at(root, path)) }];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function at(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    // In a query, a list with one value arrives as a plain value.
    if (typeof value === "string" && key === 0) continue;
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** Uses the words of Django REST framework, as the service's examples do. */
function messageOf(issue: z.core.$ZodIssue, input: unknown): string {
  if (issue.code === "custom") return issue.message;
  if (input === undefined) return REQUIRED;
  if (input === null && issue.code !== "invalid_value") return "This field may not be null.";
  switch (issue.code) {
    case "invalid_type":
      return TYPE_MESSAGES.includes(issue.message) ? issue.message : typeMessage(issue.expected, input);
    case "too_small":
      if (issue.origin === "string")
        return issue.minimum === 1
          ? "This field may not be blank."
          : `Ensure this field has at least ${issue.minimum} characters.`;
      if (issue.origin === "array") return "This list may not be empty.";
      return `Ensure this value is greater than or equal to ${issue.minimum}.`;
    case "too_big":
      if (issue.origin === "string") return `Ensure this field has no more than ${issue.maximum} characters.`;
      if (issue.origin === "array") return `Ensure this field has no more than ${issue.maximum} elements.`;
      return `Ensure this value is less than or equal to ${issue.maximum}.`;
    case "invalid_format":
      if (issue.format === "email") return "Enter a valid email address.";
      if (issue.format === "url") return "Enter a valid URL.";
      if (issue.format === "uuid" || issue.format === "guid") return "Must be a valid UUID.";
      return "This value does not match the required pattern.";
    case "invalid_value":
      return `"${typeof input === "object" ? JSON.stringify(input) : String(input)}" is not a valid choice.`;
    case "invalid_union":
      return typeof input === "number" || typeof input === "string"
        ? `"${String(input)}" is not a valid choice.`
        : "Invalid data.";
    default:
      return "Invalid data.";
  }
}

/** Schemas of numbers, booleans and instants set these messages, because every query value is a text. */
const TYPE_MESSAGES: readonly string[] = [NOT_INTEGER, NOT_NUMBER, NOT_BOOLEAN, WRONG_DATE];

/** For text in place of an integer, zod reports `number`. The raw issue holds the schema, which knows that an integer is wanted. */
const PARSE_OPTIONS = {
  error: ({ code, inst }: z.core.$ZodRawIssue): string | undefined =>
    code === "invalid_type" && inst instanceof z.ZodNumber && inst.isInt ? NOT_INTEGER : undefined,
};

/** Options make a small parse many times slower, so only wrong values are parsed with them, for their messages. */
export function parseInput(schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> {
  const result = schema.safeParse(value);
  return result.success ? result : schema.safeParse(value, PARSE_OPTIONS);
}

/** assumed: errors.repeated_parameter. */
function typeMessage(expected: string, input: unknown): string {
  switch (expected) {
    case "string":
      return "Not a valid string.";
    case "int":
      return NOT_INTEGER;
    case "number":
      return NOT_NUMBER;
    case "boolean":
      return NOT_BOOLEAN;
    case "array":
      return `Expected a list of items but got type "${pythonType(input)}".`;
    default:
      return `Invalid data. Expected a dictionary, but got ${pythonType(input)}.`;
  }
}

function pythonType(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "str";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return typeof value === "boolean" ? "bool" : "dict";
}
