import * as z from "zod";
import { isoMillis, parseInstant } from "../../../engine/core/clock.ts";
import { invalid, notFound } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { parseLeniently } from "../../../engine/core/text.ts";
import { DAY_MS, readDuration } from "../../../engine/core/time-limits.ts";
import type { JournalEntry } from "../../../engine/journal/journal.ts";
import { redact } from "../../../engine/journal/redact.ts";
import { shownAnswer, shownBody, shownQuery, shownUrl } from "../../../engine/journal/redacted-call.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import * as inputs from "./inputs.ts";
import type { LogsQuery } from "./inputs.ts";

export const LOGS_REACH_MAX = 10_000;
const SINCE_MS = 90 * DAY_MS;

/** Reads ISO 8601, `now`, or an offset into the past such as `-90d`. assumed: logs.relative_times. */
export function parseLogTime(text: string, now: number): number | undefined {
  if (text === "now") return now;
  if (!text.startsWith("-")) return parseInstant(text);
  const ago = readDuration(text.slice(1));
  return ago.problem === undefined ? now - ago.value : undefined;
}

/** Returns log entries, newest first, as in the official examples. assumed: logs.window. */
export function listLogs(world: World, filter: LogsQuery): JournalEntry[] {
  if (filter.count * filter.page > LOGS_REACH_MAX) {
    // assumed: logs.limit_text.
    throw invalid({ page: ["The total number of accessible items (count × page) must not exceed 10,000."] });
  }
  const now = world.clock.now();
  const since = readInstant(filter.since, "since", now, now - SINCE_MS);
  const to = readInstant(filter.to, "to", now, now);
  // assumed: logs.search.
  const search = filter.search?.toLowerCase();
  const found = world.journal.all().filter(
    (one) =>
      isOwnCall(world, one) &&
      // Calls without an answer never reached the service, so its log omits them.
      one.status !== undefined &&
      one.at >= since &&
      one.at <= to &&
      (filter.statuses === undefined || filter.statuses.includes(Math.floor((one.status ?? 0) / 100) * 100)) &&
      (filter.methods === undefined || filter.methods.some((method) => method === one.method)) &&
      (search === undefined || one.url.toLowerCase().includes(search)) &&
      (filter.environment_type === undefined || one.caller?.environment === filter.environment_type.toLowerCase()),
  );
  const end = found.length - (filter.page - 1) * filter.count;
  return end <= 0 ? [] : found.slice(Math.max(0, end - filter.count), end).reverse();
}

function readInstant(text: string | undefined, field: string, now: number, fallback: number): number {
  if (text === undefined) return fallback;
  const moment = parseLogTime(text, now);
  // assumed: logs.time_text.
  if (moment === undefined)
    throw invalid({ [field]: ["Enter a valid date/time."] }, `${field} must be an ISO 8601 instant, now, or an age such as -90d`);
  return moment;
}

function isOwnCall(world: World, one: JournalEntry): boolean {
  return one.caller?.workspace_id === world.caller.workspace_id;
}

/** The service's API logs have ids of 20 characters. */
export function logIdOf({ id }: JournalEntry): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url").slice(0, 20);
}

export function requireLog(world: World, id: string): JournalEntry {
  const found = world.journal.all().find((one) => logIdOf(one) === id);
  if (!found || !isOwnCall(world, found)) throw notFound(`the journal holds no call ${id} of this workspace`);
  return found;
}

/** Only this log writes times without a zone. */
function logTime(instant: number): string {
  return isoMillis(instant).slice(0, -1);
}

export function toLogItem(one: JournalEntry) {
  return {
    id: logIdOf(one),
    url: one.path,
    // The official examples have this member; the schema does not.
    method: one.method,
    status: one.status ?? 0,
    request_time: logTime(one.at),
    response_time: logTime(one.at + one.took_ms),
  };
}

export function toLog(world: World, one: JournalEntry) {
  const { caller } = one;
  const url = shownUrl(one);
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
  const token = caller?.kind === "oauth" ? world.store.tokens.get(caller.key) : undefined;
  const client = token?.client_id ? world.store.oauth_clients.get(token.client_id) : undefined;
  return {
    ...toLogItem(one),
    request_body: one.parts ? {} : bodyOf(shownBody(one)),
    query_params_string: query === "" ? null : query,
    query_params_object: query === "" ? null : flattenQuery(one),
    response_body: bodyOf(shownAnswer(one)),
    token_type: caller?.kind === "oauth" ? ("OAUTH2_TOKEN" as const) : ("API_KEY" as const),
    application: client?.name ?? null,
    // assumed: logs.hidden_key.
    key: redact(caller?.key ?? ""),
    request_id: one.id,
    user_email: caller?.email ?? "",
    user_id: caller?.user_id ?? "",
  };
}

/** assumed: logs.body. */
function bodyOf(text: string): unknown {
  const value = parseLeniently(text);
  return typeof value === "object" && value !== null ? value : {};
}

/** assumed: logs.query. */
function flattenQuery(one: JournalEntry): Record<string, unknown> {
  return Object.fromEntries(shownQuery(one).map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

const logTimeText = () => z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/);

const logItem = lazy(() =>
  z.strictObject({
    id: z.string().length(20),
    url: z.string(),
    method: z.string(),
    status: z.number().int(),
    request_time: logTimeText(),
    response_time: logTimeText(),
  }),
);

const logList = lazy(() => z.strictObject({ results: z.array(logItem()) }));

const log = lazy(() =>
  logItem().extend({
    request_body: z.unknown(),
    query_params_string: z.string().nullable(),
    query_params_object: z.record(z.string(), z.unknown()).nullable(),
    response_body: z.unknown(),
    token_type: z.enum(["API_KEY", "OAUTH2_TOKEN"]),
    application: z.string().nullable(),
    key: z.string(),
    request_id: z.uuid(),
    user_email: z.string(),
    user_id: z.string(),
  }),
);

/** Both versions of the log answer alike. */
const list = {
  query: inputs.logsQuery,
  responses: { 200: logList },
  errors: [400, 401, 429],
  limits:
    "The log reaches as far back as the journal, which keeps the latest 10,000 calls. Calls without valid credentials are not in it.",
  handle: ({ query }: { query: inputs.LogsQuery }, world: World) => ok({ results: listLogs(world, query).map(toLogItem) }),
};

const details = {
  responses: { 200: log },
  handle: ({ params }: { params: { id: string } }, world: World) => ok(toLog(world, requireLog(world, params.id))),
};

export const apiLogsGroup = group("API Logs", [
  operation({ id: "listLogs", route: "GET /public/v1/logs", deprecated: "listLogsV2", ...list }),
  operation({
    id: "detailsLog",
    route: "GET /public/v1/logs/{id}",
    deprecated: "detailsLogV2",
    errors: [401, 404, 429],
    ...details,
  }),
  operation({ id: "listLogsV2", route: "GET /public/v2/logs", ...list }),
  operation({ id: "detailsLogV2", route: "GET /public/v2/logs/{id}", errors: [400, 401, 404, 429], ...details }),
]);
