import * as z from "zod";
import { instant, listOf, queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { EVENTS } from "../documents/status-machine.ts";
import { PAYLOAD_KINDS } from "./rows.ts";

export const subscriptionInput = lazy(() =>
  z.object({
    name: z.string().min(1),
    url: z.string().min(1),
    active: z.boolean().default(true),
    payload: z.array(z.enum(PAYLOAD_KINDS)).nullish(),
    triggers: z.array(z.enum(EVENTS)).nullable(),
  }),
);
export type SubscriptionInput = z.infer<ReturnType<typeof subscriptionInput>>;

export const subscriptionPatch = lazy(() => subscriptionInput().extend({ active: z.boolean() }).partial());
export type SubscriptionPatch = z.infer<ReturnType<typeof subscriptionPatch>>;

export const DELIVERY_ERRORS = ["INTERNAL_ERROR", "NOT_VALID_URL", "CONNECT_ERROR", "TIMEOUT_ERROR"] as const;

export const webhookEventsQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 0 }),
    page: queryInt({ min: 0 }),
    since: instant().optional(),
    to: instant().optional(),
    type: listOf(z.enum(EVENTS)),
    /** 100 stands for 1xx and so on. */
    http_status_code: listOf(z.enum(["100", "200", "300", "400", "500"]).transform(Number)),
    error: listOf(z.enum(DELIVERY_ERRORS)),
  }),
);
export type WebhookEventsQuery = z.infer<ReturnType<typeof webhookEventsQuery>>;

export const triggerInput = lazy(() =>
  z.strictObject({
    event: z.enum(EVENTS),
    document_id: z
      .string()
      .optional()
      .describe("of a document, template or content library item. Default: the newest that fits the event, or a new one"),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("replaces members of the document's data; without document_id, the whole data"),
    subscription: z.string().optional().describe("the id of the only subscription that gets the event"),
  }),
);
export type TriggerInput = z.infer<ReturnType<typeof triggerInput>>;
