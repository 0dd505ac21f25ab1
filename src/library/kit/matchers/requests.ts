import { droppedIn } from "../tenant-of.ts";
import { checkPattern, comparison } from "../../../engine/verbs/wiremock/request-pattern.ts";
import type { RequestPattern, ValueMatcher } from "../../../engine/rules/pattern-types.ts";
import { service } from "../../../service/service.ts";
import { own } from "../../../engine/core/maps.ts";
import { parseLeniently } from "../../../engine/core/text.ts";
import type { JournalEntry } from "../../../engine/journal/journal.ts";
import { shownBody, shownHeaders, shownQuery, shownUrl, shownWhy } from "../../../engine/journal/redacted-call.ts";
import type { OperationId, PageName } from "../../file-types.ts";
import type { Handles } from "../../types.ts";
import { isObject, join, type Miss, misses, testOf } from "./compare.ts";
import { type Kind, requireConditions, requireOneOf, verdictOf } from "./verdict.ts";
import { requireSandbox } from "./subject.ts";
import type { Received, Verdict } from "./types.ts";

const PATTERN: Readonly<Record<Exclude<keyof RequestPattern, "operationId" | "status" | "headers">, Kind>> = {
  method: "anything",
  url: "anything",
  urlPath: "anything",
  urlPattern: "anything",
  urlPathPattern: "anything",
  urlPathTemplate: "anything",
  pathParameters: "anything",
  cookies: "anything",
  queryParameters: "anything",
  formParameters: "anything",
  basicAuthCredentials: "anything",
  bodyPatterns: "anything",
  multipartPatterns: "anything",
};
const OWN = {
  body: "anything",
  query: "a map",
  headers: "a map",
  status: "a number",
  document_id: "a text",
} as const satisfies Record<string, Kind>;

export function received(sandbox: Handles, operationId: OperationId | PageName, expected: Received = {}): Verdict {
  requireSandbox(sandbox);
  requireOneOf(operationId, [...service.language.ids(), ...service.pageIds], "operation");
  requireConditions(expected, { ...OWN, ...PATTERN });
  const { times, atLeast, atMost, body, query = {}, headers = {}, status, document_id, ...pattern } = expected;
  const isPlain = ([, value]: [string, unknown]) => isObject(value) && !testOf(value);
  const patterned = Object.fromEntries(Object.entries(headers).filter(isPlain)) as Record<string, ValueMatcher>;
  const known = checkPattern({ ...pattern, headers: patterned, operationId });
  const { mismatches } = comparison(known);
  const ownHeaders = Object.entries(headers).filter((one) => !isPlain(one));
  return verdictOf<JournalEntry>({
    limits: { times, atLeast, atMost },
    noun: ["call", "calls"],
    wanted: `of ${operationId}`,
    candidates: candidatesOf(sandbox, operationId),
    misses: (entry) => [
      ...mismatches(entry).map(({ criterion, ...rest }): Miss => ({ path: criterion, ...rest })),
      ...(body === undefined ? [] : misses("body", body, bodyOf(entry, entry.body), bodyOf(entry, shownBody(entry)))),
      ...Object.entries(query).flatMap(([name, wanted]) => parameter(entry, name, wanted)),
      ...ownHeaders.flatMap(([name, wanted]) =>
        misses(join("headers", name), wanted, entry.headers[name.toLowerCase()], shownHeaders(entry)[name.toLowerCase()]),
      ),
      ...(status === undefined ? [] : misses("status", status, entry.status)),
      ...(document_id === undefined ? [] : misses("document_id", document_id, entry.subject ?? createdId(entry))),
    ],
    describe: (entry) =>
      `${entry.method} ${shownUrl(entry)} → ${entry.status ?? "no answer"}${entry.why ? ` (${shownWhy(entry)})` : ""}`,
    none: "the sandbox received no calls",
    dropped: droppedIn(sandbox, "requests"),
  });
}

/** Without a call of the operation, all calls are candidates, because the test may name the wrong operation. */
function candidatesOf(sandbox: Handles, operationId: string): JournalEntry[] {
  const all = sandbox.journal.all();
  const same = all.filter((one) => one.operationId === operationId);
  return same.length > 0 ? same : all;
}

function bodyOf({ headers }: JournalEntry, text: string): unknown {
  if (headers["content-type"]?.toLowerCase().startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(text));
  return parseLeniently(text) ?? text;
}

/** Only the answer of a call that creates a document names the document. */
function createdId({ status, responseBody }: JournalEntry): unknown {
  const answer = status === 201 ? parseLeniently(responseBody) : undefined;
  return isObject(answer) ? answer.id : undefined;
}

/** A parameter that the client sent twice matches by either value. */
function parameter(entry: JournalEntry, name: string, wanted: unknown): Miss[] {
  const shown = shownQuery(entry).find(([key]) => key === name)?.[1] ?? [undefined];
  const all = (own(entry.query, name) ?? [undefined]).map((value, i) => misses(join("query", name), wanted, value, shown[i]));
  return all.find((one) => one.length === 0) ?? all[0] ?? [];
}
