import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime } from "../shapes/document.ts";
import { NOTARY_STATUSES, REQUEST_STATUSES, TERMINATION_REASONS } from "../../model/notary/rows.ts";

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
