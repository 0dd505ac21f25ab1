import { FileError } from "../../files/limits.ts";
import { type Words, wordsOf } from "../../files/block-input.ts";
import type { TextLayout } from "../../files/lay-out.ts";
import type { PdfContent } from "../../files/pdf.ts";
import { boxOfText, type PageText } from "../../files/pdf-text.ts";
import {
  FONT_SIZE,
  hasTag,
  type FieldTag,
  heightOfTag,
  placeTags,
  requireFewTags,
  stackTags,
  tagsIn,
  usableTags,
  withoutTags,
} from "./field-tags.ts";
import { LETTER } from "./content.ts";
import { CreationFailure } from "./pdf-fields.ts";
import { BROKEN, uploadFailure } from "./source-failures.ts";
import type { World } from "../../model/world.ts";
import type { ContentPage, FieldLayout, FieldRow } from "../../model/content/rows.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import type { FieldInput } from "../../model/content/inputs.ts";

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
