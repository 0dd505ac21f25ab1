import { requireDocxExport, startDocxExport, toDocxExport } from "../../domain/documents/docx-exports.ts";
import { RETRY_AFTER_S } from "../../domain/documents/downloads.ts";
import * as insights from "../../domain/documents/insights.ts";
import { searchDocuments } from "../../domain/documents/ai-search.ts";
import { requireAiFeatures } from "../../domain/workspaces/privacy.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/documents/inputs.ts";
import * as schemas from "./beta-schemas.ts";

const RETRY = { "retry-after": String(RETRY_AFTER_S) };

export const betaOperations = [
  operation({
    id: "createExportDocxTask",
    route: "POST /public/beta/documents/{document_id}/docx-export-tasks",
    responses: { 200: schemas.docxTask },
    errors: [401, 403, 404, 429],
    furtherErrors: [400],
    handle: ({ params }, world) => {
      const { id, document_id, status } = startDocxExport(world, params.document_id);
      return ok({ id, document_id, status });
    },
  }),
  operation({
    id: "getDocxExportTask",
    route: "GET /public/beta/documents/{document_id}/docx-export-tasks/{task_id}",
    responses: { 200: schemas.docxTaskState },
    errors: [401, 403, 404, 429],
    limits:
      "The DOCX shows the text of the document in one column, without its layout. It shows the pages of an uploaded PDF as text.",
    handle: ({ params }, world) => ok(toDocxExport(world, requireDocxExport(world, params.document_id, params.task_id))),
  }),
  operation({
    id: "getDocumentSummary",
    route: "GET /public/beta/documents/{document_id}/summary",
    query: inputs.summaryQuery,
    responses: { 200: schemas.summary, 202: null },
    errors: [400, 401, 403, 404, 429],
    limits: "docdouble makes the summary from parts of the document. No language model writes it.",
    handle: ({ params, query }, world) => {
      requireAiFeatures(world);
      const type = insights.requireChoice("type", query.type, insights.SUMMARY_TYPES);
      const found = insights.findReadableDocument(world, params.document_id);
      if (!found) return { status: 202, headers: RETRY };
      const summary = insights.summaryOf(world, found.document, type);
      return { status: 200, body: { type, summary }, headers: { etag: found.etag, vary: "type" } };
    },
  }),
  operation({
    id: "getDocumentContent",
    route: "GET /public/beta/documents/{document_id}/content",
    query: inputs.contentQuery,
    responses: { 200: schemas.content, 202: null },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, query }, world) => {
      const format = insights.requireChoice("format", query.format, insights.CONTENT_FORMATS);
      const found = insights.findReadableDocument(world, params.document_id);
      if (!found) return { status: 202, headers: RETRY };
      const content = insights.contentOfDocument(found.document, format);
      return { status: 200, body: { format, content }, headers: { etag: found.etag, vary: "format" } };
    },
  }),
  operation({
    id: "getDocumentAiMetadata",
    route: "GET /public/beta/documents/{document_id}/ai-metadata",
    query: inputs.aiMetadataQuery,
    responses: { 200: schemas.metadata, 202: schemas.pending, 204: null },
    errors: [401, 403, 404, 409, 429],
    limits:
      "docdouble takes six texts from the document, and checks nine boxes by the words of the document. No language model extracts them.",
    handle: ({ params, query }, world) => {
      requireAiFeatures(world);
      const found = insights.requireExtraction(world, params.document_id);
      if (found.status === "ok") {
        const results = found.fields.slice(query.offset, query.offset + query.limit);
        return ok({ count: found.fields.length, results });
      }
      if (found.status === "extraction_failed") return { status: 204 };
      return { status: 202, body: { code: "extraction_pending", description: insights.PENDING }, headers: RETRY };
    },
  }),
  operation({
    id: "batchGetDocumentAiMetadata",
    route: "POST /public/beta/documents/ai-metadata",
    body: inputs.aiMetadataBatchRequest,
    responses: { 200: schemas.batch },
    errors: [400, 401, 403, 429],
    handle: ({ body }, world) => {
      requireAiFeatures(world);
      const results = insights.batchExtractions(world, body.document_ids, body.field_keys, RETRY_AFTER_S);
      return ok({ count: results.length, results });
    },
  }),
  operation({
    id: "searchDocumentsAi",
    route: "GET /public/beta/documents/search",
    query: inputs.searchQuery,
    responses: { 200: schemas.searchReply },
    errors: [400, 401, 403, 429, 500, 504],
    limits:
      "docdouble understands statuses, people, folders, months, weeks, quarters and years. It searches for all other words as they are.",
    handle: ({ query }, world) => {
      requireAiFeatures(world);
      return ok(searchDocuments(world, query.q));
    },
  }),
];
