import { differencesOf } from "../../../engine/runtime/search.ts";
import { readConditions } from "../../../engine/verbs/journal/search.ts";
import { droppedIn, tenantOf } from "../tenant-of.ts";
import { service, type Tenant } from "../../../service/service.ts";
import { own } from "../../../engine/core/maps.ts";
import { parseLeniently } from "../../../engine/core/text.ts";
import type { JournalEntry } from "../../../engine/journal/journal.ts";
import { shownBody, shownHeaders, shownQuery, shownUrl, shownWhy } from "../../../engine/journal/redacted-call.ts";
import type { OperationId, PageName } from "../../file-types.ts";
import type { Handles } from "../../types.ts";
import { isObject, join, type Miss, misses, show, testOf } from "./compare.ts";
import { type Conditions, requireConditions, requireOneOf, search } from "./search.ts";
import { requireSandbox } from "./subject.ts";
import type { Received, Verdict } from "./types.ts";

/** Conditions of a rule count for the engine, so their rows say nothing here. */
const OF_RULE = (takes: "anything" | "a map") => [takes, () => undefined, () => []] as const;
const CONDITIONS: Conditions<JournalEntry> = {
  path: OF_RULE("anything"),
  method: OF_RULE("anything"),
  document: OF_RULE("a map"),
  tool: OF_RULE("anything"),
  body: OF_RULE("anything"),
  query: OF_RULE("a map"),
  headers: OF_RULE("a map"),
  status: [
    "anything",
    (entry) => entry.status,
    (wanted, status, path) => (isMatcher(wanted) ? [] : misses(path, wanted, status)),
  ],
  document_id: ["a text", (entry) => entry.subject ?? createdId(entry)],
};

/** A matcher of a rule, such as `{ contains: "Offer" }`. */
const isMatcher = (value: unknown) => value === null || (isObject(value) && !testOf(value));

/** The entries that are conditions of a rule, and the other ones. */
function split(all: object, isOfRule: (name: string, value: unknown) => boolean): [Record<string, unknown>, [string, unknown][]] {
  const entries = Object.entries(all);
  const others = entries.filter(([name, value]) => !isOfRule(name, value));
  return [Object.fromEntries(entries.filter(([name, value]) => isOfRule(name, value))), others];
}

export function received(sandbox: Handles, operationId: OperationId | PageName, expected: Received = {}): Verdict {
  requireSandbox(sandbox);
  const tenant = tenantOf(sandbox) as Tenant;
  requireOneOf(operationId, service.language.callIds(), "operation");
  requireConditions(expected, CONDITIONS);
  if (!["undefined", "number", "object"].includes(typeof expected.status) && !testOf(expected.status))
    throw new TypeError(`status is a number or a matcher, not ${show(expected.status)}`);
  const { times: _, atLeast: __, atMost: ___, document_id: ____, body, query = {}, headers = {}, status, ...others } = expected;
  const [queryConditions, queries] = split(query, (_, value) => isMatcher(value));
  const [headerConditions, ownHeaders] = split(headers, (_, value) => isMatcher(value));
  const isMap = isObject(body) && !testOf(body) && !Array.isArray(body);
  const [bodyConditions, members] = isMap ? split(body, (name, value) => name.startsWith("$") && !testOf(value)) : [{}, []];
  const hasMembers = isMap ? members.length > 0 || Object.keys(bodyConditions).length === 0 : body !== undefined;
  const wantedBody = isMap ? Object.fromEntries(members) : body;
  const when = readConditions(tenant, {
    ...others,
    operation: operationId,
    query: queryConditions,
    headers: headerConditions,
    body: bodyConditions,
    ...(isMatcher(status) ? { status } : {}),
  });
  return search<JournalEntry>({
    noun: ["call", "calls"],
    wanted: `of ${operationId}`,
    rows: candidatesOf(sandbox, operationId),
    conditions: CONDITIONS,
    expected,
    alsoMisses: (entry) => [
      ...differencesOf(tenant, when, entry).map(({ criterion, ...rest }): Miss => ({ path: criterion, ...rest })),
      ...(hasMembers ? misses("body", wantedBody, bodyOf(entry, entry.body), bodyOf(entry, shownBody(entry))) : []),
      ...queries.flatMap(([name, wanted]) => parameter(entry, name, wanted)),
      ...ownHeaders.flatMap(([name, wanted]) =>
        misses(join("headers", name), wanted, entry.headers[name.toLowerCase()], shownHeaders(entry)[name.toLowerCase()]),
      ),
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
