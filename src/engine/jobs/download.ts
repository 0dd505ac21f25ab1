import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { systemClock } from "../core/clock.ts";
import type { AddressPolicy } from "./address-policy.ts";
import { ask } from "./outgoing-request.ts";

export interface DownloadLimits {
  bytes: number;
  timeout_ms: number;
  types?: readonly string[];
  /** A valid file for an address that may not be asked. */
  standIn(): Uint8Array;
}

export class DownloadTooLarge extends Error {}

export class UnsupportedType extends Error {
  readonly type: string;
  constructor(type: string) {
    super(`content type ${type}`);
    this.type = type;
  }
}

export const UNSTATED_TYPES: readonly string[] = ["application/octet-stream", "binary/octet-stream"];

const REDIRECTS_MAX = 5;

/**
 * The time limit counts from the first connection to the last byte, with all redirects.
 * @throws Error, whose message begins with `status code` when the answer is not a success
 */
export async function download(url: string, addressPolicy: AddressPolicy, limits: DownloadLimits): Promise<Uint8Array> {
  // The file is unknown, so the double continues as if the address had answered.
  if (addressPolicy === "none" && /^https?:/i.test(url)) return limits.standIn();
  const end = systemClock.elapsed() + limits.timeout_ms;
  let target = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const timeout_ms = Math.max(1, Math.ceil(end - systemClock.elapsed()));
    const response = await ask(target, { method: "GET", headers: HEADERS, addressPolicy, timeout_ms });
    const { location } = response.headers;
    const status = response.statusCode ?? 0;
    if (
      status >= 300 &&
      status < 400 &&
      location !== undefined &&
      URL.canParse(location, target.href) &&
      redirects < REDIRECTS_MAX
    ) {
      discard(response);
      target = new URL(location, target);
      continue;
    }
    if (status < 200 || status > 299) {
      discard(response);
      throw new Error(`status code: ${status}`);
    }
    return await read(response, url, limits);
  }
}

const HEADERS = { accept: "*/*", "accept-encoding": "gzip, deflate, br", "user-agent": "docdouble" };

function discard(response: IncomingMessage): void {
  response.on("error", () => {}).destroy();
}

async function read(response: IncomingMessage, url: string, limits: DownloadLimits): Promise<Uint8Array> {
  try {
    const type = response.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
    if (limits.types && !["", ...UNSTATED_TYPES, ...limits.types].includes(type)) throw new UnsupportedType(type);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of plain(response) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limits.bytes) throw new DownloadTooLarge(url);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    discard(response);
  }
}

function plain(response: IncomingMessage): AsyncIterable<unknown> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase();
  const unpack =
    encoding === "gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : undefined;
  return unpack ? pipeline(response, unpack, () => {}) : response;
}
