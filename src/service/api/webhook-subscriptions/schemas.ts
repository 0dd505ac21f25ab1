import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { PAYLOAD_KINDS } from "../../model/webhooks/rows.ts";
import { EVENTS } from "../../model/documents/status-machine.ts";

export const subscription = lazy(() =>
  z.strictObject({
    uuid: z.string(),
    name: z.string(),
    url: z.string(),
    active: z.boolean(),
    payload: z.array(z.enum(PAYLOAD_KINDS)),
    triggers: z.array(z.enum(EVENTS)).nullable(),
    workspace_id: z.string(),
    shared_key: z.string(),
    status: z.enum(["ACTIVE", "INACTIVE", "DEACTIVATED"]),
  }),
);

export const subscriptionList = lazy(() => z.strictObject({ items: z.array(subscription()) }));

export const sharedKey = lazy(() => z.strictObject({ shared_key: z.string() }));
