import { FileError } from "../../files/limits.ts";
import type { PdfContent } from "../../files/pdf.ts";
import { boxOfText, type PageText } from "../../files/pdf-text.ts";
import { checkTags, type FieldTag, placeTags, requireFewTags, stackTags, tagsIn, usableTags, withoutTags } from "./field-tags.ts";
import { CreationFailure } from "./pdf-fields.ts";
import { BROKEN, uploadFailure } from "./source-failures.ts";
import type { World } from "../../model/world.ts";
import type { ContentPage, FieldLayout, FieldRow } from "../../model/content/rows.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import type { FieldInput } from "../../model/content/inputs.ts";

export type FileContent = { pdf: PdfContent; texts: readonly PageText[] } | { text: string };

/** @throws CreationFailure, or FileError when the tenant was stopped */
export async function readContent(world: World, bytes: Uint8Array, readsTags: boolean, type = ""): Promise<FileContent> {
  const content = await world.files.run("read", bytes).catch((error: unknown) => {
    throw readFailure(error, type);
  });
  if (content.kind === "text") return { text: content.text };
  if (content.texts === null && readsTags)
    throw new CreationFailure(
      "processing",
      "Error occurred while parsing PDF field tags. Please try PDF flattening or reach out to support",
    );
  return { pdf: content.pdf, texts: content.texts ?? [] };
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
  readsTags: boolean,
): Promise<{ bytes: Uint8Array; content: FileContent }> {
  const file = world.store.files.get(file_id);
  const bytes = Buffer.from(file?.base64 ?? "", "base64");
  return { bytes, content: await readContent(world, bytes, readsTags, file?.type) };
}

export function pagesOf(pdf: PdfContent, texts: readonly PageText[], keepsTags: boolean): ContentPage[] {
  return pdf.pages.map((page, i) => {
    const text = texts[i]?.text ?? "";
    return { ...page, text: (keepsTags ? text : withoutTags(text)).trim() };
  });
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
): FieldRow[] {
  const found =
    "text" in content
      ? stackTags(tagsIn(content.text))
      : content.texts.flatMap((page, number) => tagsIn(page.text).map((tag) => ({ tag, layout: layoutOf(page, number, tag) })));
  requireFewTags(found.length);
  const usable = usableTags(world, found, fields);
  checkTags(
    usable.map(({ tag }) => tag),
    people,
  );
  return placeTags(world, usable, fields, people);
}

/** Places a field over its tag. assumed: field_tags.height. */
function layoutOf(page: PageText, number: number, tag: FieldTag): FieldLayout {
  const run = boxOfText(page, tag.index, tag.length);
  const height = Math.max(16, Math.round(run?.height ?? 0));
  return {
    page: number,
    position: { offset_x: Math.max(0, run?.x ?? 0), offset_y: Math.max(0, run?.y ?? 0), anchor_point: "topleft" },
    style: { width: Math.round(Math.max(20, run?.width ?? 0)), height },
  };
}
