import * as z from "zod";
import { ApiError } from "../../../engine/core/errors.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { toMarkdown, toPlainText } from "../../files/blocks.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import { blocksOf } from "../content/blocks.ts";
import { isMarkField } from "../content/row.ts";
import { fixOf } from "../content/unknown-names.ts";
import { displayName } from "../people/participants.ts";
import { pricingTotal } from "../pricing/tables.ts";
import { requireAiFeatures } from "../workspaces/privacy.ts";
import type { MetadataField } from "./ai-search.ts";
import { EXTRACTED_KEYS, extractedValues, searchDocuments } from "./ai-search.ts";
import { seconds } from "../../kit/view.ts";
import { documentStatus } from "./answers.ts";
import { RETRY_AFTER_S, requireDocxExport, startDocxExport, toDocxExport } from "./downloads.ts";
import * as inputs from "./inputs.ts";
import type { DocumentRow } from "./row.ts";
import { findDocument, requireDocument } from "./row.ts";
import { isAllowedIn, statusWords } from "./status-machine.ts";
import { statusReason } from "./status-reason.ts";
import { progressionOf } from "./transitions.ts";
import { currencyOf, isFilled } from "./view.ts";

export const SUMMARY_TYPES = ["detailed", "short", "headline", "xshort"] as const;
export const CONTENT_FORMATS = ["plaintext", "markdown"] as const;

function insightError(status: 400 | 404, code: string, message: string, why: string): ApiError {
  const kind = status === 404 ? "not_found" : "invalid";
  return new ApiError(kind, message, { status, body: { error: { code, message } }, isExact: true, why });
}

export function requireChoice<const T extends string>(
  name: "type" | "format",
  value: string | undefined,
  choices: readonly T[],
): T {
  if (value === undefined)
    throw insightError(400, `missing_${name}`, `The ${name} query parameter is required.`, `${name} is missing`);
  const choice = choices.find((one) => one === value);
  if (choice === undefined)
    throw insightError(400, `invalid_${name}`, `The ${name} must be one of: ${choices.join(", ")}.`, `${name} is ${value}`);
  return choice;
}

/** Returns undefined while the document is being processed. assumed: insights.failed_document. */
export function findReadableDocument(world: World, id: string): { document: DocumentRow; etag: string } | undefined {
  const document = findDocument(world, id);
  if (!document || document.status === "document.error")
    throw insightError(404, "document_not_found", "The document was not found.", `no readable document ${id} in this workspace`);
  return document.version === null ? undefined : { document, etag: `"v${document.content_date_modified}"` };
}

export function contentOfDocument(document: DocumentRow, format: (typeof CONTENT_FORMATS)[number]): string {
  const blocks = blocksOf(document);
  return format === "markdown" ? toMarkdown(blocks) : toPlainText(blocks);
}

/** assumed: insights.summary_wording. */
export function summaryOf(world: World, document: DocumentRow, type: (typeof SUMMARY_TYPES)[number]): string {
  const people = document.recipients.map(displayName).join(", ");
  const total = pricingTotal(document, currencyOf(world, document));
  const headline = document.name;
  if (type === "headline") return headline;
  const xshort = `${headline}${people ? ` for ${people}` : ""}.`;
  if (type === "xshort") return xshort;
  const filled = document.fields.filter(isFilled).length;
  const priced = total.amount === "0" ? "" : ` It comes to ${total.amount} ${total.currency}.`;
  const short = `${xshort} It is ${statusWords(document.status)}.${priced}`;
  if (type === "short") return short;
  const blocks = blocksOf(withPlaceholders(document)).slice(1);
  return `# ${headline}\n\n${short} ${filled} of its ${document.fields.length} fields are filled in.\n\n${toMarkdown(blocks)}`.trim();
}

/** Source: the vendor's skill files: a summary shows the placeholder of an unfilled field as if it were a term. */
function withPlaceholders(document: DocumentRow): DocumentRow {
  const fields = document.fields.map((field) =>
    isFilled(field) || isMarkField(field) || field.type === "checkbox" ? field : { ...field, value: field.placeholder },
  );
  return { ...document, fields };
}

export type Extraction =
  | { status: "ok"; fields: MetadataField[] }
  | { status: "extraction_pending" | "extraction_failed" }
  | { status: "extraction_not_started" };

