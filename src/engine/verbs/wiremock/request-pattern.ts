import * as z from "zod";
import { own } from "../../core/maps.ts";
import { badRequest } from "../../core/errors.ts";
import { lazy } from "../../core/operation.ts";
import { digestOf } from "../../journal/body-parts.ts";
import type { BodyPart, JournalEntry } from "../../journal/journal.ts";
import { redactField, redactHeader, redactText } from "../../journal/redact.ts";
import { requestSecrets, shownBody, shownRequestParts, shownUrl } from "../../journal/redacted-call.ts";
import type { Difference, Matchers, PartPattern, RequestPattern, ValueMatcher } from "../../rules/pattern-types.ts";
import { compilePattern } from "../../rules/pattern.ts";
import { pattern as regex } from "../../scenario/matchers-schema.ts";
import { plainProblem } from "../../scenario/plain-problem.ts";
import { knownNames, matchesValue, valueMatcher } from "./value-matcher.ts";

const inner = () => z.lazy(valueMatcher);
const matchers = () => z.record(z.string(), inner());

const partPattern = lazy(() =>
  knownNames({
    name: z.string().optional(),
    fileName: z.string().optional(),
    matchingType: z.enum(["ANY", "ALL"]).optional(),
    headers: matchers().optional(),
    bodyPatterns: z.array(inner()).optional(),
  }),
);

export const requestPattern = lazy(
  (): z.ZodType<RequestPattern> =>
    knownNames({
      method: z.string().optional(),
      url: z.string().optional(),
      urlPath: z.string().optional(),
      urlPattern: regex().optional(),
      urlPathPattern: regex().optional(),
      urlPathTemplate: z.string().max(NAMED_PATH_LENGTH_MAX).optional(),
      pathParameters: matchers().optional(),
      headers: matchers().optional(),
      cookies: matchers().optional(),
      queryParameters: matchers().optional(),
      formParameters: matchers().optional(),
      basicAuthCredentials: z.strictObject({ username: z.string(), password: z.string() }).optional(),
      bodyPatterns: z.array(inner()).optional(),
      multipartPatterns: z.array(partPattern()).optional(),
      operationId: z.string().optional(),
      status: z.number().int().optional(),
    }).superRefine((value, context) => {
      if (countMaps(value) <= MATCHERS_MAX) return;
      context.addIssue({ code: "custom", message: `A request pattern has at most ${MATCHERS_MAX} matchers.` });
    }) as never,
);

const MATCHERS_MAX = 100;
const NAMED_PATH_LENGTH_MAX = 2000;

function countMaps(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.entries(value).map(([name, one]) => (name === "equalToJson" ? 0 : countMaps(one)));
  return inner.reduce((sum, one) => sum + one, Array.isArray(value) ? 0 : 1);
}

/** Parses a pattern from outside the admin API. @throws 400, which names the fault */
export function checkPattern(pattern: object): RequestPattern {
  const result = requestPattern().safeParse(pattern, { reportInput: true });
  if (result.success) return result.data;
  throw badRequest(result.error.issues.map((issue) => `${issue.path.join(".")}: ${plainProblem(issue)}`).join(" "));
}

interface Criterion {
  name: string;
  expected: unknown;
  actual(entry: JournalEntry): unknown;
  test(entry: JournalEntry): boolean;
}

