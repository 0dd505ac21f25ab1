import type { z } from "zod";
import type { Schema } from "../core/operation.ts";
import { hint, nearest } from "../core/text.ts";
import { type Diagnostic, ScenarioError } from "./error.ts";
import { isOfZod, kindText, plainProblem, valueText } from "./plain-problem.ts";
import { type Path, readText } from "./yaml.ts";

export type { Path } from "./yaml.ts";

/** zod compiles a schema at its first parse, which takes longer than to parse one file without compiling. */
const ONE_PARSE = { reportInput: true, jitless: true };

/** More mistakes than this repeat one cause. */
const MISTAKES_MAX = 2000;

/**
 * Reports all mistakes at once, with file, line, column and the nearest valid name.
 *
 * @param schemaFor as `schema`, but only with the members that `raw` needs. It accepts nothing that `schema` refuses
 * @throws ScenarioError
 */
export function parse<T extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema<T>,
  { schemaFor, isShared }: { schemaFor?: (raw: unknown) => T; isShared?: boolean } = {},
): { value: z.output<T>; raw: unknown; at: (path: Path, message: string) => Diagnostic } {
  const { raw, place } = readText(text, file, isShared);
  const at = (path: Path, message: string, key?: string) => place(withPath(path, message), path, key);
  const quick = schemaFor?.(raw).safeParse(raw, ONE_PARSE);
  const result = quick?.success ? quick : schema().safeParse(raw, ONE_PARSE);
  if (result.success) return { value: result.data, raw, at };
  const mistakes = result.error.issues
    .slice(0, MISTAKES_MAX)
    .flatMap((issue) =>
      mistakesOf(issue, (path) => namesAt(schema(), path)).map(({ path, message, key }) => at(path, message, key)),
    );
  throw new ScenarioError(mistakes.sort((a, b) => a.line - b.line || a.column - b.column));
}

export function locate(text: string, file: string, path: Path, message: string, isShared = false): Diagnostic {
  return readText(text, file, isShared).place(withPath(path, message), path);
}

function withPath(path: Path, message: string): string {
  return path.length > 0 ? `${path.join(".")}: ${message}` : message;
}

/** Mistakes in a caller's value, which has no lines. `choice` names the allowed words for a value of the wrong kind. */
export function mistakesIn(issues: readonly Issue[], schema: z.ZodType): { inside: string[]; choice: string | undefined } {
  const found = issues
    .slice(0, MISTAKES_MAX)
    .flatMap((issue) =>
      mistakesOf(issue, (path) => namesAt(schema, path)).map((one) => ({ ...one, code: issue.code, isOwn: !isOfZod(issue) })),
    );
  return {
    inside: found
      .filter(({ path, code, isOwn }) => path.length > 0 || code === "unrecognized_keys" || isOwn)
      .map(({ path, message }) => withPath(path, message)),
    choice: found.find(({ path, code }) => path.length === 0 && code === "invalid_value")?.message,
  };
}

/** The mistakes in the input of a verb, each with the path of the wrong value. `member` holds the whole body, so paths leave it out. */
export function problemsIn(
  issues: readonly Issue[],
  schema: z.ZodType,
  member?: string,
): { path: Path; message: string; sentence: string }[] {
  const shown = (path: Path): Path => (path[0] === member ? path.slice(1) : path);
  return issues.flatMap((issue) =>
    (issue.path.length === 0 && issue.code === "invalid_type"
      ? [{ path: [], message: plainProblem(issue) }]
      : mistakesOf(issue, (path) => namesAt(schema, path))
    ).map(({ path, message, key }: { path: Path; message: string; key?: string }) => ({
      path: shown(key === undefined ? path : [...path, key]),
      message,
      sentence: withPath(shown(path), message),
    })),
  );
}

type Issue = z.core.$ZodIssue;

type Names = (path: Path) => readonly string[];

function parentHint(key: string, path: Path, names: Names): string {
  const home = names(path).find((name) => names([...path, name]).includes(key));
  return home === undefined ? "" : `; it belongs inside "${home}"`;
}

function mistakesOf(issue: Issue, names: Names, prefix: Path = []): { path: Path; message: string; key?: string }[] {
  const path = [...prefix, ...(issue.path as Path)];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path,
      key,
      message: `unknown name "${key}"${parentHint(key, path, names) || hint(key, names(path)) || listed(names(path))}`,
    }));
  }
  if (issue.code === "invalid_value") {
    const input = String((issue as { input?: unknown }).input ?? "");
    const choices = issue.values.map(String);
    if (choices.length === 1) return [{ path, message: `must be ${choices[0]}` }];
    const near = input === "" ? undefined : nearest(input, choices);
    const list = `must be one of ${choices.join(", ")}`;
    if (near === undefined) return [{ path, message: list }];
    // A caller that names no path has already shown the value.
    const shown = path.length === 0 ? "" : `${valueText(input)} `;
    return [{ path, message: `${shown}is unknown; did you mean "${near}"? It ${list}` }];
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0 && isOfZod(issue)) {
    const telling = issue.errors.filter(([first]) => first && (first.path.length > 0 || first.code !== "invalid_type"));
    const furthest = telling.sort((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0];
    if (furthest) return furthest.flatMap((inner) => mistakesOf(inner, names, path));
    const expected = issue.errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first.expected] : []));
    if (expected.length > 0) return [{ path, message: `must be ${[...new Set(expected.map(kindText))].join(" or ")}` }];
  }
  if (issue.code === "invalid_key")
    return issue.issues.flatMap((inner) =>
      mistakesOf({ ...inner, path: [] }, names, path.slice(0, -1)).map((one) => ({ ...one, key: String(path.at(-1)) })),
    );
  if (path.length === 0 && issue.code === "invalid_type")
    return [{ path, message: `a file must be a map of names${(issue.input ?? null) === null ? "; it is empty" : ""}` }];
  const isMissing = issue.code === "invalid_type" && issue.input === undefined && path.length > 0;
  return [{ path, message: isMissing ? "is missing" : plainProblem(issue) }];
}

const LISTED_MAX = 12;

function listed(names: readonly string[]): string {
  return names.length === 0 || names.length > LISTED_MAX
    ? ""
    : `; there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`;
}

export function namesAt(schema: z.ZodType, path: Path): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, rest: Path): void => {
    const definition = (value as { _zod?: { def?: Record<string, unknown> } } | undefined)?._zod?.def;
    if (!definition) return;
    for (const inner of [definition.innerType, definition.in, definition.out]) visit(inner, rest);
    for (const option of (definition.options as unknown[] | undefined) ?? []) visit(option, rest);
    const [next, ...further] = rest;
    const shape = definition.shape as Record<string, unknown> | undefined;
    if (next === undefined) for (const name of Object.keys(shape ?? {})) found.add(name);
    else for (const inner of [definition.element, definition.valueType, shape?.[next]]) visit(inner, further);
  };
  visit(schema, path);
  return [...found];
}
