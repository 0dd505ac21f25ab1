import { group, lazy } from "../../engine/core/operation.ts";
import { pollConversion } from "../domain/content/file-conversion.ts";
import { sectionConversion } from "../domain/documents/section-processing.ts";
import * as sections from "../domain/documents/sections.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/documents/inputs.ts";
import * as z from "zod";
import { dateTime } from "./shapes/document.ts";

const upload = () => ({
  uuid: z.string(),
  name: z.string(),
  document_uuid: z.string(),
  status: z.enum(["document_sections_upload.UPLOADED", "document_sections_upload.PROCESSED", "document_sections_upload.ERROR"]),
  date_created: dateTime(),
  date_modified: dateTime(),
  info_message: z.string().nullable(),
});

const uploadCreated = lazy(() => z.strictObject({ ...upload(), date_completed: dateTime().nullable() }));

const uploadStatus = lazy(() =>
  z.strictObject({ ...upload(), sections_uuids: z.array(z.string()), section_uuids: z.array(z.string()) }),
);

const sectionList = lazy(() => z.strictObject({ results: z.array(z.strictObject({ uuid: z.string(), name: z.string() })) }));

const sectionDetails = lazy(() => z.strictObject({ uuid: z.string(), name: z.string(), document_uuid: z.string() }));

const LIMITS = "docdouble keeps the text of a DOCX or RTF, but not its layout. DOC files end in ERROR.";

export const sectionsGroup = group("Document Sections (Bundles)", [
  operation({
    id: "listSections",
    route: "GET /public/v1/documents/{document_id}/sections",
    responses: { 200: sectionList },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => ok({ results: sections.listSections(world, params.document_id) }),
  }),
  operation({
    id: "uploadSection",
    route: "POST /public/v1/documents/{document_id}/sections/uploads",
    secret: { request: ["passcode"] },
    query: inputs.sectionUploadQuery,
    body: inputs.sectionRequest,
    responses: { 201: uploadCreated },
    errors: [400, 401, 423, 429],
    invalidType: "validation_error",
    limits: LIMITS,
    handle: ({ params, query, body }, world) => {
      const upload = sections.uploadSection(world, params.document_id, query.merge_field_scope, body);
      return created(sections.toUploadCreated(upload));
    },
  }),
  operation({
    id: "uploadSectionWithUpload",
    route: "POST /public/v1/documents/{document_id}/sections/uploads?upload",
    secret: { request: ["passcode"] },
    query: inputs.sectionUploadQuery,
    body: inputs.sectionUploadRequest,
    bodyKind: "multipart",
    responses: { 201: uploadCreated },
    errors: [400, 401, 423, 429],
    invalidType: "validation_error",
    limits: LIMITS,
    handle: ({ params, query, body }, world) => {
      const upload = sections.uploadSection(world, params.document_id, query.merge_field_scope, body.data, body.file);
      return created(sections.toUploadCreated(upload));
    },
  }),
  operation({
    id: "sectionDetails",
    route: "GET /public/v1/documents/{document_id}/sections/uploads/{upload_id}",
    responses: { 200: uploadStatus },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params }, world) => {
      const { id } = sections.requireUpload(world, params.document_id, params.upload_id);
      pollConversion(world, sectionConversion, id);
      return ok(sections.toUploadStatus(sections.requireUpload(world, params.document_id, id)));
    },
  }),
  operation({
    id: "sectionInfo",
    route: "GET /public/v1/documents/{document_id}/sections/{section_id}",
    responses: { 200: sectionDetails },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params }, world) => ok(sections.sectionInfo(world, params.document_id, params.section_id)),
  }),
  operation({
    id: "deleteSection",
    route: "DELETE /public/v1/documents/{document_id}/sections/{section_id}",
    responses: { 204: null },
    errors: [401, 403, 404, 423, 429],
    furtherErrors: [400],
    handle: ({ params }, world) => sections.deleteSection(world, params.document_id, params.section_id),
  }),
]);
