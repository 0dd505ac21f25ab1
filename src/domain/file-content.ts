/** What a file of any kind holds, for documents, sections, templates and library items alike: pages of a PDF, or the text of a DOCX or RTF. */
import { type Block, toMarkdown } from "../core/blocks.ts";
import { DocxError, isZip, readDocx } from "../files/docx.ts";
import { PdfError, type PdfContent, readPdf } from "../files/pdf.ts";
import { type PageText, readPdfText } from "../files/pdf-text.ts";
import { isRtf, readRtf } from "../files/rtf.ts";
import { checkTags, type FieldTag, placeTags, stacked, tagsIn, withoutTags } from "./field-tags.ts";
import { CreationFailure } from "./pdf-fields.ts";
import { uploadFailure } from "./source-failures.ts";
import type { ContentPage, FieldInput, FieldLayout, FieldRow, RecipientRow } from "./tables.ts";
import type { World } from "./world.ts";

export type FileContent = { pdf: PdfContent; texts: readonly PageText[] } | { blocks: readonly Block[] };

/** @throws CreationFailure, or an error that `isUnreadable` knows */
export async function readContent(bytes: Uint8Array, readsTags: boolean): Promise<FileContent> {
  if (isZip(bytes)) return { blocks: await readDocx(bytes) };
  if (isRtf(bytes)) return { blocks: readRtf(bytes) };
  const pdf = await readPdf(bytes);
  const texts = await readPdfText(bytes).catch((): PageText[] => {
    if (!readsTags) return [];
    throw new CreationFailure(
      "processing",
      "Error occurred while parsing PDF field tags. Please try PDF flattening or reach out to support",
    );
  });
  return { pdf, texts };
}

/** What a kept file holds. @throws as `readContent` does; of what cannot be read the type that it came with is told */
export async function readKept(
  world: World,
  file_id: string,
  readsTags: boolean,
): Promise<{ bytes: Uint8Array; content: FileContent }> {
  const file = world.store.files.get(file_id);
  const bytes = Buffer.from(file?.base64 ?? "", "base64");
  try {
    return { bytes, content: await readContent(bytes, readsTags) };
  } catch (error) {
    throw (isUnreadable(error) && uploadFailure(file?.type ?? "")) || error;
  }
}

export function isUnreadable(error: unknown): boolean {
  return error instanceof PdfError || error instanceof DocxError;
}

/** The pages of a PDF with their text. */
export function pagesOf(pdf: PdfContent, texts: readonly PageText[], keepsTags: boolean): ContentPage[] {
  return pdf.pages.map((page, i) => {
    const text = texts[i]?.text ?? "";
    return { ...page, text: (keepsTags ? text : withoutTags(text)).trim() };
  });
}

/** The text of a file that has no pages of its own, as a text of what it becomes. */
export function textBlocks(content: FileContent, keepsTags: boolean): { name: string; data: string }[] {
  if (!("blocks" in content)) return [];
  const text = toMarkdown(content.blocks);
  return [{ name: "Text 1", data: keepsTags ? text : withoutTags(text) }];
}

/** The fields that tags in the file's text ask for. @throws CreationFailure when one has no role or is not declared */
export function taggedFields(
  world: World,
  content: FileContent,
  fields: Readonly<Record<string, FieldInput>>,
  people: readonly RecipientRow[],
): FieldRow[] {
  const found =
    "blocks" in content
      ? stacked(tagsIn(toMarkdown(content.blocks)))
      : content.texts.flatMap((page, number) => tagsIn(page.text).map((tag) => ({ tag, layout: layoutOf(page, number, tag) })));
  checkTags(
    found.map(({ tag }) => tag),
    fields,
    people,
  );
  return placeTags(world, found, fields, people);
}

/** A tag's field stands where the tag stood. assumed: it is at least as high as a line to write on. */
function layoutOf(page: PageText, number: number, tag: FieldTag): FieldLayout {
  const run = page.at(tag.index, tag.length);
  const height = Math.max(16, Math.round(run?.height ?? 0));
  return {
    page: number,
    position: { offset_x: Math.max(0, run?.x ?? 0), offset_y: Math.max(0, run?.y ?? 0), anchor_point: "topleft" },
    style: { width: Math.round(Math.max(20, run?.width ?? 0)), height },
  };
}
