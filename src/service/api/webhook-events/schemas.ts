import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { DELIVERY_ERRORS } from "../../model/webhooks/inputs.ts";
import { EVENTS } from "../../model/documents/status-machine.ts";
import { dateTime } from "../shapes/document.ts";

const item = () => ({
  uuid: z.uuid().nullable(),
  name: z.string(),
  type: z.enum(EVENTS),
  http_status_code: z.number().int().nullable(),
  error: z.enum(DELIVERY_ERRORS).nullable(),
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
