import { isoMillis } from "../../../engine/core/clock.ts";
import { badRequest, credentialsWrong, notFound } from "../../../engine/core/errors.ts";
import { encodeAddress } from "../../../engine/core/text.ts";
import type { Block } from "../../files/blocks.ts";
import type { FileJobs } from "../../files/jobs.ts";
import { FileError } from "../../files/limits.ts";
import type { AppendedPage, Stamp, Watermark } from "../../files/pdf-stamps.ts";
import type { PdfInput } from "../../files/pdf-write.ts";
import { wrongStatus } from "../../kit/errors.ts";
import type { World } from "../../kit/world.ts";
import { fieldText, wordsOf, wordsOutsidePages } from "../content/blocks.ts";
import { imageBlock } from "../content/file-content.ts";
import type { FileRow } from "../content/row.ts";
import { displayName, participantName, signedMember } from "../people/participants.ts";
import type { DownloadQuery } from "./inputs.ts";
import { boxOf, originalPdf, pageSourceOf } from "./pages.ts";
import type { DocumentRow, DocxExportRow } from "./row.ts";
import { requireDocument } from "./row.ts";
import { sectionDocuments } from "./sections.ts";
import { isAllowedIn } from "./status-machine.ts";
import { statusReason } from "./status-reason.ts";
import { progressionOf, requireAllowed } from "./transitions.ts";

/** The files of an export need no key. */

/** Source: the official description. */
const PAGES_MAX = 300;
/** assumed: export.duration. */
const STEP_MS = 2000;

export function startDocxExport(world: World, documentId: string): DocxExportRow {
  const document = requireDocument(world, documentId);
  if (document.version === null)
    // assumed: export.wrong_status.
    throw badRequest("The document is not processed yet", {
      why: statusReason(document, "export the document", "details"),
      assumption: "export.wrong_status",
    });
  if (document.pages.length > PAGES_MAX)
    throw badRequest(`The number of pages more then limit ${PAGES_MAX}`, {
      why: `the document has ${document.pages.length} pages; an export takes at most ${PAGES_MAX}`,
    });
  const { workspace_id } = document;
  const task = world.store.docx_exports.put({ id: world.ids.short(), workspace_id, document_id: document.id, status: "created" });
  world.jobs.schedule("export_docx", STEP_MS, { id: task.id });
  return task;
}

export function stepDocxExport(world: World, id: string): void {
  const task = world.store.docx_exports.get(id);
  if (!task) return;
  if (task.status === "created") {
    world.store.docx_exports.put({ ...task, status: "processing" });
    world.jobs.schedule("export_docx", STEP_MS, { id });
    return;
  }
  const document = world.store.documents.get(task.document_id);
  if (!document || document.internal.deleted_at !== null) {
    world.store.docx_exports.put({ ...task, status: "error" });
    return;
  }
  for (const section of sectionDocuments(world, document)) {
    world.store.docx_files.put({
      id: world.ids.hex(40),
      task_id: id,
      title: section.title,
      blocks: wordsOf(section.document, (image) => imageBlock(world, image)),
      date: world.clock.now(),
    });
  }
  world.store.docx_exports.put({ ...task, status: "done" });
}

export function requireDocxExport(world: World, documentId: string, id: string): DocxExportRow {
  const document = requireDocument(world, documentId);
  const task = world.store.docx_exports.get(id);
  if (task?.document_id !== document.id) throw notFound(`the document has no export task ${id}`);
  return task;
}

export function toDocxExport(world: World, task: DocxExportRow) {
  const files = world.store.docx_files.where("task", task.id);
  return {
    id: task.id,
    document_id: task.document_id,
    status: task.status,
    docx_items: files.map((file) => ({ section_title: file.title, url: `${world.settings.publicUrl}/files/${file.id}` })),
  };
}

export interface Download {
  name: string;
  media: "application/pdf" | "application/zip";
  bytesSoon: () => Promise<Uint8Array | undefined>;
  bytes: () => Promise<Uint8Array>;
}

/** Source: the example of the Retry-After header in the official description. */
export const RETRY_AFTER_S = 5;

export function download(world: World, id: string, input: DownloadQuery): Download | undefined {
  const document = requireDocument(world, id);
  requireAllowed(document, "download");
  const isCompleted = isAllowedIn(document.status, "download_protected");
  if (!isCompleted && world.decide("download.before_completion") === "refused")
    requireAllowed(document, "download_protected", "download the document");
  if (!pollPdf(world, document)) return undefined;
  const isSandbox = world.caller.environment === "sandbox" || document.internal.environment === "sandbox";
  return toFile(world, document, input.separate_files, watermarkOf(input, isSandbox));
}

export function downloadProtected(world: World, id: string, input: Pick<DownloadQuery, "separate_files">): Download | undefined {
  if (world.caller.environment === "sandbox")
    throw credentialsWrong(
      "download-protected needs a production key; this is a sandbox key",
      "Authentication credentials were not provided.",
    );
  const document = requireDocument(world, id);
  requireAllowed(document, "download_protected");
  return pollPdf(world, document) ? toFile(world, document, input.separate_files, undefined) : undefined;
}

function pollPdf(world: World, document: DocumentRow): boolean {
  if (!isAllowedIn(document.status, "download_protected") || document.internal.pdf_ready) return true;
  const progression = progressionOf(world, "document.pdf");
  if (progression.progression === "polls") {
    const polls = document.internal.polls + 1;
    world.store.documents.put({ ...document, internal: { ...document.internal, polls } });
    if (polls === progression.times) world.jobs.schedule("make_pdf", 0, { document: document.id });
  }
  return false;
}

