/** Reads and parses request bodies: sizes, content types, JSON, multipart and urlencoded. Schemas check them later. */
import { ApiError, malformed, tooLarge, tooManyRequests } from "../core/errors.ts";
import type { Operation, UploadedFile } from "../core/operation.ts";
import { parseJson, requireText } from "./json.ts";
import { type Part, readMultipart } from "./multipart.ts";

const MIB = 1024 * 1024;
/** Bounds on bodies. Source: the service's limits page; see docs/limits.md. */
export const JSON_BYTES_MAX = 2 * MIB;
export const UPLOAD_BYTES_MAX = 100 * MIB;

export function mayHaveBody(request: Request): boolean {
  return request.method !== "GET" && request.method !== "HEAD";
}

/** Limit of forms without a key: token requests, the consent page. */
export const FORM_BYTES_MAX = 64 * 1024;
/** Limit of all bodies that are being read together. */
const READING_BYTES_MAX = 512 * MIB;
/** Bodies up to this announced size are read in one piece, which is fast. */
const SMALL_BYTES_MAX = 16 * 1024;
let reading = 0;

/** Refuses a body by its announced length, before reading. @throws 413 */
export function checkLength(request: Request, most = limitOf(request)): void {
  if (mayHaveBody(request) && announcedLength(request) > most) throw overLimit(most);
}

/** Reads at most `most` bytes. @throws 413, or 429 while all callers together send too much */
export async function readBytes(request: Request, most = limitOf(request)): Promise<Uint8Array> {
  if (!mayHaveBody(request)) return NO_BYTES;
  checkLength(request, most);
  const announced = announcedLength(request);
  if (announced === 0) return NO_BYTES;
  try {
    return announced <= SMALL_BYTES_MAX ? new Uint8Array(await request.arrayBuffer()) : await readAll(request, most);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The client has gone; the error is for the journal.
    throw malformed("Request body could not be read", "the connection ended before the body did, or its chunks were wrong");
  }
}

function limitOf(request: Request): number {
  return mediaType(request.headers.get("content-type")) === "multipart/form-data" ? UPLOAD_BYTES_MAX : JSON_BYTES_MAX;
}

/** NaN without a Content-Length. */
function announcedLength(request: Request): number {
  return Number(request.headers.get("content-length") ?? Number.NaN);
}

/** Reads chunk by chunk and counts the bytes. */
async function readAll(request: Request, most: number): Promise<Uint8Array> {
  if (!request.body) return NO_BYTES;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      reading += chunk.length;
      if (size > most) throw overLimit(most);
      if (reading > READING_BYTES_MAX)
        throw tooManyRequests(
          1,
          `all callers together send more than ${READING_BYTES_MAX / MIB} MiB at one time; repeat the call`,
        );
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    reading -= size;
  }
}

export const NO_BYTES = new Uint8Array();

function overLimit(most: number): ApiError {
  // The text for uploads is from the service's changelog; for JSON its limits page says 413 Request entity too large.
  return tooLarge(
    most === UPLOAD_BYTES_MAX ? `Attached file is too big. Maximum file size is ${most / MIB} MB` : "Request entity too large",
  );
}

export function mediaType(contentType: string | null | undefined): string {
  if (contentType === "application/json") return contentType;
  return (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json$/;

/** Parses the body as the operation declares it. @throws 400 for a wrong content type or a malformed body */
export function parseBody(
  operation: Pick<Operation, "body" | "bodyKind" | "bodyOptional">,
  contentType: string | undefined,
  bytes: Uint8Array,
  /** The text of `bytes`, or its parts, when the caller has parsed them already. */
  known?: string | readonly Part[],
  membersMax?: number,
): unknown {
  if (!operation.body) return undefined;
  const kind = operation.bodyKind ?? "json";
  const text = typeof known === "string" ? known : undefined;
  if (kind === "text") return textOf(bytes);
  const media = mediaType(contentType);
  if (kind === "json") {
    if (bytes.length === 0) return operation.bodyOptional ? {} : undefined;
    if (!JSON_TYPE.test(media)) throw wrongType(media, "application/json");
    return parseJson(text ?? textOf(bytes), bytes, membersMax);
  }
  const wanted = kind === "multipart" ? "multipart/form-data" : "application/x-www-form-urlencoded";
  if (media !== wanted) throw wrongType(media, wanted);
  if (kind === "urlencoded") return Object.fromEntries(new URLSearchParams(textOf(bytes)));
  return partsOf(typeof known === "object" ? known : readMultipart(contentType as string, bytes));
}

function wrongType(media: string, wanted: string): ApiError {
  // assumed: the service's answer is not published; 400 is declared where 415 is not.
  return malformed(`Unsupported media type "${media}" in request.`, `the body must be sent as ${wanted}`);
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** Parts by lower-case name, as clients also write `File` and `Data`. `data` is parsed as JSON. The last part of a name wins. */
function partsOf(sent: readonly Part[]): Record<string, unknown> {
  const parts = Object.create(null) as Record<string, unknown>;
  for (const { name, filename, type, bytes } of sent) {
    const key = name.toLowerCase();
    if (key === "data") parts[key] = parseData(bytes);
    else if (filename !== undefined) parts[key] = { name: filename, type, bytes } satisfies UploadedFile;
    else {
      const text = textOf(bytes);
      requireText(text, [key]);
      parts[key] = text;
    }
  }
  return parts;
}

function parseData(bytes: Uint8Array): unknown {
  try {
    return parseJson(textOf(bytes), bytes);
  } catch (error) {
    const { kind, options } = error as ApiError;
    if (kind !== "malformed") throw error;
    throw new ApiError("invalid", { data: ["Value must be valid JSON."] }, { why: `the data part of the form: ${options.why}` });
  }
}
