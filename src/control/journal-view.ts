/** The journal in WireMock's shapes, so that its client libraries can read and count; and its request patterns as filters. */
import * as z from "zod";
import { isoMillis } from "../core/clock.ts";
import { badRequest } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import type { Exchange } from "../engine/journal.ts";
import { fits, PatternTooSlow } from "../engine/pattern.ts";
import { redactHeader, redactHeaders, redactPair, redactText } from "../engine/redact.ts";
import { jsonPath } from "../scenario/facts.ts";

const valueMatcher = () =>
  z
    .object({
      equalTo: z.union([z.string(), z.number(), z.boolean()]).optional(),
      contains: z.string().optional(),
      doesNotContain: z.string().optional(),
      matches: z.string().max(500).optional(),
      doesNotMatch: z.string().max(500).optional(),
      equalToJson: z.unknown().optional(),
      matchesJsonPath: z.union([z.string(), z.object({ expression: z.string() }).loose()]).optional(),
      absent: z.boolean().optional(),
      caseInsensitive: z.boolean().optional(),
    })
    .loose();

/** WireMock's request pattern, with `operationId` beside it. */
export const requestPattern = lazy(() =>
  z
    .object({
      method: z.string().optional(),
      url: z.string().optional(),
      urlPath: z.string().optional(),
      urlPattern: z.string().max(500).optional(),
      urlPathPattern: z.string().max(500).optional(),
      urlPathTemplate: z.string().optional(),
      headers: z.record(z.string(), valueMatcher()).optional(),
      queryParameters: z.record(z.string(), valueMatcher()).optional(),
      bodyPatterns: z.array(valueMatcher()).optional(),
      operationId: z.string().optional(),
      status: z.number().int().optional(),
    })
    .loose(),
);

export type RequestPattern = z.output<ReturnType<typeof requestPattern>>;
type ValueMatcher = NonNullable<RequestPattern["bodyPatterns"]>[number];

/** How much of a value a pattern sees. */
const PATTERN_INPUT_MAX = 4096;

/** One thing that a pattern asks for. */
interface Criterion {
  name: string;
  expected: unknown;
  actual(exchange: Exchange): unknown;
  test(exchange: Exchange): boolean;
}

function criteria(pattern: RequestPattern): Criterion[] {
  const found: Criterion[] = [];
  const add = (name: string, expected: unknown, actual: Criterion["actual"], test: Criterion["test"]) => {
    if (expected !== undefined) found.push({ name, expected, actual, test });
  };
  const { url, urlPath, urlPattern, urlPathPattern, urlPathTemplate, operationId, status } = pattern;
  const method = pattern.method === "ANY" ? undefined : pattern.method?.toUpperCase();
  add(
    "operationId",
    operationId,
    (one) => one.operationId,
    (one) => one.operationId === operationId,
  );
  add(
    "method",
    method,
    (one) => one.method,
    (one) => one.method === method,
  );
  add(
    "url",
    url,
    (one) => one.url,
    (one) => one.url === url,
  );
  add(
    "urlPath",
    urlPath,
    (one) => one.path,
    (one) => one.path === urlPath,
  );
  if (urlPattern !== undefined)
    add(
      "urlPattern",
      urlPattern,
      (one) => one.url,
      whole(urlPattern, (one) => one.url),
    );
  if (urlPathPattern !== undefined)
    add(
      "urlPathPattern",
      urlPathPattern,
      (one) => one.path,
      whole(urlPathPattern, (one) => one.path),
    );
  if (urlPathTemplate !== undefined)
    add(
      "urlPathTemplate",
      urlPathTemplate,
      (one) => one.path,
      whole(templatePattern(urlPathTemplate), (one) => one.path),
    );
  add(
    "status",
    status,
    (one) => one.status,
    (one) => one.status === status,
  );
  for (const [name, matcher] of Object.entries(pattern.headers ?? {})) {
    const read = (one: Exchange) => one.headers[name.toLowerCase()];
    add(`headers.${name}`, matcher, read, (one) => meets(read(one), matcher));
  }
  for (const [name, matcher] of Object.entries(pattern.queryParameters ?? {})) {
    const read = (one: Exchange) => one.query[name];
    add(`queryParameters.${name}`, matcher, read, (one) => (read(one) ?? [undefined]).some((value) => meets(value, matcher)));
  }
  for (const [i, matcher] of (pattern.bodyPatterns ?? []).entries())
    add(
      `bodyPatterns[${i}]`,
      matcher,
      (one) => one.body,
      (one) => meets(one.body, matcher),
    );
  return found;
}

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
    .map((one) => ({ criterion: one.name, expected: one.expected, actual: shown(one.name, one.actual(exchange)) }));
}