/** assumed: download.watermark. */
function watermarkOf(input: DownloadQuery, isSandbox: boolean): Watermark | undefined {
  const text = input.watermark_text || (isSandbox ? "SANDBOX" : "");
  if (text === "") return undefined;
  return {
    text,
    color: input.watermark_color ?? "#999999",
    size: input.watermark_font_size ?? 48,
    opacity: input.watermark_opacity ?? 0.4,
  };
}

function toFile(world: World, document: DocumentRow, asZip: boolean, watermark: Watermark | undefined): Download {
  if (!asZip) return wholeFile(world, document, watermark);
  const { date } = pdfOf(world, document);
  const files = sectionPdfs(world, document, watermark);
  return toDownload(world, document, `${document.name}.zip`, "write_zip", { files, date });
}

type Written = "write_pdf" | "write_zip";

function toDownload<Job extends Written>(
  world: World,
  document: DocumentRow,
  name: string,
  job: Job,
  input: FileJobs[Job]["input"],
): Download {
  return {
    name,
    media: job === "write_zip" ? "application/zip" : "application/pdf",
    bytes: () => orRefuse(document, world.files.run(job, input)),
    // assumed: download.slow_draft.
    bytesSoon: () =>
      orRefuse<Uint8Array | undefined>(
        document,
        world.clock.mode !== "real" ? world.files.run(job, input) : world.files.runSoon(job, input),
      ),
  };
}

/** assumed: download.failed_file. */
async function orRefuse<T>(document: DocumentRow, file: Promise<T>): Promise<T> {
  try {
    return await file;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const info = `The file of the document cannot be made: ${error.message}`;
    throw wrongStatus(document, info, `${error.message}; docs/look-up/limits.md lists the limits of files`);
  }
}

function wholeFile(world: World, document: DocumentRow, watermark?: Watermark): Download {
  const pdf = { ...pdfOf(world, document), watermark };
  return toDownload(world, document, `${document.name}.pdf`, "write_pdf", pdf);
}

function sectionPdfs(world: World, document: DocumentRow, watermark?: Watermark): { name: string; pdf: PdfInput }[] {
  const sections = sectionDocuments(world, document).map((one) => ({ ...pdfOf(world, one.document, true), watermark }));
  return sections.map((section, i) => ({
    name: `${sections.length > 1 ? `${i + 1} ` : ""}${fileName(section.title)}.pdf`,
    pdf: section,
  }));
}

export function filesOf(world: World, document: DocumentRow): { whole: Download; parts: Download[] } {
  const parts = sectionPdfs(world, document).map(({ name, pdf }) => toDownload(world, document, name, "write_pdf", pdf));
  return { whole: wholeFile(world, document), parts: parts.length > 1 ? parts : [] };
}

function pdfOf(world: World, document: DocumentRow, isSection = false): PdfInput {
  const isFinal = isAllowedIn(document.status, "download_protected");
  const file = originalPdf(world, document);
  const stamps = stampsOf(document);
  const sources = new Map<FileRow, Uint8Array>();
  const bytesOnce = (row: FileRow) => {
    const bytes = sources.get(row) ?? bytesOf(row);
    sources.set(row, bytes);
    return bytes;
  };
  const appended = document.pages.flatMap((page, i): AppendedPage[] => {
    const found = page.file && pageSourceOf(world, document, i);
    if (!found) return [];
    const { file: source, page: number } = found;
    return [{ file: source.id, bytes: bytesOnce(source), page: number, stamps: stamps.filter((one) => one.page === i) }];
  });
  // A section that has pages omits the document's title.
  const write = file || (isSection && appended.length > 0) ? wordsOutsidePages : wordsOf;
  return {
    title: document.name,
    date: document.date_completed ?? document.content_date_modified,
    words: write({ ...document, pages: [] }, (image) => imageBlock(world, image)),
    original: file
      ? { bytes: bytesOnce(file), stamps: stamps.filter(({ page }) => document.pages[page]?.file === undefined) }
      : undefined,
    appended,
    closing: isFinal ? certificate(document) : [],
    isFinal,
  };
}

function bytesOf(file: FileRow): Uint8Array {
  return Buffer.from(file.base64, "base64");
}

function stampsOf(document: DocumentRow): Stamp[] {
  return document.fields.map((field) => ({
    name: field.field_id,
    value: field.type === "checkbox" ? field.value === true : fieldText(field),
    page: field.layout.page,
    box: boxOf(document, field),
  }));
}

/** Last page of a completed document: who signed when. assumed: download.certificate_wording. */
function certificate(document: DocumentRow): Block[] {
  const signed = document.recipients.flatMap((recipient): Block[] => {
    if (recipient.signature_date === null) return [];
    const member = signedMember(recipient);
    const label = member ? `${participantName({ recipient, member })} for ${displayName(recipient)}` : displayName(recipient);
    return [{ kind: "entry", label, value: `signed ${isoMillis(recipient.signature_date)}` }];
  });
  return [
    { kind: "heading", level: 2, text: "Signature certificate" },
    { kind: "entry", label: "Document", value: document.name },
    { kind: "entry", label: "Reference number", value: document.ref_number },
    ...signed,
    ...(document.date_completed === null
      ? []
      : [{ kind: "entry" as const, label: "Completed", value: isoMillis(document.date_completed) }]),
  ];
}

export function fileName(name: string): string {
  return [...name].map((letter) => (letter < " " || '\\/:*?"<>|'.includes(letter) ? "_" : letter)).join("") || "document";
}

/** assumed: download.file_name. */
export function contentDisposition(name: string): string {
  const plain = fileName(name).replace(/[^\x20-\x7e]/g, "_");
  const exact = plain === name ? "" : `; filename*=UTF-8''${encodeAddress(name)}`;
  return `attachment; filename="${plain}"${exact}`;
}
