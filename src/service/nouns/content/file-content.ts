import { AddressRefused } from "../../../engine/jobs/address-policy.ts";
import { DownloadTooLarge, UNSTATED_TYPES, UnsupportedType } from "../../../engine/jobs/download.ts";
import type { Words } from "../../files/block-input.ts";
import { wordsOf } from "../../files/block-input.ts";
import type { Block } from "../../files/blocks.ts";
import { drawableFacts } from "../../files/images.ts";
import type { TextLayout } from "../../files/lay-out.ts";
import { FileError } from "../../files/limits.ts";
import type { PageText } from "../../files/pdf-text.ts";
import { boxOfText } from "../../files/pdf-text.ts";
import type { PdfContent } from "../../files/pdf.ts";
import { text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentRow } from "../documents/row.ts";
import { findDocument } from "../documents/row.ts";
import type { RecipientRow } from "../people/inputs.ts";
import { namedImage } from "./blocks.ts";
import { LETTER } from "./content.ts";
import type { FieldTag } from "./field-tags.ts";
import {
  CreationFailure,
  FONT_SIZE,
  hasTag,
  heightOfTag,
  placeTags,
  requireFewTags,
  stackTags,
  tagsIn,
  usableTags,
  withoutTags,
} from "./field-tags.ts";
import type { ContentPage, FieldInput, FieldLayout, FieldRow, NamedImage } from "./row.ts";

export function keepFile(world: World, file: { name: string; type: string; bytes: Uint8Array }): string {
  const id = world.ids.uuid();
  world.store.files.put({ id, name: file.name, type: file.type, base64: Buffer.from(file.bytes).toString("base64") });
  return id;
}

export const FILE_TYPES = [
  "application/pdf",
  "application/zip",
  "application/msword",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/rtf",
] as const;

function unsupported(type: string): CreationFailure {
  return new CreationFailure("source", `Content type='${type}' is not supported, available types are ${FILE_TYPES.join(", ")}`);
}

export const BROKEN = "PDF content hasn't been processed: document is broken or locked";

/** assumed: content.given_up_text. */
export const GIVEN_UP = "The file was not processed: the server ended twice while it processed the file";

export function uploadFailure(type: string): CreationFailure | undefined {
  const bare = type.split(";")[0]?.trim().toLowerCase() ?? "";
  const isUnstated = bare === "" || UNSTATED_TYPES.includes(bare);
  return isUnstated || (FILE_TYPES as readonly string[]).includes(bare) ? undefined : unsupported(bare);
}

const UNFETCHED = "Failed to download file from link";

export const failureView = view<{ type: string; detail: string }>()({ type: text, detail: text });

/** For people: why processing failed, and what helps. */
export function failureWords({ detail }: { detail: string }): string {
  if (!detail.startsWith(UNFETCHED)) return detail;
  return `${detail} docdouble fetched nothing. Serve the file on this machine, such as at http://127.0.0.1:8000/offer.pdf`;
}

export function sourceFailure(url: string, error: unknown, limit_mb: number): CreationFailure {
  if (error instanceof DownloadTooLarge)
    return new CreationFailure("source", `The maximum file size is exceeded, limit is ${limit_mb} MB`);
  if (error instanceof UnsupportedType) return unsupported(error.type);
  const isPublic = error instanceof AddressRefused || (error instanceof Error && error.message.startsWith("status code"));
  const reason = isPublic ? ` (${error.message})` : "";
  return new CreationFailure("source", `${UNFETCHED} ${url}.${reason}`);
}

export type Fetch = (url: string) => Promise<Uint8Array>;

export interface FetchImage {
  (url: string): Promise<Uint8Array>;
  /** A fetch now would repeat an earlier failure. */
  fails(url: string): boolean;
}

export type Fetched = ReadonlyMap<string, Uint8Array | null>;

export function unfetched({ images }: Pick<DocumentRow, "images">): string[] {
  return [...new Set(images.flatMap((image) => (image.file_id === undefined ? image.urls.slice(0, 1) : [])))];
}

