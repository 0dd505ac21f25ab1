/** The images of a document that its pages may show: common types only, and only from this server. */
import type { DocumentRow } from "../../domain/document-model/rows.ts";

/** All image addresses in order. A page names an image by its index. */
export function imageUrls(document: DocumentRow): string[] {
  return [...new Set(document.images.flatMap((image) => image.urls))];
}

export function isShownAsIs(url: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url);
}
