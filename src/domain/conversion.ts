/** From what a create request brought to a draft, or to `document.error`: the job that follows each creation. */
import { PdfError, type PdfContent, readPdf } from "../engine/pdf.ts";
import { keepFile } from "./files.ts";
import { findDocument, fire, progressionOf, requireDocument } from "./lifecycle.ts";
import { CreationFailure, formFieldsOf, placeFields } from "./pdf-fields.ts";
import { settleTypes } from "./recipients.ts";
import type { DocumentRow, DocumentSource } from "./tables.ts";
import type { World } from "./world.ts";

/** A read of a document whose step goes on by polls. */
export function poll(world: World, document: DocumentRow): DocumentRow {
  const processing = progressionOf(world, "document.processing");
  if (document.status !== "document.uploaded" || processing.progression !== "polls") return document;
  const polls = document.internal.polls + 1;
  const polled = world.store.documents.put({ ...document, internal: { ...document.internal, polls } });
  if (polls === processing.times) world.jobs.schedule("convert_document", 0, { document: document.id });
  return polled;
}

/** The job that ends the processing: reads the file if there is one, then the draft or the error. */
export function convert(
  world: World,
  id: string,
  fetchFile: (url: string) => Promise<Uint8Array>,
): undefined | Promise<() => void> {
  const document = findDocument(world, id);
  if (document?.status !== "document.uploaded") return undefined;
  const { source } = document.internal;
  const progression = progressionOf(world, "document.processing");
  if (progression.progression === "fail") {
    failConversion(
      world,
      id,
      "processing",
      progression.detail ?? "PDF content hasn't been processed: document is broken or locked",
    );
    return undefined;
  }
  if (source.kind === "template" || source.kind === "markdown") {
    finishConversion(world, document);
    return undefined;
  }
  return readSource(world, source, fetchFile).then(
    (file) => () => {
      const current = findDocument(world, id);
      if (current?.status === "document.uploaded") convertPdf(world, current, source, file);
    },
    (error: unknown) => () => {
      if (error instanceof CreationFailure) failConversion(world, id, error.type, error.message);
      else if (error instanceof PdfError)
        failConversion(world, id, "processing", "PDF content hasn't been processed: document is broken or locked");
      else throw error;
    },
  );
}

const PDF = "application/pdf";

type FileSource = Extract<DocumentSource, { kind: "upload" | "url" }>;

async function readSource(world: World, source: FileSource, fetchFile: (url: string) => Promise<Uint8Array>): Promise<ReadFile> {
  if (source.kind === "upload") {
    const bytes = Buffer.from(world.store.files.get(source.file_id)?.base64 ?? "", "base64");
    return { bytes, content: await readPdf(bytes) };
  }
  try {
    const bytes = await fetchFile(source.url);
    return { bytes, content: await readPdf(bytes) };
  } catch (error) {
    if (error instanceof PdfError) throw error;
    const reason = error instanceof Error && error.message.startsWith("status code") ? ` (${error.message})` : "";
    throw new CreationFailure("source", `Failed to download file from link ${source.url}.${reason}`);
  }
}

interface ReadFile {
  bytes: Uint8Array;
  content: PdfContent;
}

function convertPdf(world: World, document: DocumentRow, source: FileSource, { bytes, content }: ReadFile): void {
  try {
    const fields = source.parse_form_fields
      ? placeFields(world, formFieldsOf(content, source, document.recipients), document.recipients)
      : [];
    const recipients = settleTypes(document.recipients, fields);
    // What was fetched is kept, as its pages are the document's.
    const kept = source.kind === "url" ? { ...source, file_id: keepFile(world, { name: source.url, type: PDF, bytes }) } : source;
    finishConversion(world, {
      ...document,
      fields,
      recipients,
      pages: content.pages,
      internal: { ...document.internal, source: kept },
    });
  } catch (error) {
    if (!(error instanceof CreationFailure)) throw error;
    failConversion(world, document.id, error.type, error.message);
  }
}

function finishConversion(world: World, document: DocumentRow): void {
  fire(world, { ...document, version: "2", content_date_modified: world.clock.now() }, "process");
}

/** spec: processing fails, the document ends in document.error. */
export function failConversion(world: World, id: string, type: string, detail: string): DocumentRow {
  const document = requireDocument(world, id);
  const failure = { type, detail };
  return fire(world, { ...document, internal: { ...document.internal, failure } }, "fail", { error: failure });
}