/** assumed: insights.extraction. */
export function extractionOf(world: World, document: DocumentRow): Extraction {
  if (!isAllowedIn(document.status, "download_protected")) return { status: "extraction_not_started" };
  if (document.internal.pdf_ready) return { status: "ok", fields: extractedValues(world, document) };
  const isFailed = progressionOf(world, "document.pdf").progression === "fail";
  return { status: isFailed ? "extraction_failed" : "extraction_pending" };
}

export function requireExtraction(world: World, id: string): Exclude<Extraction, { status: "extraction_not_started" }> {
  const document = requireDocument(world, id);
  const extraction = extractionOf(world, document);
  if (extraction.status !== "extraction_not_started") return extraction;
  const description = "Likely, your document is not yet completed.";
  throw new ApiError("conflict", description, {
    body: { code: "not_started", description },
    isExact: true,
    why: statusReason(document, "extract data", "download_protected"),
  });
}

export function batchExtractions(world: World, ids: readonly string[], keys: readonly string[] | undefined, retry_after: number) {
  // Source: the official description: unknown keys are silently ignored.
  for (const [i, key] of (keys ?? []).entries())
    if (!EXTRACTED_KEYS.includes(key))
      world.remark({
        kind: "doubtful_value",
        message: `docdouble extracts no value "${key}", so the service may ignore it`,
        fix: fixOf("key", key, EXTRACTED_KEYS),
        pointer: `/field_keys/${i}`,
      });
  return ids.map((document_id) => {
    const document = findDocument(world, document_id);
    if (!document) return { document_id, status: "not_found" as const, description: "Document not found." };
    const extraction = extractionOf(world, document);
    switch (extraction.status) {
      case "ok": {
        const results = extraction.fields.filter((field) => keys === undefined || keys.includes(field.key));
        return { document_id, status: "ok" as const, ai_metadata: { count: results.length, results } };
      }
      case "extraction_pending":
        return { document_id, status: extraction.status, retry_after, description: PENDING };
      case "extraction_failed":
        return {
          document_id,
          status: extraction.status,
          description: "We couldn't extract data for this document. Contact support.",
        };
      default:
        return {
          document_id,
          status: "extraction_not_started" as const,
          description: "Likely, the document is not yet completed.",
        };
    }
  });
}

export const PENDING = "Result is being generated. You can try later.";

const exportStatus = () => z.enum(["created", "processing", "done", "error"]);

export const docxTask = lazy(() => z.strictObject({ id: z.string(), document_id: z.string(), status: exportStatus() }));

export const docxTaskState = lazy(() =>
  z.strictObject({
    id: z.string(),
    document_id: z.string(),
    status: exportStatus(),
    docx_items: z.array(z.strictObject({ section_title: z.string().nullable(), url: z.string().nullable() })),
  }),
);

export const summary = lazy(() => z.strictObject({ type: z.string(), summary: z.string() }));
export const content = lazy(() => z.strictObject({ format: z.string(), content: z.string() }));

export const metadata = lazy(() =>
  z.strictObject({
    count: z.number().int(),
    results: z.array(
      z.strictObject({
        id: z.string(),
        key: z.string(),
        field_type: z.string(),
        settings: z.record(z.string(), z.unknown()),
        value: z.strictObject({ value: z.string(), acceptance_status: z.enum(["pending", "accepted"]) }).nullable(),
      }),
    ),
  }),
);

export const pending = lazy(() => z.strictObject({ code: z.literal("extraction_pending"), description: z.string() }));

const outcome = <const S extends string>(status: S) =>
  z.strictObject({ document_id: z.string(), status: z.literal(status), description: z.string() });

export const batch = lazy(() =>
  z.strictObject({
    count: z.number().int(),
    results: z.array(
      z.union([
        z.strictObject({ document_id: z.string(), status: z.literal("ok"), ai_metadata: metadata() }),
        outcome("extraction_pending").extend({ retry_after: z.number().int() }),
        outcome("extraction_failed"),
        outcome("extraction_not_started"),
        outcome("not_found"),
      ]),
    ),
  }),
);

