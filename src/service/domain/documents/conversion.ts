import { type Fetch, type FetchImage, fetchImages, unfetched, withImages } from "../content/images.ts";
import { type FileContent, isStopped, pagesOf, taggedFields, textBlocks } from "../content/file-content.ts";
import { type FieldTag, placeTags, stackTags, tagsIn, withoutTags } from "../content/field-tags.ts";
import { CONVERSION_MS, readSource } from "../content/file-conversion.ts";
import { keepFile } from "../content/files.ts";
import { fire, progressionOf, startStep } from "../lifecycle/transitions.ts";
import { CreationFailure, formFieldsOf, placeFields } from "../content/pdf-fields.ts";
import { assignRecipientTypes } from "../recipients/recipients.ts";
import { BROKEN, GIVEN_UP } from "../content/source-failures.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow, DocumentSource } from "../../model/documents/document.ts";
import { findDocument, requireDocument } from "../document-model/find.ts";

export function startProcessing(world: World, document: DocumentRow): void {
  startStep(world, "convert_document", document, progressionOf(world, "document.processing"), CONVERSION_MS);
}

export function poll(world: World, document: DocumentRow): DocumentRow {
  const processing = progressionOf(world, "document.processing");
  if (document.status !== "document.uploaded" || processing.progression !== "polls") return document;
  const polls = document.internal.polls + 1;
  const polled = world.store.documents.put({ ...document, internal: { ...document.internal, polls } });
  if (polls === processing.times) world.jobs.schedule("convert_document", 0, { document: document.id });
  return polled;
}

export function convert(world: World, id: string, fetchFile: Fetch, fetchImage: FetchImage): undefined | Promise<() => void> {
  const document = findDocument(world, id);
  if (document?.status !== "document.uploaded") return undefined;
  const { source } = document.internal;
  const progression = progressionOf(world, "document.processing");
  if (progression.progression === "fail") {
    failConversion(world, id, "processing", progression.detail ?? BROKEN);
    return undefined;
  }
  if (source.kind === "template") {
    const images = fetchImages(unfetched(document), fetchImage);
    if (images instanceof Promise)
      return images.then((fetched) => () => {
        const current = findDocument(world, id);
        if (current?.status === "document.uploaded") finishConversion(world, withImages(world, current, fetched));
      });
    finishConversion(world, withImages(world, document, images));
    return undefined;
  }
  if (source.kind === "markdown") {
    failing(world, id, () => finishConversion(world, withMarkdown(world, document, source)));
    return undefined;
  }
  return readSource(world, source, fetchFile, true).then(
    (file) => () => {
      const current = findDocument(world, id);
      if (current?.status === "document.uploaded") convertFile(world, current, source, file);
    },
    (error: unknown) => () => {
      if (error instanceof CreationFailure) failConversion(world, id, error.type, error.message);
      else if (!isStopped(error)) throw error;
    },
  );
}

export function giveUpConversion(world: World, id: string): void {
  if (findDocument(world, id)?.status === "document.uploaded") failConversion(world, id, "processing", GIVEN_UP);
}

type UploadSource = Extract<DocumentSource, { kind: "upload" | "url" }>;

type ReadFile = Awaited<ReturnType<typeof readSource>>;

function convertFile(world: World, document: DocumentRow, source: UploadSource, { bytes, content }: ReadFile): void {
  failing(world, document.id, () => {
    const changed = "pdf" in content ? withPdf(world, document, source, content) : withBlocks(world, document, source, content);
    // The document's pages refer to the fetched file, so it stays.
    const original = changed.internal.source;
    const stored: DocumentSource =
      original.kind === "url"
        ? { ...original, file_id: keepFile(world, { name: original.url, type: "application/octet-stream", bytes }) }
        : original;
    const recipients = assignRecipientTypes(document.recipients, changed.fields);
    finishConversion(world, { ...changed, recipients, internal: { ...changed.internal, source: stored } });
  });
}

function failing(world: World, id: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof CreationFailure)) throw error;
    failConversion(world, id, error.type, error.message);
  }
}

/** spec: parse_form_fields reads the form; without it the field tags in the text are read. */
function withPdf(
  world: World,
  document: DocumentRow,
  source: UploadSource,
  file: Extract<FileContent, { pdf: unknown }>,
): DocumentRow {
  const { pdf, texts } = file;
  const fields = source.parse_form_fields
    ? placeFields(world, formFieldsOf(pdf, source, document.recipients), document.recipients)
    : taggedFields(world, file, source.fields, document.recipients);
  return { ...document, fields, pages: pagesOf(pdf, texts, false) };
}

function withBlocks(world: World, document: DocumentRow, source: UploadSource, file: FileContent): DocumentRow {
  return { ...document, fields: taggedFields(world, file, source.fields, document.recipients), texts: textBlocks(file, false) };
}

function withMarkdown(world: World, document: DocumentRow, source: Extract<DocumentSource, { kind: "markdown" }>): DocumentRow {
  const text = Buffer.from(world.store.files.get(source.file_id)?.base64 ?? "", "base64").toString("utf8");
  const tags = tagsIn(text).map((tag) => ({ ...tag, role: mappedRole(source.fields_mapping, tag) ?? tag.role }));
  const fields = placeTags(world, stackTags(tags), {}, document.recipients);
  const recipients = assignRecipientTypes(document.recipients, fields);
  return { ...document, fields, recipients, texts: [{ name: "Text 1", data: withoutTags(text) }] };
}

function mappedRole(mapping: Readonly<Record<string, string[]>>, tag: FieldTag): string | undefined {
  return Object.keys(mapping).find((role) => mapping[role]?.includes(tag.optId));
}

function finishConversion(world: World, document: DocumentRow): void {
  fire(world, { ...document, content_date_modified: world.clock.now() }, "process");
}

export function failConversion(world: World, id: string, type: string, detail: string): DocumentRow {
  const document = requireDocument(world, id);
  const failure = { type, detail };
  return fire(world, { ...document, internal: { ...document.internal, failure } }, "fail", { error: failure });
}