/** Without a promise when no fetch can succeed, because a document then costs as much as one without images. */
export function fetchImages(urls: readonly string[], fetchFile: FetchImage): Fetched | Promise<Fetched> {
  if (urls.every((url) => fetchFile.fails(url))) return new Map(urls.map((url) => [url, null]));
  return fetchAll(urls, fetchFile);
}

async function fetchAll(urls: readonly string[], fetchFile: Fetch): Promise<Fetched> {
  const found = await Promise.all(
    urls.map(async (url): Promise<[string, Uint8Array | null]> => {
      const bytes = await read(url, fetchFile).catch(() => undefined);
      return [url, bytes && drawableFacts(bytes) ? bytes : null];
    }),
  );
  return new Map(found);
}

async function read(url: string, fetchFile: Fetch): Promise<Uint8Array | undefined> {
  const [, base64] = /^data:image\/\w+;base64,([A-Za-z0-9+/=\s]+)$/.exec(url) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  return /^https?:\/\//i.test(url) ? fetchFile(url) : undefined;
}

export function withImages(world: World, document: DocumentRow, fetched: Fetched): DocumentRow {
  const ids = new Map<string, string>();
  const keep = (image: NamedImage): NamedImage => {
    const url = image.urls[0];
    const bytes = url === undefined || image.file_id !== undefined ? undefined : fetched.get(url);
    if (url === undefined || bytes === undefined) return image;
    if (bytes === null) return { ...image, file_id: null };
    const file_id = ids.get(url) ?? keepFile(world, { name: image.name, type: drawableFacts(bytes)?.type ?? "", bytes });
    ids.set(url, file_id);
    return { ...image, file_id };
  };
  return { ...document, images: document.images.map(keep) };
}

export function planImages(world: World, document: DocumentRow): void {
  if (unfetched(document).length > 0) world.jobs.schedule("fetch_images", 0, { document: document.id });
}

export function fetchDocumentImages(world: World, id: string, fetchFile: FetchImage): undefined | Promise<() => void> {
  const document = findDocument(world, id);
  const urls = document ? unfetched(document) : [];
  if (urls.length === 0) return undefined;
  const keep = (fetched: Fetched) => {
    const current = findDocument(world, id);
    if (current) world.store.documents.put(withImages(world, current, fetched));
  };
  const images = fetchImages(urls, fetchFile);
  if (images instanceof Promise) return images.then((fetched) => () => keep(fetched));
  keep(images);
  return undefined;
}

export function giveUpImages(world: World, id: string): void {
  const document = findDocument(world, id);
  if (document) world.store.documents.put(withImages(world, document, new Map(unfetched(document).map((url) => [url, null]))));
}

export function imageBlock(world: World, image: NamedImage): Block[] {
  const file = world.store.files.get(image.file_id ?? "");
  const facts = file && drawableFacts(Buffer.from(file.base64, "base64"));
  return namedImage(image).map((block) =>
    file && facts && block.kind === "entry" ? { ...block, kind: "image", base64: file.base64, ...facts } : block,
  );
}

export type FileContent = { pdf: PdfContent; texts: readonly PageText[] } | TextContent;

/** A DOCX, an RTF or Markdown, on the pages of the PDF that docdouble makes of it. */
export interface TextContent {
  text: string;
  layout: TextLayout;
}

/** A name stands above the text in the PDF. */
export interface Reading {
  title: string;
  readsTags: boolean;
}

/** @throws CreationFailure, or FileError when the tenant was stopped */
export async function readContent(world: World, bytes: Uint8Array, reading: Reading, type = ""): Promise<FileContent> {
  const { readsTags } = reading;
  const content = await world.files.run("read", { bytes, title: reading.title }).catch((error: unknown) => {
    throw readFailure(error, type);
  });
  if (content.kind === "text") return textContent(world, content, reading);
  if (content.texts === null && readsTags)
    throw new CreationFailure(
      "processing",
      "Error occurred while parsing PDF field tags. Please try PDF flattening or reach out to support",
    );
  return { pdf: content.pdf, texts: content.texts ?? [] };
}

/** Only a text with tags needs the places of its words. */
export async function textContent(
  world: World,
  { text, layout }: { text: string; layout?: TextLayout },
  { title, readsTags }: Reading,
): Promise<TextContent> {
  const reads = readsTags && hasTag(text);
  if (layout && !reads) return { text, layout };
  return { text, layout: await layOut(world, wordsOf({ title, text }), reads) };
}

