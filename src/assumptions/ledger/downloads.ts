/** Records about downloads, exports and attachments. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const downloads: readonly AssumptionRecord[] = [
  assumption("attachments.default_name", {
    statement: "An attachment by URL without a name takes the last part of the URL.",
    operations: ["createDocumentAttachment"],
    probeable: true,
  }),
  assumption("attachments.download_status", {
    statement: "An attachment answers 409 while its file is fetched, and 404 when the fetch failed.",
    operations: ["downloadDocumentAttachment"],
    probeable: true,
  }),
  assumption("attachments.fetch_duration", {
    statement: "The file of an attachment by URL is fetched within a few seconds.",
    operations: ["createDocumentAttachment"],
    probeable: true,
  }),
  assumption("download.block_order", {
    statement: "The PDF shows the parts of a template one after another, because the layout of a template is unknown.",
    operations: ["downloadDocument"],
    probeable: true,
  }),
  assumption("download.certificate_wording", {
    statement: "The certificate page has docdouble's wording.",
    operations: ["downloadDocument"],
    probeable: true,
  }),
  assumption("download.failed_file", {
    statement: "A download whose file cannot be made answers 409.",
    operations: ["downloadDocument"],
    probeable: REASONS.strain,
  }),
  assumption("download.file_name", {
    statement: "Content-Disposition carries an ASCII name, and the full name as RFC 6266 describes.",
    operations: ["downloadDocument"],
    probeable: true,
  }),
  assumption("download.invalid_watermark", {
    statement: "An invalid watermark parameter answers 400.",
    operations: ["downloadDocument"],
    probeable: true,
    sources: [{ kind: "description", text: "Download declares 400." }],
  }),
  assumption("download.narrow_columns", {
    statement: "Columns that are too narrow for a word become lines.",
    operations: ["downloadDocument"],
    probeable: REASONS.hidden,
  }),
  assumption("download.page_images", {
    statement: "An image on a page has limits of size and time.",
    probeable: REASONS.hidden,
  }),
  assumption("download.signature_font", {
    statement: "A typed signature uses upright letters where the slanted ones lack some.",
    operations: ["downloadDocument"],
    probeable: REASONS.hidden,
  }),
  assumption("download.slow_draft", {
    statement: "A download whose file takes long answers 202, also in draft.",
    operations: ["downloadDocument"],
    probeable: REASONS.strain,
    sources: [{ kind: "description", text: "The description has 202 for completed documents." }],
  }),
  assumption("download.unfinished_file", {
    statement: "A linked file that is being made answers like a PDF that is being made.",
    probeable: REASONS.hidden,
  }),
  assumption("download.watermark", {
    statement: "A watermark has a default colour, size and opacity. A sandbox key adds the text SANDBOX.",
    operations: ["downloadDocument"],
    probeable: true,
  }),
  assumption("export.duration", {
    statement: "Each step of a DOCX export takes two seconds.",
    operations: ["createExportDocxTask", "getDocxExportTask"],
    probeable: true,
    sources: [{ kind: "description", text: "The description speaks of a few minutes." }],
  }),
  assumption("export.wrong_status", {
    statement: "An export in a wrong status answers 400.",
    operations: ["createExportDocxTask"],
    probeable: true,
    sources: [{ kind: "description", text: "The operation declares no 409." }],
  }),
];
