import { toMarkdown, toPlainText } from "../../files/blocks.ts";
import { ApiError } from "../../../engine/core/errors.ts";
import { isAllowedIn, statusWords } from "../../model/documents/status-machine.ts";
import { statusReason } from "../document-model/status-reason.ts";
import { blocksOf } from "../content/blocks.ts";
import { isMarkField } from "../../model/content/rows.ts";
import { currencyOf, isFilled } from "../document-model/view.ts";
import { progressionOf } from "../lifecycle/transitions.ts";
import { pricingTotal } from "../pricing/pricing-tables.ts";
import { displayName } from "../recipients/recipients.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { fixOf } from "../content/unknown-names.ts";
import { EXTRACTED_KEYS, extractedValues, type MetadataField } from "./extracted-values.ts";
import { findDocument, requireDocument } from "../document-model/find.ts";

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
