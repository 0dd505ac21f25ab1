import * as z from "zod";
import { iso } from "../../../engine/core/clock.ts";
import { binary, group, lazy } from "../../../engine/core/operation.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import { appendOperation } from "../library/operations.ts";
import {
  changeStatus,
  revert,
  send,
  sendRequest,
  sessionRequest,
  statusRequest,
  statusUploadRequest,
} from "../people/sending.ts";
import { createSession } from "../signing/embedded-sessions.ts";
import { createEditingSession, editingSessionMembers, toEditingSession } from "../templates/editing-sessions.ts";
import { editingSessionRequest } from "../templates/row.ts";
import {
  documentCreated,
  documentDetails,
  documentList,
  documentReverted,
  documentSent,
  documentStatusReply,
} from "./answers.ts";
import { betaOperations } from "./beta.ts";
import { poll } from "./conversion.ts";
import * as documents from "./documents.ts";
import type { Download } from "./downloads.ts";
import { RETRY_AFTER_S, contentDisposition, download, downloadProtected } from "./downloads.ts";
import * as inputs from "./inputs.ts";
import { allOwnershipRequest, ownershipRequest } from "./inputs.ts";
import { listDocuments, listQuery } from "./list.ts";
import { requireDocument, requireDraft } from "./row.ts";
import { moveToFolder, remove, removeAll, transferAllOwnership, transferOwnership, update } from "./update.ts";
import { detailsView, disclosureOf, listView, statusView, toCreated, toReverted, toSent } from "./view.ts";

export const bulkDeleted = lazy(() => z.strictObject({ id: z.array(z.string()) }));

export const session = lazy(() => z.strictObject({ id: z.string(), expires_at: z.string() }));

export const editingSession = lazy(() => z.strictObject({ ...editingSessionMembers(), document_id: z.string() }));

export const disclosure = lazy(() =>
  z.strictObject({
    result: z.strictObject({
      is_enabled: z.boolean(),
      company_name: z.string().nullable(),
      esign_disclosure_text: z.string().nullable(),
    }),
  }),
);

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
    responses: { 201: editingSession },
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
    responses: { 200: disclosure },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok({ result: disclosureOf(world, requireDocument(world, params.document_id)) }),
  }),
];

const POLL = "You need to poll the Document Status method until the status will be changed to document.draft";
const WAIT = "Wait until the status is changed to document.draft. You may use webhooks or poll the Document Status method.";

const PDF_OR_ZIP = binary("application/pdf", "application/zip");

function fileReply(file: Download | undefined) {
  const meanwhile = { status: 202 as const, headers: { "retry-after": String(RETRY_AFTER_S) } };
  if (!file) return meanwhile;
  const headers = { "content-disposition": contentDisposition(file.name) };
  return { status: 200 as const, bytes: file.bytesSoon, media: file.media, headers, meanwhile };
}

