import type { World } from "../../kit/world.ts";
import type { ContentPage, FieldRow, FileRow } from "../content/row.ts";
import type { DocumentRow } from "./row.ts";

export function originalPdf(world: World, { internal: { source }, pages }: DocumentRow): FileRow | undefined {
  if (!("file_id" in source) || source.kind === "markdown" || !source.file_id) return undefined;
  // The section with these pages was deleted.
  if (pages.every(isAdded)) return undefined;
  return findPdf(world, source.file_id);
}

function isAdded(page: ContentPage): boolean {
  return page.section !== undefined || page.file !== undefined || page.blocks !== undefined;
}

function findPdf(world: World, id: string): FileRow | undefined {
  const file = world.store.files.get(id);
  return file && isPdf(file.base64) ? file : undefined;
}

interface PageSource {
  file: FileRow;
  page: number;
}

export function pageSourceOf(world: World, document: DocumentRow, index: number): PageSource | undefined {
  const page = document.pages[index];
  if (page?.file) {
    const file = findPdf(world, page.file.id);
    return file && { file, page: page.file.page };
  }
  if (page && isAdded(page)) return undefined;
  const file = originalPdf(world, document);
  return file && { file, page: index };
}

export function pdfsOf(world: World, document: DocumentRow): FileRow[] {
  return [...new Set(document.pages.flatMap((_, i) => pageSourceOf(world, document, i)?.file ?? []))];
}

function isPdf(base64: string): boolean {
  return Buffer.from(base64.slice(0, 1400), "base64").includes("%PDF-");
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** In points from the top left corner of the page. */
export function boxOf(document: DocumentRow, field: FieldRow): Box {
  const { page, position, style } = field.layout;
  const size = document.pages[page] ?? { width: 0, height: 0 };
  const right = position.anchor_point.endsWith("right");
  const bottom = position.anchor_point.startsWith("bottom");
  return {
    x: right ? size.width - position.offset_x - style.width : position.offset_x,
    y: bottom ? size.height - position.offset_y - style.height : position.offset_y,
    ...style,
  };
}
