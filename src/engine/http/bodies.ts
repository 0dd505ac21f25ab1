import type { IncomingMessage } from "node:http";
import { knownTextOf } from "./library-request.ts";
import { ApiError, malformed, tooLarge } from "../core/errors.ts";

const MIB = 1024 * 1024;
/** Limits of bodies. Source: the service's limits page, see docs/look-up/limits.md. */
export const JSON_BYTES_MAX = 2 * MIB;
export const UPLOAD_BYTES_MAX = 100 * MIB;

export function mayHaveBody(request: Request): boolean {
  return request.method !== "GET" && request.method !== "HEAD";
}

export const FORM_BYTES_MAX = 64 * 1024;
/** Bodies up to this announced size are read at once, which is fast. */
const SMALL_BYTES_MAX = 16 * 1024;

export function checkLength(request: Request, most?: number): void {
  if (!mayHaveBody(request)) return;
  const announced = announcedLength(request);
  // Any type of body may have this length, so the type is not looked up.
  if (most === undefined && announced <= JSON_BYTES_MAX) return;
  const limit = most ?? limitOf(request);
  if (announced > limit) throw overLimit(limit);
}

/** Reads at most `most` bytes. @throws 413 */
export async function readBytes(request: Request, most = limitOf(request)): Promise<Uint8Array> {
  if (!mayHaveBody(request)) return NO_BYTES;
  checkLength(request, most);
  const announced = announcedLength(request);
  if (announced === 0) return NO_BYTES;
  try {
    return announced <= SMALL_BYTES_MAX ? new Uint8Array(await request.arrayBuffer()) : await readAll(request, most);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw malformed(
      "Request body could not be read",
      "the body is incomplete: the connection ended early, or a chunk is malformed",
    );
  }
}

/** Most bodies arrive with the headers. Reading such a body here saves the promises and streams of `readBytes`. */
export function arrivedBody(request: Request, incoming: IncomingMessage | undefined): Uint8Array | string | undefined {
  const announced = announcedLength(request);
  if (announced === 0) return NO_BYTES;
  if (!incoming) return knownTextOf(request);
  if (!incoming.complete || announced > SMALL_BYTES_MAX || incoming.readableLength !== announced) return undefined;
  return incoming.read() as Buffer;
}

function limitOf(request: Request): number {
  return mediaType(request.headers.get("content-type")) === "multipart/form-data" ? UPLOAD_BYTES_MAX : JSON_BYTES_MAX;
}

function announcedLength(request: Request): number {
  return Number(request.headers.get("content-length") ?? Number.NaN);
}

async function readAll(request: Request, most: number): Promise<Uint8Array> {
  if (!request.body) return NO_BYTES;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) throw overLimit(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const NO_BYTES = new Uint8Array();

function overLimit(most: number): ApiError {
  // Source of the text for uploads: the service's changelog. Source of the text for JSON: its limits page.
  return tooLarge(
    most === UPLOAD_BYTES_MAX ? `Attached file is too big. Maximum file size is ${most / MIB} MB` : "Request entity too large",
  );
}

export function mediaType(contentType: string | null | undefined): string {
  if (contentType === "application/json") return contentType;
  return (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
