import { own } from "../../engine/core/maps.ts";
import { downloadSparingly } from "../../engine/jobs/spared-download.ts";
import { blankPng } from "../files/stand-in.ts";
import { pdfAsset, readPublished } from "../files/pdf-assets.ts";
import type { AddressPolicy } from "../../engine/jobs/address-policy.ts";
import { imageTypeOf } from "../files/images.ts";

const MODULES: Readonly<Record<string, string>> = {
  "pdf.mjs": "legacy/build/pdf.min.mjs",
  "pdf.worker.mjs": "legacy/build/pdf.worker.min.mjs",
};

export async function sendAsset(name: string): Promise<Response | undefined> {
  const path = own(MODULES, name);
  const bytes = path === undefined ? await pdfAsset(name) : await readPublished(name, path);
  if (!bytes) return undefined;
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": path === undefined ? type : "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
      // The worker compiles WebAssembly to decode some images.
      "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    },
  });
}

/** assumed: download.page_images. */
const IMAGE_LIMITS = { bytes: 10 * 1024 * 1024, timeout_ms: 10_000, standIn: blankPng };

export async function sendImage(url: string, addressPolicy: AddressPolicy): Promise<Response | undefined> {
  const bytes = await downloadSparingly(url, addressPolicy, IMAGE_LIMITS).catch(() => undefined);
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
