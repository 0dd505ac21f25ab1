/** Conditions: matchers, durations and instants, and what a rule, a search of the journal and an expectation ask about a call. */
import * as z from "zod";
import { readInstant } from "../core/clock.ts";
import { fitsGlob, hint } from "../core/text.ts";
import { readDuration, SPEED_MAX, SPEED_MIN, speedProblem } from "../core/time-limits.ts";
import { lazy } from "../core/operation.ts";
import { PATTERN_LENGTH_MAX, patternProblem } from "../rules/pattern.ts";
import type { Conditions, Matcher } from "../rules/rules.ts";
import { type Language, perLanguage } from "./language.ts";
import { checkCallCount, requireHttpStatus, requireKnownStatus, requireOneOf } from "./refinements.ts";
import { JsonPathError, parseJsonPath } from "./json-path.ts";

export const count = () => z.number().int().min(1);

export const duration = lazy(() =>
  z.string().transform((text, context) => {
    const read = readDuration(text);
    if (read.problem === undefined) return read.value;
    context.addIssue({ code: "custom", message: read.problem });
    return z.NEVER;
  }),
);

export const instantText = () =>
  z.string().superRefine((text, context) => {
    const { problem } = readInstant(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

const speedError = { error: ({ input }: { input?: unknown }) => speedProblem(input) };
export const clockSpeed = () => z.number(speedError).min(SPEED_MIN, speedError).max(SPEED_MAX, speedError);

/** One of them, or a list of them. */
export const oneOrMore = <T extends z.ZodType>(one: () => T) =>
  z.union([one(), z.array(one()).min(1)]).transform((given) => [given].flat() as z.output<T>[]);

const scalar = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Compiles while loading, so that a broken expression never reaches a call. */
const pattern = () =>
  z
    .string()
    .max(PATTERN_LENGTH_MAX)
    .superRefine((source, context) => {
      // The schema counts letters, and a pattern counts their units.
      const message = [...source].length > PATTERN_LENGTH_MAX ? undefined : patternProblem(source);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    });

const written = lazy(() =>
  z.union([
    scalar(),
    z
      .strictObject({
        eq: scalar().optional(),
        ne: scalar().optional(),
        in: z.array(scalar()).optional(),
        contains: z.string().optional(),
        regex: pattern().optional(),
        gt: z.union([z.number(), z.string()]).optional(),
        lt: z.union([z.number(), z.string()]).optional(),
        exists: z.boolean().optional(),
      })
      .refine((one) => Object.keys(one).length > 0, {
        error: "says nothing; give one of eq, ne, in, contains, regex, gt, lt, exists",
      }),
  ]),
);

function toMatcher(one: z.output<ReturnType<typeof written>>): Matcher {
  if (one === null) return { exists: false };
  return typeof one === "object" ? one : { eq: one };
}

/** As a part of the JSON Schema. `matcher` reads it. */
export { written as writtenMatcher };
export const matcher = lazy(() => written().transform(toMatcher));

const matchers = () => z.record(z.string(), matcher());

/** Parses while loading, because a broken path would match nothing. */
const jsonPathText = () =>
  z.string().superRefine((text, context) => {
    try {
      parseJsonPath(text);
    } catch (error) {
      if (!(error instanceof JsonPathError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
    }
  });

export const subjectMatcher = perLanguage((language) => {
  const { names, open } = language.subjectFacts;
  const isOpen = (name: string) => name.startsWith(`${open}.`) && name.length > open.length + 1;
  return z
    .record(
      z.string().refine((name) => names.includes(name) || isOpen(name), {
        error: (issue) => `unknown document member "${String(issue.input)}"; there are ${names.join(", ")} and ${open}.<key>`,
      }),
      matcher(),
    )
    .superRefine(requireKnownStatus(language));
});

const pathOrGlob = () =>
  written().transform((one, context): Matcher => {
    if (typeof one !== "string" || !one.includes("*")) return toMatcher(one);
    const regex = globSource(one);
    const message = patternProblem(regex);
    if (message !== undefined) context.addIssue({ code: "custom", message: `The path with * is too long. ${message}` });
    return { regex };
  });

/** `*` matches one segment or a part of it, `**` any text. A trailing slash is optional. */
export function globSource(path: string): string {
  const parts = path.replace(/\/$/, "").split(/(\*\*|\*)/);
  const signs = parts.map((part) =>
    part === "**" ? ".*" : part === "*" ? "[^/]+" : part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  return `^${signs.join("")}/?$`;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/** The name of an agent's tool, or a condition on it. */
export const toolName = perLanguage(({ tools }) => matcher().superRefine(requireOneOf("tool", tools)));

type Ids = () => readonly string[];

/** Ids of operations, and patterns with `*` that some of them fit. */
export const operationNames = (ids: Ids) =>
  z.union([z.string(), z.array(z.string()).min(1)]).superRefine((given, context) => {
    for (const [i, name] of [given].flat().entries()) {
      if (operationsOf(name, ids()).length > 0) continue;
      const message = name.includes("*") ? `no operation fits "${name}"` : `unknown operation "${name}"${hint(name, ids())}`;
      context.addIssue({ code: "custom", path: Array.isArray(given) ? [i] : [], message });
    }
  });

export function operationsOf(names: string | readonly string[], ids: readonly string[]): string[] {
  return [names].flat().flatMap((name) => ids.filter((id) => fitsGlob(id, name)));
}

const whenSchema = (language: Language, ids: Ids) =>
  z.strictObject({
    operation: operationNames(ids).optional(),
    path: pathOrGlob().optional(),
    method: matcher().superRefine(requireOneOf("method", METHODS)).optional(),
    query: matchers().optional(),
    headers: matchers().optional(),
    body: z.record(jsonPathText(), matcher()).optional(),
    document: subjectMatcher(language).optional(),
    call: z
      .strictObject({
        nth: count().optional(),
        first: count().optional(),
        from: count().optional(),
        every: count().optional(),
        /** Calls with an equal attribute of this name count together. */
        per: z
          .enum(["rule", "document", "key"])
          .transform((per) => ({ rule: undefined, document: "subject", key: "key" })[per])
          .optional(),
      })
      .superRefine(checkCallCount)
      .optional(),
    status: matcher().superRefine(requireHttpStatus).optional(),
    tenant: matcher().optional(),
    tool: toolName(language).optional(),
  });

export const requestWhen = perLanguage((language) => whenSchema(language, language.ids));

/** Conditions on a call of the journal, which holds pages too. */
export const journalWhen = perLanguage((language) => {
  const ids = language.callIds;
  return whenSchema(language, ids)
    .omit({ call: true, tenant: true })
    .transform((when) => conditionsOf(when, ids()));
});

type When = Partial<Omit<z.output<ReturnType<typeof requestWhen>>, "call">> & { call?: unknown };

/** Matchers by attribute of a call, such as `query.page`. */
export function conditionsOf({ operation, query, headers, body, document, call: _, ...plain }: When, ids: readonly string[]) {
  const lower = Object.fromEntries(Object.entries(headers ?? {}).map(([name, one]) => [name.toLowerCase(), one]));
  return {
    ...(operation === undefined ? {} : { operation: { in: operationsOf(operation, ids) } }),
    ...plain,
    ...prefixed("query.", query),
    ...prefixed("headers.", lower),
    ...prefixed("body.", body),
    ...prefixed("subject.", document),
  } as Conditions;
}

export function prefixed(prefix: string, all: Conditions = {}): Conditions {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [prefix + name, one]));
}
