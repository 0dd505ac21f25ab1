import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";

const logTime = () => z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/);

export const logItem = lazy(() =>
  z.strictObject({
    id: z.string().length(20),
    url: z.string(),
    method: z.string(),
    status: z.number().int(),
    request_time: logTime(),
    response_time: logTime(),
  }),
);

export const logList = lazy(() => z.strictObject({ results: z.array(logItem()) }));

export const log = lazy(() =>
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