export const searchReply = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        document_id: z.string(),
        name: z.string(),
        status: documentStatus(),
        date_created: seconds(),
        owner: z.strictObject({ id: z.string(), name: z.string(), email: z.string(), avatar: z.string().nullable() }),
        folder: z.strictObject({ id: z.string(), name: z.string() }),
        extra_fields: z.record(z.string(), z.unknown()),
      }),
    ),
    count: z.number().int(),
    suggestions: z.array(z.strictObject({ text: z.string() })),
    message: z.string(),
    intent: z.array(z.strictObject({ field: z.string(), value: z.string() })),
  }),
);

const RETRY = { "retry-after": String(RETRY_AFTER_S) };

export const betaOperations = [
  operation({
    id: "createExportDocxTask",
    route: "POST /public/beta/documents/{document_id}/docx-export-tasks",
    responses: { 200: docxTask },
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
    responses: { 200: docxTaskState },
    errors: [401, 403, 404, 429],
    limits:
      "The DOCX shows the text of the document in one column, without its layout. It shows the pages of an uploaded PDF as text.",
    handle: ({ params }, world) => ok(toDocxExport(world, requireDocxExport(world, params.document_id, params.task_id))),
  }),
  operation({
    id: "getDocumentSummary",
    route: "GET /public/beta/documents/{document_id}/summary",
    query: inputs.summaryQuery,
    responses: { 200: summary, 202: null },
    errors: [400, 401, 403, 404, 429],
    limits: "docdouble makes the summary from parts of the document. No language model writes it.",
    handle: ({ params, query }, world) => {
      requireAiFeatures(world);
      const type = requireChoice("type", query.type, SUMMARY_TYPES);
      const found = findReadableDocument(world, params.document_id);
      if (!found) return { status: 202, headers: RETRY };
      const summary = summaryOf(world, found.document, type);
      return { status: 200, body: { type, summary }, headers: { etag: found.etag, vary: "type" } };
    },
  }),
  operation({
    id: "getDocumentContent",
    route: "GET /public/beta/documents/{document_id}/content",
    query: inputs.contentQuery,
    responses: { 200: content, 202: null },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, query }, world) => {
      const format = requireChoice("format", query.format, CONTENT_FORMATS);
      const found = findReadableDocument(world, params.document_id);
      if (!found) return { status: 202, headers: RETRY };
      const content = contentOfDocument(found.document, format);
      return { status: 200, body: { format, content }, headers: { etag: found.etag, vary: "format" } };
    },
  }),
  operation({
    id: "getDocumentAiMetadata",
    route: "GET /public/beta/documents/{document_id}/ai-metadata",
    query: inputs.aiMetadataQuery,
    responses: { 200: metadata, 202: pending, 204: null },
    errors: [401, 403, 404, 409, 429],
    limits:
      "docdouble takes six texts from the document, and checks nine boxes by the words of the document. No language model extracts them.",
    handle: ({ params, query }, world) => {
      requireAiFeatures(world);
      const found = requireExtraction(world, params.document_id);
      if (found.status === "ok") {
        const results = found.fields.slice(query.offset, query.offset + query.limit);
        return ok({ count: found.fields.length, results });
      }
      if (found.status === "extraction_failed") return { status: 204 };
      return { status: 202, body: { code: "extraction_pending", description: PENDING }, headers: RETRY };
    },
  }),
  operation({
    id: "batchGetDocumentAiMetadata",
    route: "POST /public/beta/documents/ai-metadata",
    body: inputs.aiMetadataBatchRequest,
    responses: { 200: batch },
    errors: [400, 401, 403, 429],
    handle: ({ body }, world) => {
      requireAiFeatures(world);
      const results = batchExtractions(world, body.document_ids, body.field_keys, RETRY_AFTER_S);
      return ok({ count: results.length, results });
    },
  }),
  operation({
    id: "searchDocumentsAi",
    route: "GET /public/beta/documents/search",
    query: inputs.searchQuery,
    responses: { 200: searchReply },
    errors: [400, 401, 403, 429, 500, 504],
    limits:
      "docdouble understands statuses, people, folders, months, weeks, quarters and years. It searches for all other words as they are.",
    handle: ({ query }, world) => {
      requireAiFeatures(world);
      return ok(searchDocuments(world, query.q));
    },
  }),
];
