import { group, lazy } from "../../engine/core/operation.ts";
import * as notary from "../domain/notary/requests.ts";
import { notarizationDetails } from "../domain/notary/files.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/notary/inputs.ts";
import * as z from "zod";
import { dateTime } from "./shapes/document.ts";
import { NOTARY_STATUSES, REQUEST_STATUSES, TERMINATION_REASONS } from "../model/notary/rows.ts";

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

export const createdRequest = lazy(() =>
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

export const notaryGroup = group("Notary", [
  operation({
    id: "listNotaries",
    route: "GET /public/v2/notary/notaries",
    query: inputs.notariesQuery,
    responses: { 200: notaryList },
    errors: [400, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotaries(world, query)),
  }),
  operation({
    id: "listNotarizationRequests",
    route: "GET /public/v2/notary/notarization-requests",
    query: inputs.notarizationsQuery,
    responses: { 200: requestList },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotarizations(world, query)),
  }),
  operation({
    id: "createNotarizationRequest",
    route: "POST /public/v2/notary/notarization-requests",
    secret: { response: ["notarization_link"] },
    body: inputs.notarizationInput,
    responses: { 201: createdRequest },
    errors: [400, 401, 403, 429],
    limits: "docdouble has no page for the session. The admin API plays the invitees and the notary.",
    handle: ({ body }, world) => created(notary.toCreatedNotarization(world, notary.createNotarization(world, body))),
  }),
  operation({
    id: "notarizationRequestDetails",
    route: "GET /public/v2/notary/notarization-requests/{session_request_id}",
    responses: { 200: details },
    errors: [],
    handle: ({ params }, world) => ok(notarizationDetails(world, params.session_request_id)),
  }),
  operation({
    id: "deleteNotarizationRequest",
    route: "DELETE /public/v2/notary/notarization-requests/{session_request_id}",
    responses: { 204: null },
    errors: [400, 403, 404, 429],
    handle: ({ params }, world) => notary.deleteNotarization(world, params.session_request_id),
  }),
]);
