import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption } from "./entry.ts";
import { DESCRIPTION_8_8 } from "./sightings.ts";

export const downloads: readonly AssumptionRecord[] = [
  assumption("attachments.default_name", {
    statement: "An attachment by URL without a name gets the last part of the URL as its name.",
    operations: ["createDocumentAttachment"],
  }),
  assumption("attachments.download_status", {
    statement: "An attachment answers 409 while docdouble fetches its file. It answers 404 when this fails.",
    operations: ["downloadDocumentAttachment"],
  }),
  assumption("attachments.fetch_duration", {
    statement: "docdouble fetches the file of an attachment within a few seconds.",
    operations: ["createDocumentAttachment"],
  }),
  assumption("download.block_order", {
    statement: "The PDF shows the parts of a template below each other, because no answer shows the layout of a template.",
    operations: ["downloadDocument"],
  }),
  assumption("download.certificate_wording", {
    statement: "docdouble writes the certificate page in its own words.",
    operations: ["downloadDocument"],
  }),
  assumption("download.failed_file", {
    statement: "If docdouble cannot make the file, the download answers 409.",
    operations: ["downloadDocument"],
  }),
  assumption("download.file_name", {
    statement: "Content-Disposition has an ASCII name, and also the full name in the form of RFC 6266.",
    operations: ["downloadDocument"],
  }),
  assumption("download.invalid_watermark", {
    statement: "An invalid watermark parameter answers 400.",
    operations: ["downloadDocument"],
    sources: [{ kind: "description", text: "The official description lists 400 for a download." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("download.narrow_columns", {
    statement: "If the columns of a table are too narrow for a word, the PDF shows each cell on a separate line.",
    operations: ["downloadDocument"],
  }),
  assumption("download.page_images", {
    statement: "docdouble fetches an image on a page within limits of size and time.",
  }),
  assumption("download.signature_font", {
    statement: "A typed signature has slanted letters. If the slanted font lacks a letter, it has upright letters.",
    operations: ["downloadDocument"],
  }),
  assumption("download.slow_draft", {
    statement: "If docdouble needs long to make the file, the download answers 202, also for a draft.",
    operations: ["downloadDocument"],
    sources: [{ kind: "description", text: "The official description lists 202 for completed documents." }],
  }),
  assumption("download.unfinished_file", {
    statement: "While docdouble makes a linked file, the answer is the same as for a PDF that is not ready.",
  }),
  assumption("download.watermark", {
    statement: "A watermark has a default color, size and opacity. With a sandbox key, docdouble adds the text SANDBOX.",
    operations: ["downloadDocument"],
  }),
  assumption("export.duration", {
    statement: "Each step of a DOCX export takes two seconds.",
    operations: ["createExportDocxTask", "getDocxExportTask"],
    sources: [{ kind: "description", text: "The official description says that this takes a few minutes." }],
  }),
  assumption("export.wrong_status", {
    statement: "An export of a document with the wrong status answers 400.",
    operations: ["createExportDocxTask"],
    sources: [{ kind: "description", text: "The official description lists no 409 for this operation." }],
    seen: [DESCRIPTION_8_8],
  }),
];