/** A text beyond the limits has one page, because docdouble makes no PDF of it. @throws FileError when the tenant was stopped */
export async function layOut(world: World, words: readonly Words[], reads = false): Promise<TextLayout> {
  return world.files.run("lay_out", { words, reads }).catch((error: unknown) => {
    if (!(error instanceof FileError) || error.fault === "stopped") throw error;
    return { pages: [LETTER], texts: [] };
  });
}

function readFailure(error: unknown, type: string): unknown {
  if (!(error instanceof FileError) || error.fault === "stopped") return error;
  // assumed: content.file_limit_text.
  if (error.fault === "limit") return new CreationFailure("processing", `The file could not be processed: ${error.message}`);
  return uploadFailure(type) ?? new CreationFailure("processing", BROKEN);
}

export function isStopped(error: unknown): boolean {
  return error instanceof FileError && error.fault === "stopped";
}

export async function readStoredFile(
  world: World,
  file_id: string,
  reading: Reading,
): Promise<{ bytes: Uint8Array; content: FileContent }> {
  const file = world.store.files.get(file_id);
  const bytes = Buffer.from(file?.base64 ?? "", "base64");
  return { bytes, content: await readContent(world, bytes, reading, file?.type) };
}

export function pagesOf(pdf: PdfContent, texts: readonly PageText[], keepsTags: boolean): ContentPage[] {
  return pdf.pages.map((page, i) => {
    const text = texts[i]?.text ?? "";
    return { ...page, text: (keepsTags ? text : withoutTags(text)).trim() };
  });
}

export function textPages({ pages }: TextLayout): ContentPage[] {
  return pages.map(({ width, height }) => ({ width, height }));
}

export function textBlocks(content: FileContent, keepsTags: boolean): { name: string; data: string }[] {
  if (!("text" in content)) return [];
  return [{ name: "Text 1", data: keepsTags ? content.text : withoutTags(content.text) }];
}

export function taggedFields(
  world: World,
  content: FileContent,
  fields: Readonly<Record<string, FieldInput>>,
  people: readonly RecipientRow[],
  newId = () => world.ids.uuid(),
): FieldRow[] {
  const found = placedTags(content);
  return placeTags(newId, usableTags(world, found, fields, people), fields, people);
}

/** All tags of a file with their places, also those that make no field. */
export function placedTags(content: FileContent): { tag: FieldTag; layout: FieldLayout }[] {
  const found =
    "text" in content
      ? placedInText(content)
      : content.texts.flatMap((page, number) => tagsIn(page.text).map((tag) => ({ tag, layout: layoutOf(page, number, tag) })));
  requireFewTags(found.length);
  return found;
}

/** The layout lacks a tag that spans lines, so such tags stand below each other on the first page. */
export function placedInText({ text, layout }: TextContent): { tag: FieldTag; layout: FieldLayout }[] {
  const placed = layout.texts.flatMap((page, number) =>
    tagsIn(page.text).map((tag) => ({ tag, layout: layoutOf(page, number, tag) })),
  );
  return stackTags(tagsIn(text)).map((stacked) => {
    const at = placed.findIndex(({ tag }) => isSameTag(tag, stacked.tag));
    return at < 0 ? stacked : { tag: stacked.tag, layout: (placed.splice(at, 1)[0] as (typeof placed)[number]).layout };
  });
}

function isSameTag(a: FieldTag, b: FieldTag): boolean {
  return a.word === b.word && a.role === b.role && a.optId === b.optId && a.required === b.required;
}

/** Places a field over its tag. The size of the font decides the height. assumed: field_tags.height. */
function layoutOf(page: PageText, number: number, tag: FieldTag): FieldLayout {
  const run = boxOfText(page, tag.index, tag.length);
  return {
    page: number,
    position: { offset_x: Math.max(0, run?.x ?? 0), offset_y: Math.max(0, run?.y ?? 0), anchor_point: "topleft" },
    style: { width: Math.round(Math.max(20, run?.width ?? 0)), height: heightOfTag(tag.type, run?.height || FONT_SIZE) },
  };
}
