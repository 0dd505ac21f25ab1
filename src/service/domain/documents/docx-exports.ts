/** The files of an export need no key. */
import { badRequest, notFound } from "../../../engine/core/errors.ts";
import { imageBlock } from "../content/images.ts";
import { wordsOf } from "../content/blocks.ts";
import { sectionDocuments } from "../document-model/section-documents.ts";
import type { World } from "../../model/world.ts";
import type { DocxExportRow } from "../../model/documents/rows.ts";
import { requireDocument } from "../document-model/find.ts";
import { statusReason } from "../document-model/status-reason.ts";

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