function plainCriteria(pattern: RequestPattern): Criterion[] {
  const { url, urlPath, urlPattern, urlPathPattern, urlPathTemplate, operationId, status } = pattern;
  const method = pattern.method === "ANY" ? undefined : pattern.method?.toUpperCase();
  const equal = (name: string, expected: unknown, actual: Criterion["actual"]): Criterion[] =>
    expected === undefined ? [] : [{ name, expected, actual, test: (one) => actual(one) === expected }];
  const whole = (name: string, source: string | undefined, actual: (one: JournalEntry) => string): Criterion[] => {
    if (source === undefined) return [];
    const pattern = compilePattern(source, { whole: true });
    return [{ name, expected: source, actual, test: (one) => pattern.test(actual(one)) }];
  };
  const named = urlPathTemplate === undefined ? undefined : readNamedPath(urlPathTemplate);
  return [
    ...equal("operationId", operationId, (one) => one.operationId),
    ...equal("method", method, (one) => one.method),
    ...equal("url", url, (one) => one.url),
    ...equal("urlPath", urlPath, (one) => one.path),
    ...whole("urlPattern", urlPattern, (one) => one.url),
    ...whole("urlPathPattern", urlPathPattern, (one) => one.path),
    ...(named
      ? [
          {
            name: "urlPathTemplate",
            expected: urlPathTemplate,
            actual: (one: JournalEntry) => one.path,
            test: (one: JournalEntry) => matchNamedPath(named, one.path) !== undefined,
          },
        ]
      : []),
    ...equal("status", status, (one) => one.status),
  ];
}

function namedCriteria(pattern: RequestPattern): Criterion[] {
  const named = readNamedPath(pattern.urlPathTemplate ?? "");
  const read: [keyof RequestPattern, (one: JournalEntry, name: string) => readonly string[] | undefined][] = [
    ["pathParameters", (one, name) => listOf(matchNamedPath(named, one.path)?.[name])],
    ["headers", (one, name) => listOf(own(one.headers, name.toLowerCase()))],
    ["cookies", (one, name) => listOf(own(cookiesOf(one), name))],
    ["queryParameters", (one, name) => own(one.query, name)],
    ["formParameters", formValues],
  ];
  return read.flatMap(([group, valuesOf]) =>
    Object.entries((pattern[group] ?? {}) as Matchers).map(
      ([name, matcher]): Criterion => ({
        name: `${group}.${name}`,
        expected: matcher,
        actual: (one) => shownValue(one, group, name, valuesOf(one, name)),
        test: (one) => (valuesOf(one, name) ?? [undefined]).some((value) => matchesValue(value, matcher)),
      }),
    ),
  );
}

function bodyCriteria({ bodyPatterns = [], multipartPatterns = [], basicAuthCredentials: basic }: RequestPattern): Criterion[] {
  return [
    ...bodyPatterns.map(
      (matcher, i): Criterion => ({
        name: `bodyPatterns[${i}]`,
        expected: matcher,
        actual: (one) => shownBody(one),
        test: (one) => matchesValue(one.body, matcher),
      }),
    ),
    ...multipartPatterns.map(
      (part, i): Criterion => ({
        name: `multipartPatterns[${i}]`,
        expected: part,
        actual: (one) => (one.parts ? shownRequestParts(one) : null),
        test: (one) =>
          one.parts !== undefined &&
          (part.matchingType === "ALL"
            ? one.parts.every((sent) => matchesPart(sent, part))
            : one.parts.some((sent) => matchesPart(sent, part))),
      }),
    ),
    ...(basic === undefined
      ? []
      : [
          {
            name: "basicAuthCredentials",
            expected: { username: basic.username },
            actual: (one: JournalEntry) => shownValue(one, "headers", "authorization", listOf(one.headers.authorization)),
            test: (one: JournalEntry) =>
              one.headers.authorization === `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString("base64")}`,
          },
        ]),
  ];
}

const criteria = (pattern: RequestPattern) => [...plainCriteria(pattern), ...namedCriteria(pattern), ...bodyCriteria(pattern)];

export function patternTest(pattern: RequestPattern): (entry: JournalEntry) => boolean {
  const all = criteria(pattern);
  return (entry) => all.every((one) => one.test(entry));
}

export function comparison(pattern: RequestPattern): {
  count(entry: JournalEntry): number;
  mismatches(entry: JournalEntry): Difference[];
} {
  const all = criteria(pattern);
  return {
    count: (entry) => all.reduce((sum, one) => sum + (one.test(entry) ? 0 : 1), 0),
    mismatches: (entry) =>
      all
        .filter((one) => !one.test(entry))
        .map((one) => {
          const actual = one.actual(entry);
          return {
            criterion: one.name,
            expected: one.expected,
            actual: typeof actual === "string" ? redactText(actual, requestSecrets(entry)) : (actual ?? null),
          };
        }),
  };
}

