import type { Context } from "hono";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { httpDate, parseInstant } from "../core/clock.ts";
import { whyUnsendable } from "../core/header.ts";
import { groupBy } from "../core/maps.ts";
import { headerSafe } from "../core/text.ts";
import type { Answered, Asked } from "../jobs/client-waits.ts";
import type { Service } from "../runtime/service.ts";
import type { Caller } from "../runtime/world.ts";
import type { CallerInfo, JournalEntry } from "../journal/journal.ts";
import type { Effect } from "../scenario/rule-schema.ts";
import { ADMIN, type Answer, bugAnswer, type Call, JSON_HEADERS, NO_ANSWER, type Target } from "./call.ts";
import { allowOrigin } from "./cors.ts";
import { authorizationOf, type Env, sentHeaders } from "./hono-context.ts";
import { explainFrozenClock } from "./frozen-clock.ts";
import { keepText } from "./known-text.ts";
import { type Connection, applyNetworkFault } from "./network.ts";

// Entries share these objects, and replace them to change them.
const NO_QUERY: JournalEntry["query"] = {};
const NO_HEADERS: JournalEntry["responseHeaders"] = {};

export function openEntry(context: Context, target: Target | undefined, tenant: Tenant): JournalEntry {
  const { req } = context;
  tenant.auto.opened();
  const url = targetOf(req.url);
  const queryAt = url.indexOf("?");
  const id = tenant.requestIds.uuid();
  const entry: JournalEntry = {
    id,
    at: tenant.clock.now(),
    method: req.method,
    url,
    path: queryAt < 0 ? url : url.slice(0, queryAt),
    query: queryAt < 0 ? NO_QUERY : queryOf(url.slice(queryAt + 1)),
    headers: sentHeaders(context),
    body: "",
    operationId: target?.operation.id,
    subject: target?.subjectParam && req.param(target.subjectParam),
    secret: target?.operation.secret,
    caller: undefined,
    rule: undefined,
    injected: false,
    own: undefined,
    why: undefined,
    status: undefined,
    responseHeaders: NO_HEADERS,
    responseBody: "",
    took_ms: 0,
  };
  const { tool } = context.env as Env;
  if (tool !== undefined) entry.tool = tool;
  return entry;
}

function queryOf(query: string): JournalEntry["query"] {
  const found = groupBy(new URLSearchParams(query), ([name]) => name);
  return Object.fromEntries([...found].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

function targetOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const hashAt = url.indexOf("#", start);
  return start < 0 ? "/" : hashAt < 0 ? url.slice(start) : url.slice(start, hashAt);
}

export function closeEntry(call: Call, answer: Answer, network: Effect["network"]): Response | Promise<Response> {
  const { entry, tenant, context } = call;
  const problem = unsendable(answer);
  // The journal shows the answer that is sent, so an unsendable answer becomes a 500 first.
  if (problem !== undefined) return closeEntry(call, bugAnswer(call, new Error(problem)), network);
  if (call.assumptions) {
    entry.why = `${entry.why ?? "answered as docdouble assumes"} (assumption ${call.assumptions.join(", ")})`;
    call.assumptions = undefined;
  }
  const frozen = tenant.clock.mode === "frozen" ? explainFrozenClock(call, answer) : undefined;
  if (frozen?.isNew) entry.why = joined(entry.why, frozen.text);
  const date = httpDate(tenant.clock.now());
  // Most answers use this literal, because copying headers would double the time of this function.
  const headers: Record<string, string> =
    answer.headers === JSON_HEADERS
      ? { "content-type": "application/json", date, "x-request-id": entry.id }
      : { ...answer.headers, date, "x-request-id": entry.id };
  if (answer.status >= 400 && call.dialect !== ADMIN)
    Object.assign(headers, tenant.service.errors.headers(answer.status, entry.id));
  const { origin } = entry.headers;
  if (origin !== undefined) allowOrigin(headers, origin);
  if (entry.rule) headers["x-docdouble-rule"] = headerSafe(entry.rule);
  const why = frozen === undefined || frozen.isNew ? entry.why : joined(entry.why, frozen.text);
  if (why) headers["x-docdouble-why"] = headerSafe(why);
  entry.status = answer === NO_ANSWER ? undefined : answer.status;
  entry.responseHeaders = headers;
  entry.responseBody = typeof answer.body === "string" ? answer.body : answer.body ? `[${answer.body.length} bytes]` : "";
  entry.took_ms = tenant.clock.now() - entry.at;
  if (network && network !== "slow") entry.networkFault = network;
  entry.injected ||= entry.networkFault !== undefined;
  if (network) entry.why = `${entry.why ? `${entry.why}; ` : ""}network fault of the rule: ${network}`;
  call.isClosed = true;
  if (call.generation === tenant.generation) tenant.journal.add(entry);
  tenant.auto.closed(() => answeredOf(call, headers));
  const response = new Response(answer.body as string | null, { status: answer.status, headers });
  if (entry.tool !== undefined && typeof answer.body === "string") keepText(response, answer.body);
  if (!network) return response;
  return applyNetworkFault(network, response, {
    bindings: context.env as Connection["bindings"],
    signal: context.req.raw.signal,
    closing: call.host.closing,
  });
}

/**
 * A call that began also ends: in the journal, and in the count of open calls, which holds automatic time. An error of docdouble
 * becomes its answer.
 */
export function ended(call: Call, run: () => Response | Promise<Response>): Response | Promise<Response> {
  const failed = (error: unknown) => {
    // A network fault without a socket fails after the end of the call, as fetch does.
    if (call.isClosed) throw error;
    return closeEntry(call, bugAnswer(call, error), undefined);
  };
  try {
    const response = run();
    return response instanceof Promise ? response.catch(failed) : response;
  } catch (error) {
    return failed(error);
  }
}

function joined(why: string | undefined, more: string): string {
  return why ? `${why}; ${more}` : more;
}

function answeredOf({ context, entry }: Call, headers: Readonly<Record<string, string>>): Answered {
  const seconds = Number(headers["retry-after"]);
  return {
    ...askedOf(context),
    status: entry.status,
    retry_ms: seconds > 0 ? seconds * 1000 : undefined,
    lockEnd: entry.status === 423 ? lockEndOf(entry.responseBody) : undefined,
  };
}

function lockEndOf(body: string): number | undefined {
  const text = /"expires_at":"([^"]+)"/.exec(body)?.[1];
  return text === undefined ? undefined : parseInstant(text);
}

export function askedOf(context: Context): Asked {
  const { req } = context;
  return { client: authorizationOf(context) ?? "", method: req.method, url: targetOf(req.url) };
}

function unsendable({ headers }: Answer): string | undefined {
  if (headers === JSON_HEADERS) return undefined;
  for (const [name, value] of Object.entries(headers)) {
    const why = whyUnsendable(name, value);
    if (why !== undefined) return why;
  }
  return undefined;
}

const known = new WeakMap<Caller, CallerInfo>();

export function toCallerInfo(caller: Caller, { access }: Service): CallerInfo {
  let who = known.get(caller);
  if (!who) {
    const { kind, credential } = caller;
    who = { ...access.describe(caller), kind, key: credential };
    known.set(caller, who);
  }
  return who;
}
