import { group, lazy } from "../../engine/core/operation.ts";
import { listLogs, requireLog, toLog, toLogItem } from "../domain/workspaces/api-logs.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/workspaces/inputs.ts";
import type { World } from "../model/world.ts";
import * as z from "zod";

const logTime = () => z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/);

const logItem = lazy(() =>
  z.strictObject({
    id: z.string().length(20),
    url: z.string(),
    method: z.string(),
    status: z.number().int(),
    request_time: logTime(),
    response_time: logTime(),
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
