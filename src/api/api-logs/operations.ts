import { group } from "../../core/operation.ts";
import { listLogs, requireLog, toLog, toLogItem } from "../../domain/workspaces/api-logs.ts";
import { operation } from "../operation.ts";
import * as inputs from "../../domain/workspaces/inputs.ts";
import * as schemas from "./schemas.ts";

const LIMITS =
  "The log reaches as far back as the journal, which keeps the latest 10,000 calls. Calls without valid credentials are not in it.";

export const apiLogsGroup = group("API Logs", [
  operation({
    id: "listLogs",
    route: "GET /public/v1/logs",
    query: inputs.logsQuery,
    responses: { 200: schemas.logList },
    errors: [400, 401, 429],
    limits: LIMITS,
    handle: ({ query }, world) => ({ status: 200, body: { results: listLogs(world, query).map(toLogItem) } }),
  }),
  operation({
    id: "detailsLog",
    route: "GET /public/v1/logs/{id}",
    responses: { 200: schemas.log },
    errors: [401, 404, 429],
    handle: ({ params }, world) => ({ status: 200, body: toLog(world, requireLog(world, params.id)) }),
  }),
  operation({
    id: "listLogsV2",
    route: "GET /public/v2/logs",
    query: inputs.logsQuery,
    responses: { 200: schemas.logList },
    errors: [400, 401, 429],
    limits: LIMITS,
    handle: ({ query }, world) => ({ status: 200, body: { results: listLogs(world, query).map(toLogItem) } }),
  }),
  operation({
    id: "detailsLogV2",
    route: "GET /public/v2/logs/{id}",
    responses: { 200: schemas.log },
    errors: [400, 401, 404, 429],
    handle: ({ params }, world) => ({ status: 200, body: toLog(world, requireLog(world, params.id)) }),
  }),
]);
