import { downloadSparingly } from "../../engine/jobs/spared-download.ts";
import { blankPng } from "../files/stand-in.ts";
import type { AddressPolicy } from "../../engine/jobs/address-policy.ts";
import { imageTypeOf } from "../files/images.ts";

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
