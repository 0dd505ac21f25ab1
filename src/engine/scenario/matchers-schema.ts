import * as z from "zod";
import { readInstant } from "../core/clock.ts";
import { readDuration, SPEED_MAX, SPEED_MIN, speedProblem } from "../core/time-limits.ts";
import { lazy } from "../core/operation.ts";
import { PATTERN_LENGTH_MAX, patternProblem } from "../rules/pattern.ts";
import { perLanguage } from "./language.ts";
import { checkCallCount, requireHttpStatus, requireKnownStatus, requireOneOf } from "./refinements.ts";
import { JsonPathError, parseJsonPath } from "./json-path.ts";

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

const scalar = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Compiles while loading, so that a broken expression never reaches a call. */
export const pattern = () =>
  z
    .string()
    .max(PATTERN_LENGTH_MAX)
    .superRefine((source, context) => {
      // The schema counts letters, and a pattern counts their units.
      const message = [...source].length > PATTERN_LENGTH_MAX ? undefined : patternProblem(source);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    });

export const matcher = lazy(() =>
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

export const matchers = () => z.record(z.string(), matcher());

/** Parses while loading, because a broken path would match nothing. */
export const jsonPathText = () =>
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

const count = () => z.number().int().min(1);

const pathOrGlob = () =>
  matcher().superRefine((value, context) => {
    const message = typeof value === "string" && value.includes("*") ? patternProblem(globSource(value)) : undefined;
    if (message !== undefined) context.addIssue({ code: "custom", message: `The path with * is too long. ${message}` });
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

/** Conditions on a call of the journal. */
export const journalWhen = perLanguage((language) => requestWhen(language).omit({ call: true, tenant: true }));

export const requestWhen = perLanguage((language) =>
  z.strictObject({
    operation: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
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
        per: z.enum(["rule", "document", "key"]).optional(),
      })
      .superRefine(checkCallCount)
      .optional(),
    status: matcher().superRefine(requireHttpStatus).optional(),
    tenant: matcher().optional(),
    tool: toolName(language).optional(),
  }),
);
