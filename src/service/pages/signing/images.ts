import type { DocumentRow } from "../../nouns/documents/row.ts";

/** A page names an image by its index in this list. */
export function imageUrls(document: DocumentRow): string[] {
  return [...new Set(document.images.flatMap((image) => image.urls))];
}

export function isEmbeddedImage(url: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url);
}
