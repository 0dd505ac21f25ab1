import { group, lazy } from "../../engine/core/operation.ts";
import { addCc, editRecipient, reassign, removeRecipient } from "../domain/sending/recipient-changes.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/recipients/inputs.ts";
import * as z from "zod";

const recipientChanged = lazy(() => z.strictObject({ recipient_id: z.string() }));

export const recipientsGroup = group("Document Recipients", [
  operation({
    id: "addDocumentRecipient",
    route: "POST /public/v1/documents/{id}/recipients",
    body: inputs.contactRequest,
    responses: { 200: recipientChanged },
    errors: [400, 401, 403, 404, 423, 429],
    handle: ({ params, body }, world) => ok({ recipient_id: addCc(world, params.id, body).id }),
  }),
  operation({
    id: "deleteDocumentRecipient",
    route: "DELETE /public/v1/documents/{id}/recipients/{recipient_id}",
    responses: { 204: null },
    errors: [401, 403, 404, 423, 429],
    furtherErrors: [400],
    handle: ({ params }, world) => removeRecipient(world, params.id, params.recipient_id),
  }),
  operation({
    id: "editDocumentRecipient",
    route: "PATCH /public/v1/documents/{id}/recipients/recipient/{recipient_id}",
    secret: { request: ["passcode"] },
    body: inputs.recipientEditRequest,
    responses: { 204: null },
    errors: [400, 401, 403, 404, 423, 429],
    handle: ({ params, body }, world) => editRecipient(world, params.id, params.recipient_id, body),
  }),
  operation({
    id: "reassignDocumentRecipient",
    route: "POST /public/v1/documents/{id}/recipients/{recipient_id}/reassign",
    body: inputs.contactRequest,
    responses: { 200: recipientChanged },
    errors: [400, 401, 403, 404, 423, 429],
    handle: ({ params, body }, world) => ok({ recipient_id: reassign(world, params.id, params.recipient_id, body).id }),
  }),
]);
