/** WireMock's request patterns, as filters over the journal. */
import * as z from "zod";
import { badRequest } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import { digestOf } from "../engine/body-parts.ts";
import type { BodyPart, Exchange } from "../engine/journal.ts";
import { redactField, redactHeader, redactText } from "../engine/redact.ts";
import { requestSecrets, shownBody, shownRequestParts, shownUrl } from "../engine/shown.ts";
import type { Matchers, PartPattern, RequestPattern, ValueMatcher } from "./pattern-types.ts";
import { fitsWhole, knownNames, meets, valueMatcher } from "./value-matcher.ts";

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
      urlPattern: z.string().max(500).optional(),
      urlPathPattern: z.string().max(500).optional(),
      urlPathTemplate: z.string().optional(),
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
    }) as never,
);

/** A pattern that did not come through the schema. @throws 400 naming what is wrong */
export function checkPattern(pattern: object): RequestPattern {
  const result = requestPattern().safeParse(pattern);
  if (result.success) return result.data;
  throw badRequest(result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join(" "));
}

/** One thing that a pattern asks for. */
interface Criterion {
  name: string;
  expected: unknown;
  actual(exchange: Exchange): unknown;
  test(exchange: Exchange): boolean;
}

/** Those of its criteria that compare a text. */
function plainCriteria(pattern: RequestPattern): Criterion[] {
  const { url, urlPath, urlPattern, urlPathPattern, urlPathTemplate, operationId, status } = pattern;
  const method = pattern.method === "ANY" ? undefined : pattern.method?.toUpperCase();
  const equal = (name: string, expected: unknown, actual: Criterion["actual"]): Criterion[] =>
    expected === undefined ? [] : [{ name, expected, actual, test: (one) => actual(one) === expected }];
  const whole = (name: string, expected: string | undefined, source: string, actual: (one: Exchange) => string): Criterion[] => {
    if (expected === undefined) return [];
    const pattern = new RegExp(`^(?:${source})$`, "u");
    return [{ name, expected, actual, test: (one) => fitsWhole(pattern, actual(one)) }];
  };
  return [
    ...equal("operationId", operationId, (one) => one.operationId),
    ...equal("method", method, (one) => one.method),
    ...equal("url", url, (one) => one.url),
    ...equal("urlPath", urlPath, (one) => one.path),
    ...whole("urlPattern", urlPattern, urlPattern ?? "", (one) => one.url),
    ...whole("urlPathPattern", urlPathPattern, urlPathPattern ?? "", (one) => one.path),
    ...whole("urlPathTemplate", urlPathTemplate, templateSource(urlPathTemplate ?? ""), (one) => one.path),
    ...equal("status", status, (one) => one.status),
  ];
}

/** Those that look values up by name, each of which may have been sent more than once. */
function namedCriteria(pattern: RequestPattern): Criterion[] {
  const read: [keyof RequestPattern, (one: Exchange, name: string) => readonly string[] | undefined][] = [
    ["pathParameters", (one, name) => listOf(pathParameters(pattern.urlPathTemplate ?? "", one.path)[name])],
    ["headers", (one, name) => listOf(one.headers[name.toLowerCase()])],
    ["cookies", (one, name) => listOf(cookiesOf(one)[name])],
    ["queryParameters", (one, name) => one.query[name]],
    ["formParameters", formValues],
  ];
  return read.flatMap(([group, valuesOf]) =>
    Object.entries((pattern[group] ?? {}) as Matchers).map(
      ([name, matcher]): Criterion => ({
        name: `${group}.${name}`,
        expected: matcher,
        actual: (one) => shownValue(one, group, name, valuesOf(one, name)),
        test: (one) => (valuesOf(one, name) ?? [undefined]).some((value) => meets(value, matcher)),
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
        test: (one) => meets(one.body, matcher),
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
            ? one.parts.every((sent) => meetsPart(sent, part))
            : one.parts.some((sent) => meetsPart(sent, part))),
      }),
    ),
    ...(basic === undefined
      ? []
      : [
          {
            name: "basicAuthCredentials",
            expected: { username: basic.username },
            actual: (one: Exchange) => shownValue(one, "headers", "authorization", listOf(one.headers.authorization)),
            test: (one: Exchange) =>
              one.headers.authorization === `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString("base64")}`,
          },
        ]),
  ];
}

const criteria = (pattern: RequestPattern) => [...plainCriteria(pattern), ...namedCriteria(pattern), ...bodyCriteria(pattern)];

