/** The tools that only read. */
import * as z from "zod";
import { parseInstant } from "../../../../engine/core/clock.ts";
import { DAY_MS, LATEST } from "../../../../engine/core/time-limits.ts";
import { statusOf } from "../../../nouns/documents/status-machine.ts";
import { shownStatus, statusInput, withStatusName } from "../statuses.ts";
import { documentId, id, type OperationAnswer, optional, type Tool, tool, type ToolContext } from "../tool.ts";

const page = () => optional(z.number().int().min(1), "The page of the list, from 1.");
const count = () => optional(z.number().int().min(1).max(100), "How many entries a page has, at most 100.");
const flag = (description: string) => optional(z.boolean(), description);
const text = (description: string) => optional(z.string(), description);
const moment = (what: string) => text(`${what}, as an ISO 8601 date or instant.`);

const RENDERING = ({ status, retry_after }: OperationAnswer) => (status === 202 ? { retry_after: retry_after ?? 1 } : undefined);

/** Source: captured at the live server: a draft has no values, and the call still succeeds. */
function notStarted({ status, body }: OperationAnswer): object | undefined {
  const { code, description } = (body ?? {}) as { code?: unknown; description?: unknown };
  return status === 409 && code === "not_started" ? { code, description } : undefined;
}

interface Listed {
  id: string;
  status: string;
  [member: string]: unknown;
}

const LISTED = ["id", "name", "status", "date_created", "date_modified", "date_completed", "expiration_date", "version"] as const;

function toListed(row: Listed, { documentUrl }: ToolContext) {
  const shown = Object.fromEntries(LISTED.filter((name) => name in row).map((name) => [name, row[name]]));
  return { ...shown, status: shownStatus(row.status), document_url: documentUrl(row.id) };
}

const DATE_COLUMNS = ["signature_date", "effective_date", "date_expiration"] as const;
const SEARCH_PAGE = 20;

const searchInput = z.strictObject({
  query: z.string().trim().min(1).describe("Words to search for in names, content, people and tags."),
  status: optional(z.array(statusInput()), "Only documents in one of these statuses."),
  date_filter_column: optional(z.enum(DATE_COLUMNS), "The date that from_date and to_date limit. Default: signature_date."),
  from_date: optional(z.iso.date().or(z.iso.datetime({ offset: true })), "The first day or instant."),
  to_date: optional(z.iso.date().or(z.iso.datetime({ offset: true })), "The last day or instant."),
  page: page(),
  count: count(),
});
type SearchInput = z.output<typeof searchInput>;

interface Hit {
  document_id: string;
  name: string;
  status: string;
  date_created: string;
  extra_fields: {
    date_modified: string;
    date_completed: string | null;
    date_expiration: string | null;
    recipients: { date_signed: string | null }[];
  };
}

/** assumed: mcp.search_dates. */
function datesOf({ extra_fields }: Hit, column: (typeof DATE_COLUMNS)[number]): (string | null)[] {
  const { date_completed, date_expiration, recipients } = extra_fields;
  if (column === "date_expiration") return [date_expiration];
  // Source: the vendor's skill files: this window also finds documents that were completed by hand.
  return column === "effective_date" ? [date_completed] : [date_completed, ...recipients.map((one) => one.date_signed)];
}

