import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { EVENTS } from "../../domain/document-model/status-machine.ts";

export const PAYLOAD_KINDS = ["metadata", "fields", "products", "tokens", "pricing"] as const;

export const subscriptionInput = lazy(() =>
  z.object({
    name: z.string().min(1),
    url: z.string().min(1),
    active: z.boolean().default(true),
    payload: z.array(z.enum(PAYLOAD_KINDS)).nullish(),
    triggers: z.array(z.enum(EVENTS)).nullable(),
  }),
);

export const subscriptionPatch = lazy(() => subscriptionInput().extend({ active: z.boolean() }).partial());

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
