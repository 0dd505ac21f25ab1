/** The pages of a document: the PDF that they come from, and where its fields lie on them. */
import type { DocumentRow, FieldRow, FileRow } from "./tables.ts";
import type { World } from "./world.ts";

/** The PDF that was uploaded or fetched, for the document or for its template. */
export function originalPdf(world: World, { internal: { source } }: DocumentRow): FileRow | undefined {
  if (!("file_id" in source) || source.kind === "markdown" || !source.file_id) return undefined;
  const file = world.store.files.get(source.file_id);
  return file && isPdf(file.base64) ? file : undefined;
}

export function isPdf(base64: string): boolean {
  return Buffer.from(base64.slice(0, 1400), "base64").includes("%PDF-");
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** In points from the page's top left corner, whatever corner it is anchored to. */
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