/** A day includes all its instants. */
function isWithin(text: string | null, from: string | undefined, to: string | undefined): boolean {
  const at = text === null ? undefined : parseInstant(text);
  if (at === undefined) return false;
  const end = to === undefined ? LATEST : (parseInstant(to) ?? LATEST) + (DAY.test(to) ? DAY_MS - 1 : 0);
  return at >= (from === undefined ? 0 : (parseInstant(from) ?? 0)) && at <= end;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function foundBy({ results }: { results: Hit[] }, input: SearchInput): Hit[] {
  const { status, from_date, to_date, date_filter_column = "signature_date" } = input;
  const statuses = status?.map(statusOf);
  const isDated = from_date !== undefined || to_date !== undefined;
  return results.filter(
    (hit) =>
      (statuses === undefined || statuses.some((one) => one === hit.status)) &&
      (!isDated || datesOf(hit, date_filter_column).some((date) => isWithin(date, from_date, to_date))),
  );
}

/** One entry of a batch says its state in the words of the tool for one document. */
function toExtraction({ status, ...entry }: { status: string; [member: string]: unknown }) {
  const code = { extraction_not_started: "not_started", extraction_failed: "failed" }[status] ?? status;
  return status === "ok" ? { ...entry, status } : { ...entry, status, code };
}

export const readingTools: readonly Tool[] = [
  tool({
    name: "templates_list",
    title: "List templates",
    description: "Lists the templates of the workspace. Filters by name, tag and folder.",
    kind: "reads",
    input: z.strictObject({
      q: text("Words of the template's name."),
      tag: text("Only templates with this tag."),
      folder_uuid: text("Only templates in this folder."),
      count: count(),
      page: page(),
      shared: flag("Also templates that others share."),
      deleted: flag("Only deleted templates."),
    }),
    operation: "listTemplates",
    request: (query) => ({ query }),
    result: (body) => body,
  }),
  tool({
    name: "templates_details_get",
    title: "Read a template",
    description: "Reads what a template offers: roles, fields, tokens, pricing tables and placeholders for content.",
    kind: "reads",
    input: z.strictObject({ template_id: id("The id of the template.") }),
    operation: "detailsTemplate",
    request: (input) => ({ params: { id: input.template_id } }),
    result: (body) => body,
  }),
  tool({
    name: "documents_list",
    title: "List documents",
    description: "Lists documents by filters, the newest first. Use documents_search to search in the text of documents.",
    kind: "reads",
    input: z.strictObject({
      count: count(),
      page: page(),
      q: text("A part of the document's name."),
      status: optional(statusInput(), "Only documents in this status."),
      tag: optional(z.array(z.string()), "Only documents with these tags."),
      folder_uuid: text("Only documents in this folder."),
      order_by: text("The order of the list. A leading minus reverses it. Default: -date_created."),
      created_from: moment("Created at this time or later"),
      created_to: moment("Created before this time"),
      completed_from: moment("Completed at this time or later"),
      completed_to: moment("Completed before this time"),
    }),
    operation: "listDocuments",
    // The operation takes one tag. assumed: mcp.list_tags.
    request: ({ order_by = "-date_created", tag, ...query }) => ({ query: { ...query, tag: tag?.[0], order_by } }),
    result({ results }: { results: Listed[] }, { tag = [] }, context) {
      const found = results.filter((row) => tag.length < 2 || tag.every((one) => context.tagsOf(row.id).includes(one)));
      return { results: found.map((row) => toListed(row, context)) };
    },
  }),
  tool({
    name: "documents_search",
    title: "Search in documents",
    description: "Searches names, content, people and tags of documents. A new document may take a moment to be found.",
    kind: "reads",
    input: searchInput,
    operation: "searchDocumentsAi",
    request: ({ query }) => ({ query: { q: query } }),
    result(body: { results: Hit[] }, input, context) {
      const { page: wanted = 1, count: size = SEARCH_PAGE } = input;
      const found = foundBy(body, input);
      const results = found
        .slice((wanted - 1) * size, wanted * size)
        .map(({ document_id, extra_fields, ...hit }) =>
          toListed({ ...hit, ...extra_fields, id: document_id, expiration_date: extra_fields.date_expiration }, context),
        );
      return { total: found.length, has_next_page: found.length > wanted * size, scope: "full", results };
    },
  }),
  tool({
    name: "documents_details_get",
    title: "Read a document",
    description: "Reads the whole structure of a document: recipients, fields with values, tokens, pricing and dates.",
    kind: "reads",
    input: z.strictObject({ document_id: documentId() }),
    operation: "detailsDocument",
    request: (input) => ({ params: { id: input.document_id } }),
    result: (body) => withStatusName(body),
  }),
  tool({
    name: "documents_status_get",
    title: "Read a document's status",
    description: "Reads the status of a document as a whole. Poll it after a creation until the status is Draft.",
    kind: "reads",
    input: z.strictObject({ document_id: documentId() }),
    operation: "statusDocument",
    request: (input) => ({ params: { id: input.document_id } }),
    result: (body) => ({ id: body.id, status: shownStatus(body.status) }),
  }),
  tool({
    name: "documents_content_get",
    title: "Read a document's text",
    description: "Reads the text of a document, never its PDF. An answer with retry_after says to ask again later.",
    kind: "reads",
    input: z.strictObject({
      document_id: documentId(),
      content_format: optional(z.enum(["plaintext", "markdown"]), "The form of the text. Default: markdown."),
    }),
    operation: "getDocumentContent",
    request: ({ document_id, content_format = "markdown" }) => ({ params: { document_id }, query: { format: content_format } }),
    otherwise: RENDERING,
    result: (body) => body,
  }),
  tool({
    name: "documents_summary_get",
    title: "Read a document's summary",
    description: "Reads a summary of a document in Markdown. An answer with retry_after says to ask again later.",
    kind: "reads",
    input: z.strictObject({
      document_id: documentId(),
      summary_type: optional(z.enum(["detailed", "short", "headline"]), "The length of the summary. Default: detailed."),
    }),
    operation: "getDocumentSummary",
    request: ({ document_id, summary_type = "detailed" }) => ({ params: { document_id }, query: { type: summary_type } }),
    otherwise: (answer) => RENDERING(answer) ?? notStarted(answer),
    result: (body) => body,
  }),
  tool({
    name: "documents_metadata_get",
    title: "Read extracted values",
    description: "Reads the values that were extracted from a completed document.",
    kind: "reads",
    input: z.strictObject({
      document_id: documentId(),
      limit: optional(z.number().int().min(1).max(100), "The most values of the answer."),
      offset: optional(z.number().int().min(0), "How many values to skip."),
    }),
    operation: "getDocumentAiMetadata",
    request: ({ document_id, ...query }) => ({ params: { document_id }, query }),
    otherwise(answer) {
      if (answer.status === 202) return { code: "extraction_pending", retry_after: answer.retry_after ?? 1 };
      return answer.status === 204 ? { code: "failed" } : notStarted(answer);
    },
    result: (body) => body,
  }),
  tool({
    name: "documents_metadata_batch_get",
    title: "Read extracted values of many documents",
    description: "Reads the values that were extracted from 1 to 40 completed documents.",
    kind: "reads",
    input: z.strictObject({
      document_ids: z.array(z.string().min(1)).min(1).max(40).describe("The ids of the documents."),
      field_keys: optional(z.array(z.string().min(1)).min(1), "Only the values with these keys."),
    }),
    operation: "batchGetDocumentAiMetadata",
    request: (body) => ({ body }),
    result: ({ results, ...body }: { results: { status: string }[] }) => ({ ...body, results: results.map(toExtraction) }),
  }),
  tool({
    name: "documents_audit_trail_get",
    title: "Read the audit trail",
    description: "Reads who did what with a document, and when.",
    kind: "reads",
    input: z.strictObject({
      document_id: documentId(),
      limit: optional(z.number().int().min(1), "The most entries of the answer."),
      offset: optional(z.number().int().min(0), "How many entries to skip."),
    }),
    operation: "listDocumentAuditTrail",
    request: ({ document_id, ...query }) => ({ params: { document_id }, query }),
    result: (body) => body,
  }),
];
