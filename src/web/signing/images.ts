/** The images of a document that its pages may show: common types only, and only from this server. */
import type { DocumentRow } from "../../domain/document-model/rows.ts";

/** All image addresses in order. A page names an image by its index. */
export function imageUrls(document: DocumentRow): string[] {
  return [...new Set(document.images.flatMap((image) => image.urls))];
}

export function isShownAsIs(url: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url);
}

/** The first bytes of each type in hexadecimal; a dot is any digit. */
const BEGINNINGS: readonly (readonly [type: string, beginning: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^474946383[79]61/],
  ["image/webp", /^52494646.{8}57454250/],
];

/** The type by content; the Content-Type of a server is ignored. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const digits = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return BEGINNINGS.find(([, beginning]) => beginning.test(digits))?.[0];
}
