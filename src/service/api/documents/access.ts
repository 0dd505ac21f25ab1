import { createEditingSession, toEditingSession } from "../../domain/templates/editing-sessions.ts";
import { moveToFolder, transferAllOwnership, transferOwnership } from "../../domain/documents/ownership.ts";
import { disclosureOf } from "../../domain/document-model/disclosure.ts";
import { created, ok, operation } from "../operation.ts";
import { allOwnershipRequest, ownershipRequest } from "../../model/documents/inputs.ts";
import * as schemas from "./schemas.ts";
import { requireDocument, requireDraft } from "../../domain/document-model/find.ts";
import { editingSessionRequest } from "../../model/templates/inputs.ts";

export const accessOperations = [
  operation({
    id: "transferDocumentOwnership",
    route: "PATCH /public/v1/documents/{id}/ownership",
    body: ownershipRequest,
    responses: { 204: null },
    errors: [401, 403, 404, 409, 423, 429],
    handle: ({ params, body }, world) => transferOwnership(world, params.id, body.membership_id),
  }),
  operation({
    id: "transferAllDocumentsOwnership",
    route: "PATCH /public/v1/documents/ownership",
    body: allOwnershipRequest,
    responses: { 204: null },
    errors: [401, 403, 404, 429],
    handle: ({ body }, world) => transferAllOwnership(world, body),
  }),
  operation({
    id: "documentMoveToFolder",
    route: "POST /public/v1/documents/{id}/move-to-folder/{folder_id}",
    responses: { 204: null },
    errors: [401, 403, 404, 423, 429],
    handle: ({ params }, world) => moveToFolder(world, params.id, params.folder_id),
  }),
  operation({
    id: "createDocumentEditingSession",
    route: "POST /public/v1/documents/{id}/editing-sessions",
    secret: { response: ["key", "token"] },
    body: editingSessionRequest,
    responses: { 201: schemas.editingSession },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => {
      const document = requireDocument(world, params.id);
      // Source: the embedded editor opens drafts only.
      requireDraft(world, document);
      const session = createEditingSession(world, { kind: "document", id: document.id }, body);
      return created({ ...toEditingSession(session), document_id: document.id });
    },
  }),
  operation({
    id: "documentESignDisclosure",
    route: "GET /public/v1/documents/{document_id}/esign-disclosure",
    responses: { 200: schemas.disclosure },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok({ result: disclosureOf(world, requireDocument(world, params.document_id)) }),
  }),
];
