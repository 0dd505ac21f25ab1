/** The images of a document as its pages may show them: no other types, and none by an address of somebody else. */
import type { DocumentRow } from "../../domain/document-model/rows.ts";

/** All addresses in their order; a page names an image by its place among them. */
export function imageUrls(document: DocumentRow): string[] {
  return [...new Set(document.images.flatMap((image) => image.urls))];
}

/** Carries its own bytes. */
export function isShownAsIs(url: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url);
}

/** How files of each type begin, in hexadecimal digits; dots are any. */
const BEGINNINGS: readonly (readonly [type: string, beginning: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^474946383[79]61/],
  ["image/webp", /^52494646.{8}57454250/],
];

/** The type that the bytes themselves tell; what a server calls them counts for nothing. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const digits = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return BEGINNINGS.find(([, beginning]) => beginning.test(digits))?.[0];
}
