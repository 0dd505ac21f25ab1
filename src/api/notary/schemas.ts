import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime } from "../shapes/document.ts";
import { NOTARY_STATUSES, REQUEST_STATUSES, TERMINATION_REASONS } from "../../domain/notary/rows.ts";
import { instant, queryInt } from "../../core/inputs.ts";

function values<T extends z.ZodType>(item: T, max: number) {
  return z.preprocess(
    (value) => (value === undefined ? undefined : [value].flat().flatMap((one) => String(one).split(","))),
    z.array(item).max(max).optional(),
  );
}

export const notariesQuery = lazy(() =>
  z.object({
    status: values(z.enum(NOTARY_STATUSES), 10),
    commission_state: values(z.string().max(50), 20),
    offset: queryInt({ min: 0 }).default(0),
    limit: queryInt({ min: 1, max: 100 }).default(50),
    order_by: z.enum(["email", "-email", "status", "-status", "name", "-name"]).default("email"),
  }),
);

export const notaryList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        email: z.string(),
        name: z.string().nullable(),
        status: z.enum(NOTARY_STATUSES),
        commission_state: z.string().nullable(),
      }),
    ),
    count: z.number().int(),
  }),
);

export const requestsQuery = lazy(() =>
  z.object({
    status: values(z.enum(REQUEST_STATUSES), 10),
    created_by_user_id: values(z.string(), 30),
    document_id: values(z.string(), 30),
    offset: queryInt({ min: 0 }).default(0),
    limit: queryInt({ min: 1, max: 100 }).default(50),
    order_by: z
      .enum(["status", "-status", "date_created", "-date_created", "date_completed", "-date_completed"])
      .default("date_created"),
  }),
);

export const requestList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        status: z.enum(REQUEST_STATUSES),
        name: z.string(),
        document_id: z.string(),
        date_created: dateTime(),
        date_started: dateTime().nullable(),
        date_completed: dateTime().nullable(),
        created_by_user_id: z.string(),
      }),
    ),
    count: z.number().int(),
  }),
);

export const createRequest = lazy(() =>
  z.object({
    document_id: z.string().max(50),
    disable_invitees_notifications: z.boolean().nullish(),
    invitation: z.object({
      message: z.string().optional(),
      invitees: z
        .array(
          z.object({
            email: z.email().max(255),
            first_name: z.string().max(50).nullish(),
            last_name: z.string().max(50).nullish(),
          }),
        )
        .min(1),
    }),
    notary: z.object({ id: z.string(), scheduled_at: instant(), message: z.string().optional() }).optional(),
  }),
);

const author = () => z.strictObject({ user_id: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() });

const invitee = () => ({ id: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() });

export const created = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    status: z.enum(REQUEST_STATUSES),
    date_created: dateTime(),
    date_accepted: dateTime().nullable(),
    created_by: author(),
    invitees: z.array(z.strictObject({ ...invitee(), notarization_link: z.string() })),
  }),
);

export const details = lazy(() =>
  z.strictObject({
    id: z.string(),
    status: z.enum(REQUEST_STATUSES),
    document_id: z.string(),
    date_created: dateTime(),
    date_started: dateTime().nullable(),
    date_completed: dateTime().nullable(),
    created_by: author(),
    invitees: z.array(z.strictObject(invitee())),
    signed_documents: z.array(
      z.strictObject({
        url: z.string(),
        document_name: z.string(),
        size: z.number().int(),
        document_type: z.enum(["COMBINED", "SINGLE"]),
      }),
    ),
    recording: z.strictObject({ url: z.string(), name: z.string(), size: z.number().int() }).nullable(),
    termination_reason: z.enum(TERMINATION_REASONS).nullable(),
    termination_details: z.string().nullable(),
  }),
);
