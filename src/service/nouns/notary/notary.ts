import * as z from "zod";
import { instant, queryInt } from "../../../engine/core/inputs.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import { detailsView, openNotarization } from "./files.ts";
import * as notary from "./requests.ts";
import { NOTARY_STATUSES, REQUEST_STATUSES, TERMINATION_REASONS } from "./row.ts";

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

export type NotariesQuery = z.infer<ReturnType<typeof notariesQuery>>;

export const notarizationsQuery = lazy(() =>
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

export type NotarizationsQuery = z.infer<ReturnType<typeof notarizationsQuery>>;

export const notarizationInput = lazy(() =>
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

export type NotarizationInput = z.infer<ReturnType<typeof notarizationInput>>;

export const notaryActInput = lazy(() =>
  z.strictObject({
    reason: z.enum(TERMINATION_REASONS).optional(),
    details: z.string().optional(),
    recording: z.boolean().optional(),
  }),
);

export type NotaryActInput = z.infer<ReturnType<typeof notaryActInput>>;

const counted = <T extends z.ZodType>(one: () => T) =>
  lazy(() => z.strictObject({ results: z.array(one()), count: z.number().int() }));

const notaryList = counted(notary.notaryView);

const requestList = counted(notary.requestView);

export const notaryGroup = group("Notary", [
  operation({
    id: "listNotaries",
    route: "GET /public/v2/notary/notaries",
    query: notariesQuery,
    responses: { 200: notaryList },
    errors: [400, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotaries(world, query)),
  }),
  operation({
    id: "listNotarizationRequests",
    route: "GET /public/v2/notary/notarization-requests",
    query: notarizationsQuery,
    responses: { 200: requestList },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotarizations(world, query)),
  }),
  operation({
    id: "createNotarizationRequest",
    route: "POST /public/v2/notary/notarization-requests",
    secret: { response: ["notarization_link"] },
    body: notarizationInput,
    responses: { 201: notary.createdRequestView },
    errors: [400, 401, 403, 429],
    limits: "docdouble has no page for the session. The admin API plays the invitees and the notary.",
    handle: ({ body }, world) => created(notary.createdRequestView.of(notary.createNotarization(world, body), world)),
  }),
  operation({
    id: "notarizationRequestDetails",
    route: "GET /public/v2/notary/notarization-requests/{session_request_id}",
    responses: { 200: detailsView },
    errors: [],
    handle: ({ params }, world) => ok(detailsView.of(openNotarization(world, params.session_request_id), world)),
  }),
  operation({
    id: "deleteNotarizationRequest",
    route: "DELETE /public/v2/notary/notarization-requests/{session_request_id}",
    responses: { 204: null },
    errors: [400, 403, 404, 429],
    handle: ({ params }, world) => notary.deleteNotarization(world, params.session_request_id),
  }),
]);