/** The test that a pattern stands for. @throws SyntaxError for a broken regular expression */
export function patternTest(pattern: RequestPattern): (exchange: Exchange) => boolean {
  const all = criteria(pattern);
  return (exchange) => all.every((one) => one.test(exchange));
}

/** What keeps an exchange from meeting a pattern: each criterion that fails, with what it wanted and what there was. */
export function mismatches(
  pattern: RequestPattern,
  exchange: Exchange,
): { criterion: string; expected: unknown; actual: unknown }[] {
  return criteria(pattern)
    .filter((one) => !one.test(exchange))
    .map((one) => {
      const actual = one.actual(exchange);
      return {
        criterion: one.name,
        expected: one.expected,
        actual: typeof actual === "string" ? redactText(actual, requestSecrets(exchange)) : (actual ?? null),
      };
    });
}

/** What there was, without what opens doors. */
function shownValue(exchange: Exchange, group: string, name: string, values: readonly string[] | undefined): unknown {
  if (values === undefined) return null;
  const secrets = requestSecrets(exchange);
  const shown = values.map((value) => {
    if (group === "headers") return redactHeader(name, value, secrets);
    if (group === "cookies") return "***";
    // A session or a link in the path is secret by its place.
    if (group === "pathParameters") return shownUrl(exchange).includes(value) ? value : "***";
    return redactField(name, value, secrets);
  });
  return group === "queryParameters" || group === "formParameters" ? shown : shown[0];
}

function listOf(value: string | undefined): string[] | undefined {
  return value === undefined ? undefined : [value];
}

function cookiesOf(exchange: Exchange): Record<string, string> {
  const pairs = (exchange.headers.cookie ?? "").split(";").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs);
}

/** Of a form's fields, sent either way. */
function formValues(exchange: Exchange, name: string): string[] | undefined {
  const { parts, headers, body } = exchange;
  const values = parts
    ? parts.flatMap((part) => (part.name === name && part.text !== undefined ? [part.text] : []))
    : headers["content-type"]?.toLowerCase().startsWith("application/x-www-form-urlencoded")
      ? new URLSearchParams(body).getAll(name)
      : [];
  return values.length === 0 ? undefined : values;
}

const PARAMETER = /\{(\w+)\}/g;

function templateSource(template: string): string {
  return template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(PARAMETER, "([^/]+)");
}

function pathParameters(template: string, path: string): Record<string, string> {
  const values = new RegExp(`^(?:${templateSource(template)})$`, "u").exec(path)?.slice(1) ?? [];
  const names = [...template.matchAll(PARAMETER)].map(([, name]) => name as string);
  return Object.fromEntries(values.map((value, i) => [names[i] as string, value]));
}

function meetsPart(part: BodyPart, { name, fileName, headers = {}, bodyPatterns = [] }: PartPattern): boolean {
  if (name !== undefined && part.name !== name) return false;
  if (fileName !== undefined && part.filename !== fileName) return false;
  const sent: Record<string, string> = {
    "content-type": part.type,
    "content-disposition": `form-data; name="${part.name}"${part.filename === undefined ? "" : `; filename="${part.filename}"`}`,
  };
  return (
    Object.entries(headers).every(([header, matcher]) => meets(sent[header.toLowerCase()], matcher)) &&
    bodyPatterns.every((matcher) => (part.text === undefined ? meetsDigest(part, matcher) : meets(part.text, matcher)))
  );
}

/** Of a file no more is kept than its digest, so that it is that one file or it is not. */
function meetsDigest({ sha256, bytes }: BodyPart, matcher: ValueMatcher): boolean {
  const { equalTo, binaryEqualTo, absent, and = [], or, not, ...rest } = matcher;
  const isOther = Object.values(rest).some((value) => value !== undefined);
  if (isOther) throw badRequest("of a file the journal keeps a digest only: match it by equalTo, binaryEqualTo or fileName");
  const inner = (one: ValueMatcher) => meetsDigest({ sha256, bytes } as BodyPart, one);
  return (
    (equalTo === undefined || sha256 === digestOf(String(equalTo))) &&
    (binaryEqualTo === undefined || sha256 === digestOf(Buffer.from(binaryEqualTo, "base64"))) &&
    (absent === undefined || absent === (bytes === 0)) &&
    and.every(inner) &&
    (or === undefined || or.some(inner)) &&
    (not === undefined || !inner(not))
  );
}
