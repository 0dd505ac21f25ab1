/** Converts JSON values of a wrong type, as fields of Django REST framework do. */
import type * as z from "zod";
import { parseInput } from "./error-bodies.ts";

/** A conversion may uncover further values of a wrong type. */
const ROUNDS_MAX = 5;

export function convertTypes(schema: z.ZodType, value: unknown, error: z.core.$ZodError): unknown {
  let converted: unknown;
  let { issues } = error;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const changed = convertIssues(converted ?? value, issues);
    if (changed === undefined) return converted;
    converted = changed;
    const result = parseInput(schema, converted);
    if (result.success) return converted;
    issues = result.error.issues;
  }
  return converted;
}

function convertIssues(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  let converted: unknown;
  for (const { path, expected } of mismatches(issues)) {
    const current = converted ?? value;
    const replacement = convert(valueAt(current, path), expected);
    if (replacement !== undefined) converted = withValue(current, path, replacement);
  }
  return converted;
}

function mismatches(
  issues: readonly z.core.$ZodIssue[],
  prefix: PropertyKey[] = [],
): { path: PropertyKey[]; expected: string }[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "invalid_type") return [{ path, expected: issue.expected }];
    if (issue.code === "invalid_union") return issue.errors.flatMap((branch) => mismatches(branch, path)).slice(0, 1);
    return [];
  });
}

const TRUE: readonly unknown[] = ["true", "True", "TRUE", "t", "T", "yes", "on", "1", 1];
const FALSE: readonly unknown[] = ["false", "False", "FALSE", "f", "F", "no", "off", "0", 0];

function convert(value: unknown, expected: string): unknown {
  if (expected === "string") return typeof value === "number" ? String(value) : undefined;
  if (expected === "boolean") return TRUE.includes(value) ? true : FALSE.includes(value) ? false : undefined;
  if (expected !== "number" && expected !== "int") return undefined;
  return typeof value === "string" && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : undefined;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, step) =>
      typeof part === "object" && part !== null && Object.hasOwn(part, step)
        ? (part as Record<PropertyKey, unknown>)[step]
        : undefined,
    value,
  );
}

function withValue(value: unknown, [step, ...rest]: readonly PropertyKey[], part: unknown): unknown {
  if (step === undefined) return part;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<PropertyKey, unknown>;
  copy[step] = withValue(copy[step], rest, part);
  return copy;
}
