/** What the signing page loads beside itself: the PDF reader of the package, and the images of a document. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { download } from "../engine/download.ts";
import type { Reach } from "../engine/reach.ts";
import { imageTypeOf } from "../web/images.ts";

/** Served by name. Beside the built package; in this repository where they come from. */
const ASSETS: Readonly<Record<string, string>> = {
  "pdf.mjs": "pdfjs-dist/legacy/build/pdf.min.mjs",
  "pdf.worker.mjs": "pdfjs-dist/legacy/build/pdf.worker.min.mjs",
};

export async function sendAsset(name: string): Promise<Response | undefined> {
  const source = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (source === undefined) return undefined;
  const beside = fileURLToPath(new URL(`./${name}`, import.meta.url));
  const bytes = await readFile(existsSync(beside) ? beside : createRequire(import.meta.url).resolve(source));
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
      // Of the worker, whose policy this is: it reads what it is handed.
      "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'",
    },
  });
}

/** assumed: how large an image of a page may be and how long it may take is not published. */
const IMAGE_LIMITS = { bytes: 10 * 1024 * 1024, timeout_ms: 10_000 };

/** An image fetched for who looks at the document; undefined when it cannot be had or is none. */
export async function sendImage(url: string, reach: Reach): Promise<Response | undefined> {
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
