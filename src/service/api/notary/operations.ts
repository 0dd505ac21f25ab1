import { group } from "../../../engine/core/operation.ts";
import * as notary from "../../domain/notary/requests.ts";
import { notarizationDetails } from "../../domain/notary/files.ts";
import { created, ok, operation } from "../operation.ts";
import * as inputs from "../../model/notary/inputs.ts";
import * as schemas from "./schemas.ts";

export const notaryGroup = group("Notary", [
  operation({
    id: "listNotaries",
    route: "GET /public/v2/notary/notaries",
    query: inputs.notariesQuery,
    responses: { 200: schemas.notaryList },
    errors: [400, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotaries(world, query)),
  }),
  operation({
    id: "listNotarizationRequests",
    route: "GET /public/v2/notary/notarization-requests",
    query: inputs.notarizationsQuery,
    responses: { 200: schemas.requestList },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotarizations(world, query)),
  }),
  operation({
    id: "createNotarizationRequest",
    route: "POST /public/v2/notary/notarization-requests",
    secret: { response: ["notarization_link"] },
    body: inputs.notarizationInput,
    responses: { 201: schemas.created },
    errors: [400, 401, 403, 429],
    limits: "docdouble has no page for the session. The admin API plays the invitees and the notary.",
    handle: ({ body }, world) => created(notary.toCreatedNotarization(world, notary.createNotarization(world, body))),
  }),
  operation({
    id: "notarizationRequestDetails",
    route: "GET /public/v2/notary/notarization-requests/{session_request_id}",
    responses: { 200: schemas.details },
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