export const documentsGroup = group("Documents", [
  operation({
    id: "listDocuments",
    route: "GET /public/v1/documents",
    query: listQuery,
    responses: { 200: documentList },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ({ status: 200, ...listView(listDocuments(world, query), world.reading("list.date_sent")) }),
  }),
  operation({
    id: "createDocument",
    route: "POST /public/v1/documents",
    secret: { request: ["passcode"] },
    query: inputs.createQuery,
    body: inputs.createRequest,
    responses: { 201: documentCreated },
    errors: [400, 401, 403, 429],
    // In one reading of create.unknown_template.
    furtherErrors: [404],
    invalidType: "validation_error",
    handle: ({ query, body }, world) => {
      const { template_uuid, name = "", url = "" } = body;
      const document =
        template_uuid === undefined
          ? documents.createFromFile(world, { ...body, name }, { url }, query)
          : documents.createFromTemplate(world, { ...body, template_uuid });
      return created(toCreated(world, document, POLL));
    },
  }),
  operation({
    id: "createDocumentFromUpload",
    route: "POST /public/v1/documents?upload",
    secret: { request: ["passcode"] },
    query: inputs.createQuery,
    body: inputs.uploadRequest,
    bodyKind: "multipart",
    responses: { 201: documentCreated },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    limits:
      "docdouble keeps the text, headings and tables of a DOCX and the plain text of an RTF. DOC files end in document.error.",
    handle: ({ query, body }, world) =>
      created(toCreated(world, documents.createFromFile(world, body.data, body.file, query), WAIT)),
  }),
  operation({
    id: "createDocumentFromMarkdownUpload",
    route: "POST /public/v1/documents?upload-markdown",
    secret: { request: ["passcode"] },
    body: inputs.markdownUploadRequest,
    bodyKind: "multipart",
    responses: { 201: documentCreated },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) => created(toCreated(world, documents.createFromMarkdown(world, body.data, body.file), WAIT)),
  }),
  operation({
    id: "bulkDeleteDocuments",
    route: "DELETE /public/v1/documents",
    body: inputs.bulkDeleteRequest,
    responses: { 200: bulkDeleted },
    errors: [400, 401, 403, 404, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) =>
      ok({
        id: removeAll(
          world,
          body.map((one) => one.id),
        ),
      }),
  }),
  operation({
    id: "statusDocument",
    route: "GET /public/v1/documents/{id}",
    responses: { 200: documentStatusReply },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ({ status: 200, ...statusView(poll(world, requireDocument(world, params.id))) }),
  }),
  operation({
    id: "deleteDocument",
    route: "DELETE /public/v1/documents/{id}",
    responses: { 204: null },
    errors: [403, 404, 423],
    handle: ({ params }, world) => remove(world, params.id),
  }),
  operation({
    id: "updateDocument",
    route: "PATCH /public/v1/documents/{id}",
    body: inputs.updateRequest,
    responses: { 204: null },
    errors: [400, 401, 403, 404, 423, 429],
    handle: ({ params, body }, world) => update(world, params.id, body),
  }),
  operation({
    id: "changeDocumentStatus",
    route: "PATCH /public/v1/documents/{id}/status",
    body: statusRequest,
    responses: { 204: null },
    errors: [401, 403, 404, 409, 423, 429],
    handle: ({ params, body }, world) => {
      changeStatus(world, params.id, body);
    },
  }),
  operation({
    id: "changeDocumentStatusWithUpload",
    route: "PATCH /public/v1/documents/{id}/status?upload",
    body: statusUploadRequest,
    bodyKind: "multipart",
    responses: { 204: null },
    errors: [401, 403, 404, 409, 423, 429],
    handle: ({ params, body }, world) => {
      changeStatus(world, params.id, body.data, body.file);
    },
  }),
  operation({
    id: "documentRevertToDraft",
    route: "POST /public/v1/documents/{id}/draft",
    responses: { 200: documentReverted },
    errors: [423],
    handle: ({ params }, world) => ok(toReverted(revert(world, params.id))),
  }),
  operation({
    id: "detailsDocument",
    route: "GET /public/v1/documents/{id}/details",
    secret: { response: ["passcode"] },
    responses: { 200: documentDetails },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params }, world) => {
      const document = poll(world, requireDocument(world, params.id));
      documents.requireReadable(world, document);
      return { status: 200, ...detailsView(world, document) };
    },
  }),
  operation({
    id: "sendDocument",
    route: "POST /public/v1/documents/{id}/send",
    body: sendRequest,
    bodyOptional: true,
    responses: { 200: documentSent },
    errors: [401, 403, 404, 409, 423, 429],
    handle: ({ params, body }, world) => ok(toSent(world, send(world, params.id, body))),
  }),
  operation({
    id: "createDocumentLink",
    route: "POST /public/v1/documents/{id}/session",
    secret: { response: ["id"] },
    body: sessionRequest,
    responses: { 201: session },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => {
      const session = createSession(world, params.id, body);
      return created({ id: session.id, expires_at: iso(session.expires_at) });
    },
  }),
  operation({
    id: "downloadDocument",
    route: "GET /public/v1/documents/{id}/download",
    query: inputs.downloadQuery,
    responses: { 200: PDF_OR_ZIP, 202: null },
    errors: [400, 401, 403, 404, 409, 429],
    limits:
      "The PDF shows the content of a template in one column, not in the template's layout. Letters that are not Latin, Greek or Cyrillic become a question mark.",
    handle: ({ params, query }, world) => fileReply(download(world, params.id, query)),
  }),
  operation({
    id: "downloadProtectedDocument",
    route: "GET /public/v1/documents/{id}/download-protected",
    query: inputs.downloadProtectedQuery,
    responses: { 200: PDF_OR_ZIP, 202: null },
    errors: [401, 403, 404, 409, 429],
    limits: "The PDF has a certificate page, but no digital signature.",
    handle: ({ params, query }, world) => fileReply(downloadProtected(world, params.id, query)),
  }),
  appendOperation,
  ...accessOperations,
  ...betaOperations,
]);
