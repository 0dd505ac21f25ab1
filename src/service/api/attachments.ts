import * as z from "zod";
import { binary, group, lazy } from "../../engine/core/operation.ts";
import {
  attachFile,
  attachmentFile,
  listAttachments,
  removeAttachment,
  requireAttachment,
  toAttachment,
} from "../domain/attachments/attachments.ts";
import { contentDisposition } from "../domain/documents/downloads.ts";
import { ok, operation } from "./operation.ts";
import { dateTime, person } from "./shapes/document.ts";
import { attachmentRequest, attachmentUploadRequest } from "../model/attachments/inputs.ts";

const attachment = lazy(() =>
  z.strictObject({
    uuid: z.string(),
    date_created: dateTime(),
    created_by: person().omit({ membership_id: true }),
    name: z.string().nullable(),
    type: z.literal("general"),
  }),
);
const attachments = lazy(() => z.array(attachment()));

export const attachmentsGroup = group("Document Attachments", [
  operation({
    id: "listDocumentAttachments",
    route: "GET /public/v1/documents/{id}/attachments",
    responses: { 200: attachments },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => ok(listAttachments(world, params.id).map((row) => toAttachment(world, row))),
  }),
  operation({
    id: "createDocumentAttachment",
    route: "POST /public/v1/documents/{id}/attachments",
    body: attachmentRequest,
    responses: { 200: attachment },
    errors: [400, 401, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) =>
      ok(toAttachment(world, attachFile(world, params.id, { source: body.source }, body.name))),
  }),
  operation({
    id: "createDocumentAttachmentFromFileUpload",
    route: "POST /public/v1/documents/{id}/attachments?upload",
    body: attachmentUploadRequest,
    bodyKind: "multipart",
    responses: { 200: attachment },
    errors: [400, 401, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) =>
      ok(toAttachment(world, attachFile(world, params.id, body.file ?? { source: body.source ?? "" }, body.name))),
  }),
  operation({
    id: "detailsDocumentAttachment",
    route: "GET /public/v1/documents/{id}/attachments/{attachment_id}",
    responses: { 200: attachment },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => ok(toAttachment(world, requireAttachment(world, params.id, params.attachment_id))),
  }),
  operation({
    id: "deleteDocumentAttachment",
    route: "DELETE /public/v1/documents/{id}/attachments/{attachment_id}",
    responses: { 204: null },
    errors: [401, 404, 423, 429],
    handle: ({ params }, world) => removeAttachment(world, params.id, params.attachment_id),
  }),
  operation({
    id: "downloadDocumentAttachment",
    route: "GET /public/v1/documents/{id}/attachments/{attachment_id}/download",
    responses: { 200: binary("application/*") },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => {
      const { name, type, bytes } = attachmentFile(world, params.id, params.attachment_id);
      return { status: 200, bytes, media: type, headers: { "content-disposition": contentDisposition(name) } };
    },
  }),
]);
