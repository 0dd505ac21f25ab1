import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { EVENTS } from "../../domain/document-model/status-machine.ts";
import { dateTime } from "../shapes/document.ts";
import { instant, listOf, queryInt } from "../../core/inputs.ts";

const ERRORS = ["INTERNAL_ERROR", "NOT_VALID_URL", "CONNECT_ERROR", "TIMEOUT_ERROR"] as const;

export const listQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 0 }),
    page: queryInt({ min: 0 }),
    since: instant().optional(),
    to: instant().optional(),
    type: listOf(z.enum(EVENTS)),
    http_status_code: listOf(z.enum(["100", "200", "300", "400", "500"]).transform(Number)),
    error: listOf(z.enum(ERRORS)),
  }),
);

const item = () => ({
  uuid: z.uuid().nullable(),
  name: z.string(),
  type: z.enum(EVENTS),
  http_status_code: z.number().int().nullable(),
  error: z.enum(ERRORS).nullable(),
  delivery_time: dateTime(),
});

export const webhookEventList = lazy(() => z.strictObject({ items: z.array(z.strictObject(item())) }));

export const webhookEvent = lazy(() =>
  z.strictObject({
    ...item(),
    url: z.string(),
    signature: z.string(),
    request_body: z.string(),
    response_body: z.string().nullable(),
    response_headers: z.string().nullable(),
    event_time: dateTime(),
  }),
);