/** What there was, without what opens doors. */
function shown(criterion: string, actual: unknown): unknown {
  if (typeof actual !== "string") return actual ?? null;
  const header = /^headers\.(.+)$/.exec(criterion)?.[1];
  return header === undefined ? redactText(actual) : redactHeader(header, actual);
}

function templatePattern(template: string): string {
  return template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+");
}

/** @throws 400 when the pattern takes too long */
function test(pattern: RegExp, text: string): boolean {
  try {
    return fits(pattern, text, PATTERN_INPUT_MAX);
  } catch (error) {
    if (error instanceof PatternTooSlow) throw badRequest(error.message, { why: error.message });
    throw error;
  }
}

function whole(source: string, read: (exchange: Exchange) => string): (exchange: Exchange) => boolean {
  const pattern = new RegExp(`^(?:${source})$`, "u");
  return (exchange) => test(pattern, read(exchange));
}

function meets(value: string | undefined, matcher: ValueMatcher): boolean {
  if (matcher.absent !== undefined) return (value === undefined) === matcher.absent;
  if (value === undefined) return false;
  const fold = (text: string) => (matcher.caseInsensitive ? text.toLowerCase() : text);
  if (matcher.equalTo !== undefined && fold(value) !== fold(String(matcher.equalTo))) return false;
  if (matcher.contains !== undefined && !value.includes(matcher.contains)) return false;
  if (matcher.doesNotContain !== undefined && value.includes(matcher.doesNotContain)) return false;
  if (matcher.matches !== undefined && !test(new RegExp(`^(?:${matcher.matches})$`, "us"), value)) return false;
  if (matcher.doesNotMatch !== undefined && test(new RegExp(`^(?:${matcher.doesNotMatch})$`, "us"), value)) return false;
  if (
    matcher.equalToJson !== undefined &&
    canonical(parse(value)) !==
      canonical(typeof matcher.equalToJson === "string" ? parse(matcher.equalToJson) : matcher.equalToJson)
  )
    return false;
  if (matcher.matchesJsonPath === undefined) return true;
  const path = typeof matcher.matchesJsonPath === "string" ? matcher.matchesJsonPath : matcher.matchesJsonPath.expression;
  const found = jsonPath(parse(value), path);
  if (typeof matcher.matchesJsonPath === "string") return found !== undefined;
  return (
    found !== undefined &&
    meets(typeof found === "string" ? found : JSON.stringify(found), matcher.matchesJsonPath as ValueMatcher)
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join()}}`;
}

/** The request part, as `find` answers it. */
export function toLoggedRequest(exchange: Exchange, baseUrl: string) {
  const base = new URL(baseUrl);
  const key = exchange.caller?.key;
  const url = redactText(exchange.url, key);
  const body = redactText(exchange.body, key);
  return {
    url,
    absoluteUrl: base.origin + url,
    method: exchange.method,
    scheme: base.protocol.slice(0, -1),
    host: base.hostname,
    port: Number(base.port || (base.protocol === "https:" ? 443 : 80)),
    clientIp: "127.0.0.1",
    headers: redactHeaders(exchange.headers),
    cookies: {},
    browserProxyRequest: false,
    loggedDate: exchange.at,
    loggedDateString: isoMillis(exchange.at),
    queryParams: Object.fromEntries(
      Object.entries(exchange.query).map(([name, values]) => [
        name,
        { key: name, values: values.map((one) => redactPair(name, one, key)) },
      ]),
    ),
    formParams: {},
    body,
    bodyAsBase64: Buffer.from(body).toString("base64"),
  };
}

/** A whole serve event, with what docdouble knows beside WireMock's members. */
export function toServeEvent(exchange: Exchange, baseUrl: string, tenant: string) {
  const body = redactText(exchange.responseBody, exchange.caller?.key);
  return {
    id: exchange.id,
    request: toLoggedRequest(exchange, baseUrl),
    responseDefinition: { status: exchange.status ?? null },
    response: {
      // Null where no answer was made.
      status: exchange.status ?? null,
      headers: exchange.responseHeaders,
      body,
      bodyAsBase64: Buffer.from(body).toString("base64"),
    },
    wasMatched: exchange.operationId !== undefined,
    timing: {
      addedDelay: 0,
      processTime: exchange.took_ms,
      responseSendTime: 0,
      serveTime: exchange.took_ms,
      totalTime: exchange.took_ms,
    },
    subEvents: [],
    operationId: exchange.operationId ?? null,
    ...(exchange.page ? { page: true } : {}),
    tenant,
    rule: exchange.rule ?? null,
    why: exchange.why ?? null,
    caller: exchange.caller
      ? { user_id: exchange.caller.user_id, email: exchange.caller.email, environment: exchange.caller.environment }
      : null,
  };
}
