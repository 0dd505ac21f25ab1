import type { World } from "../../kit/world.ts";
import { namedImage, wordsOf } from "../content/blocks.ts";
import type { FieldTag } from "../content/field-tags.ts";
import { CreationFailure, droppedTags, formFieldsOf, placeFields, placeTags } from "../content/field-tags.ts";
import type { Fetch, FetchImage, FileContent, Reading, TextContent } from "../content/file-content.ts";
import {
  BROKEN,
  GIVEN_UP,
  fetchImages,
  isStopped,
  keepFile,
  layOut,
  pagesOf,
  placedInText,
  placedTags,
  taggedFields,
  textBlocks,
  textContent,
  textPages,
  unfetched,
  withImages,
} from "../content/file-content.ts";
import { CONVERSION_MS, readSource } from "../content/file-conversion.ts";
import type { ContentPage, FieldRow } from "../content/row.ts";
import { assignRecipientTypes } from "../people/recipients.ts";
import type { DocumentRow, DocumentSource } from "./row.ts";
import { findDocument, requireDocument } from "./row.ts";
import { fire, progressionOf, startStep } from "./transitions.ts";

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
  return contentOf(world, document, source, fetchFile).then(
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

async function contentOf(world: World, document: DocumentRow, source: FileSource, fetchFile: Fetch): Promise<ReadFile> {
  const reading = { title: document.name, readsTags: true };
  const { bytes, content } =
    source.kind === "markdown"
      ? await readMarkdown(world, source.file_id, reading)
      : await readSource(world, source, fetchFile, reading);
  if ("pdf" in content) return { bytes, content, pages: pagesOf(content.pdf, content.texts, false) };
  const unsaved = withBlocks(world, document, source, content, () => "");
  // The list of fields at the end of the PDF may need a further page.
  const layout =
    unsaved.fields.length === 0 ? content.layout : await layOut(world, wordsOf({ ...unsaved, pages: [] }, namedImage));
  return { bytes, content, pages: textPages(layout) };
}

async function readMarkdown(world: World, file_id: string, reading: Reading) {
  const bytes = Buffer.from(world.store.files.get(file_id)?.base64 ?? "", "base64");
  return { bytes, content: await textContent(world, { text: bytes.toString("utf8") }, reading) };
}

export function giveUpConversion(world: World, id: string): void {
  if (findDocument(world, id)?.status === "document.uploaded") failConversion(world, id, "processing", GIVEN_UP);
}

type FileSource = Exclude<DocumentSource, { kind: "template" }>;
type UploadSource = Exclude<FileSource, { kind: "markdown" }>;
type MarkdownSource = Extract<FileSource, { kind: "markdown" }>;

interface ReadFile {
  bytes: Uint8Array;
  content: FileContent;
  pages: ContentPage[];
}

function convertFile(world: World, document: DocumentRow, source: FileSource, { bytes, content, pages }: ReadFile): void {
  failing(world, document.id, () => {
    const changed =
      "pdf" in content && source.kind !== "markdown"
        ? { ...document, fields: fieldsOfPdf(world, document, source, content) }
        : withBlocks(world, document, source, content as TextContent, () => world.ids.uuid());
    // The document's pages refer to the fetched file, so it stays.
    const original = changed.internal.source;
    const stored: DocumentSource =
      original.kind === "url"
        ? { ...original, file_id: keepFile(world, { name: original.url, type: "application/octet-stream", bytes }) }
        : original;
    const recipients = assignRecipientTypes(document.recipients, changed.fields);
    const dropped_tags =
      source.kind === "markdown" || source.parse_form_fields
        ? []
        : droppedTags(placedTags(content), source.fields, document.recipients);
    finishConversion(world, { ...changed, pages, recipients, internal: { ...changed.internal, source: stored, dropped_tags } });
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
function fieldsOfPdf(
  world: World,
  { recipients }: DocumentRow,
  source: UploadSource,
  file: Extract<FileContent, { pdf: unknown }>,
): FieldRow[] {
  return source.parse_form_fields
    ? placeFields(world, formFieldsOf(file.pdf, source, recipients), recipients)
    : taggedFields(world, file, source.fields, recipients);
}

/** @throws CreationFailure */
function withBlocks(
  world: World,
  document: DocumentRow,
  source: FileSource,
  file: TextContent,
  newId: () => string,
): DocumentRow {
  const { recipients } = document;
  const fields =
    source.kind === "markdown"
      ? placeTags(newId, mappedTags(source, file), {}, recipients)
      : taggedFields(world, file, source.fields, recipients, newId);
  return { ...document, fields, texts: textBlocks(file, false) };
}

function mappedTags({ fields_mapping }: MarkdownSource, file: TextContent) {
  return placedInText(file).map(({ tag, layout }) => ({
    tag: { ...tag, role: mappedRole(fields_mapping, tag) ?? tag.role },
    layout,
  }));
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
  return fire(world, { ...document, internal: { ...document.internal, failure } }, "fail");
}
