import * as z from "zod";
import { badRequest } from "../../core/errors.ts";
import { lazy } from "../../core/operation.ts";
import { nearest, parseLeniently } from "../../core/text.ts";
import { compilePattern } from "../../rules/pattern.ts";
import type { ValueMatcher } from "../../rules/pattern-types.ts";
import { JsonPathError, jsonPath, parseJsonPath } from "../../scenario/json-path.ts";
import { jsonPathText, pattern } from "../../scenario/matchers-schema.ts";

/** Refuses unknown matchers, which would match everything: misspellings, and WireMock matchers that docdouble lacks. */
export function knownNames<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z
    .object(shape)
    .loose()
    .superRefine((value, context) => {
      for (const name of Object.keys(value)) {
        if (Object.hasOwn(shape, name)) continue;
        const near = nearest(name, names);
        const message = `Unknown name${near === undefined ? "." : `; did you mean ${near}?`} There are ${names.join(", ")}.`;
        context.addIssue({ code: "custom", path: [name], message });
      }
    });
}

export const valueMatcher = lazy((): z.ZodType<ValueMatcher> => knownNames(matcherShape()) as never);
const pathMatcher = lazy(() => knownNames({ ...matcherShape(), expression: jsonPathText() }));
const inner = () => z.lazy(valueMatcher);
const matcherShape = (): z.ZodRawShape => ({
  equalTo: z.union([z.string(), z.number(), z.boolean()]).optional(),
  binaryEqualTo: z.string().optional(),
  contains: z.string().optional(),
  doesNotContain: z.string().optional(),
  matches: pattern().optional(),
  doesNotMatch: pattern().optional(),
  equalToJson: z.unknown().optional(),
  ignoreArrayOrder: z.boolean().optional(),
  ignoreExtraElements: z.boolean().optional(),
  matchesJsonPath: z.union([jsonPathText(), z.lazy(pathMatcher)]).optional(),
  absent: z.boolean().optional(),
  caseInsensitive: z.boolean().optional(),
  and: z.array(inner()).min(1).optional(),
  or: z.array(inner()).min(1).optional(),
  not: inner().optional(),
});

/** An undefined value is absent. */
export function matchesValue(value: string | undefined, matcher: ValueMatcher): boolean {
  const { absent, and = [], or, not } = matcher;
  if (absent !== undefined) return (value === undefined) === absent;
  if (not !== undefined && matchesValue(value, not)) return false;
  if (or !== undefined && !or.some((one) => matchesValue(value, one))) return false;
  if (!and.every((one) => matchesValue(value, one))) return false;
  if (value === undefined) return (not !== undefined || or !== undefined || and.length > 0) && !asksForText(matcher);
  return matchesText(value, matcher) && matchesJson(value, matcher);
}

function asksForText({ absent, and, or, not, caseInsensitive, ...rest }: ValueMatcher): boolean {
  return Object.values(rest).some((value) => value !== undefined);
}

function matchesText(value: string, matcher: ValueMatcher): boolean {
  const fold = (text: string) => (matcher.caseInsensitive ? text.toLowerCase() : text);
  const whole = (source: string) => compilePattern(source, { whole: true, dotAll: true }).test(value);
  const { equalTo, binaryEqualTo, contains, doesNotContain, matches, doesNotMatch } = matcher;
  return (
    (equalTo === undefined || fold(value) === fold(String(equalTo))) &&
    (binaryEqualTo === undefined || Buffer.from(binaryEqualTo, "base64").equals(Buffer.from(value))) &&
    (contains === undefined || fold(value).includes(fold(contains))) &&
    (doesNotContain === undefined || !fold(value).includes(fold(doesNotContain))) &&
    (matches === undefined || whole(matches)) &&
    (doesNotMatch === undefined || !whole(doesNotMatch))
  );
}

function matchesJson(value: string, { equalToJson: wanted, matchesJsonPath, ...how }: ValueMatcher): boolean {
  if (wanted !== undefined) {
    const sent = parseLeniently(value);
    if (sent === undefined || !sameJson(sent, typeof wanted === "string" ? parseLeniently(wanted) : wanted, how)) return false;
  }
  if (matchesJsonPath === undefined) return true;
  const { expression, ...matcher } =
    typeof matchesJsonPath === "string" ? { expression: matchesJsonPath } : (matchesJsonPath as { expression: string });
  const found = at(parseLeniently(value), expression);
  if (Object.keys(matcher).length === 0) return found !== undefined;
  const isMany = Array.isArray(found) && parseJsonPath(expression).isMany;
  return (isMany ? found : [found]).some((one) =>
    matchesValue(one === undefined || typeof one === "string" ? one : JSON.stringify(one), matcher),
  );
}

/** @throws 400 for a malformed path */
function at(value: unknown, path: string): unknown {
  try {
    return jsonPath(value, path);
  } catch (error) {
    if (error instanceof JsonPathError) throw badRequest(error.message);
    throw error;
  }
}

type How = Pick<ValueMatcher, "ignoreArrayOrder" | "ignoreExtraElements">;

function sameJson(sent: unknown, wanted: unknown, how: How): boolean {
  if (typeof sent !== "object" || typeof wanted !== "object" || sent === null || wanted === null) return sent === wanted;
  if (Array.isArray(sent) || Array.isArray(wanted))
    return Array.isArray(sent) && Array.isArray(wanted) && sameLists(sent, wanted, how);
  const [there, asked] = [sent as Record<string, unknown>, wanted as Record<string, unknown>];
  const names = Object.keys(asked);
  return (
    (how.ignoreExtraElements === true || Object.keys(there).length === names.length) &&
    names.every((name) => Object.hasOwn(there, name) && sameJson(there[name], asked[name], how))
  );
}

function sameLists(sent: unknown[], wanted: unknown[], how: How): boolean {
  // As in WireMock, `ignoreExtraElements` covers lists only together with `ignoreArrayOrder`.
  const mayHaveMore = how.ignoreExtraElements === true && how.ignoreArrayOrder === true;
  if (mayHaveMore ? sent.length < wanted.length : sent.length !== wanted.length) return false;
  if (!how.ignoreArrayOrder) return wanted.every((one, i) => sameJson(sent[i], one, how));
  const left = [...sent];
  return wanted.every((one) => {
    const i = left.findIndex((other) => sameJson(other, one, how));
    if (i >= 0) left.splice(i, 1);
    return i >= 0;
  });
}
