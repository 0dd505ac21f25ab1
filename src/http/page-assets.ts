/** What the signing page loads beside itself: the PDF reader of the package, and the images of a document. */
import { download } from "../engine/download.ts";
import { pdfAsset, readPublished } from "../files/pdf-assets.ts";
import type { AddressPolicy } from "../engine/address-policy.ts";
import { imageTypeOf } from "../web/signing/images.ts";

/** The reader itself, by the names that the build gives it. */
const MODULES: Readonly<Record<string, string>> = {
  "pdf.mjs": "legacy/build/pdf.min.mjs",
  "pdf.worker.mjs": "legacy/build/pdf.worker.min.mjs",
};

/** The reader, and what it asks for when a file needs it: maps of characters, decoders of images, symbols. */
export async function sendAsset(name: string): Promise<Response | undefined> {
  const path = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined;
  const bytes = path === undefined ? await pdfAsset(name) : await readPublished(name, path);
  if (!bytes) return undefined;
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": path === undefined ? type : "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
      // Of the worker, whose policy this is: it reads what it is handed, and decodes some images by what it asks for.
      "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    },
  });
}

/** assumed: how large an image of a page may be and how long it may take is not published. */
const IMAGE_LIMITS = { bytes: 10 * 1024 * 1024, timeout_ms: 10_000 };

/** An image fetched for who looks at the document; undefined when it cannot be had or is none. */
export async function sendImage(url: string, reach: AddressPolicy): Promise<Response | undefined> {
  const bytes = await download(url, reach, IMAGE_LIMITS).catch(() => undefined);
  const type = bytes && imageTypeOf(bytes);
  if (!bytes || type === undefined) return undefined;
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": type,
      "cache-control": "private, max-age=300",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
}