function shownValue(entry: JournalEntry, group: string, name: string, values: readonly string[] | undefined): unknown {
  if (values === undefined) return null;
  const secrets = requestSecrets(entry);
  const shown = values.map((value) => {
    if (group === "headers") return redactHeader(name, value, secrets);
    if (group === "cookies") return "***";
    // The path holds the id of a session or link, which is a secret.
    if (group === "pathParameters") return shownUrl(entry).includes(value) ? value : "***";
    return redactField(name, value, secrets);
  });
  return group === "queryParameters" || group === "formParameters" ? shown : shown[0];
}

function listOf(value: string | undefined): string[] | undefined {
  return value === undefined ? undefined : [value];
}

function cookiesOf(entry: JournalEntry): Record<string, string> {
  const pairs = (entry.headers.cookie ?? "").split(";").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs);
}

function formValues(entry: JournalEntry, name: string): string[] | undefined {
  const { parts, headers, body } = entry;
  const values = parts
    ? parts.flatMap((part) => (part.name === name && part.text !== undefined ? [part.text] : []))
    : headers["content-type"]?.toLowerCase().startsWith("application/x-www-form-urlencoded")
      ? new URLSearchParams(body).getAll(name)
      : [];
  return values.length === 0 ? undefined : values;
}

/** Segments of a path with names. A segment alternates literals and names. */
type NamedPath = readonly (readonly string[])[];

function readNamedPath(named: string): NamedPath {
  return named.split("/").map((segment) => segment.split(/\{(\w+)\}/));
}

/**
 * Undefined when the path does not match. Within a segment, each parameter takes at least one character and ends before the next occurrence
 * of the following literal. So matching takes linear time.
 */
function matchNamedPath(named: NamedPath, path: string): Record<string, string> | undefined {
  const segments = path.split("/", named.length + 1);
  if (segments.length !== named.length) return undefined;
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  return named.every((parts, i) => matchSegment(parts, segments[i] as string, values)) ? values : undefined;
}

function matchSegment(parts: readonly string[], text: string, values: Record<string, string>): boolean {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (let i = 1; i < parts.length; i += 2) {
    const literal = parts[i + 1] as string;
    const next = i === parts.length - 2 ? end : text.indexOf(literal, at + 1);
    if (next <= at || next > end) return false;
    values[parts[i] as string] = text.slice(at, next);
    at = next + literal.length;
  }
  return true;
}

function matchesPart(part: BodyPart, { name, fileName, headers = {}, bodyPatterns = [] }: PartPattern): boolean {
  if (name !== undefined && part.name !== name) return false;
  if (fileName !== undefined && part.filename !== fileName) return false;
  const sent: Record<string, string> = {
    "content-type": part.type,
    "content-disposition": `form-data; name="${part.name}"${part.filename === undefined ? "" : `; filename="${part.filename}"`}`,
  };
  return (
    Object.entries(headers).every(([header, matcher]) => matchesValue(own(sent, header.toLowerCase()), matcher)) &&
    bodyPatterns.every((matcher) => (part.text === undefined ? matchesDigest(part, matcher) : matchesValue(part.text, matcher)))
  );
}

function matchesDigest({ sha256, bytes }: BodyPart, matcher: ValueMatcher): boolean {
  const { equalTo, binaryEqualTo, absent, and = [], or, not, ...rest } = matcher;
  const isOther = Object.values(rest).some((value) => value !== undefined);
  if (isOther)
    throw badRequest("the journal keeps only a digest of a file: match the file by equalTo, binaryEqualTo or fileName");
  const inner = (one: ValueMatcher) => matchesDigest({ sha256, bytes } as BodyPart, one);
  return (
    (equalTo === undefined || sha256 === digestOf(String(equalTo))) &&
    (binaryEqualTo === undefined || sha256 === digestOf(Buffer.from(binaryEqualTo, "base64"))) &&
    (absent === undefined || absent === (bytes === 0)) &&
    and.every(inner) &&
    (or === undefined || or.some(inner)) &&
    (not === undefined || !inner(not))
  );
}
