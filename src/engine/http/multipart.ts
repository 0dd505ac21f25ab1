/** Parses multipart bodies by RFC 7578 and 2046. Boundaries have 1 to 70 characters, because clients choose shorter ones than browsers. */
import { type ApiError, malformed } from "../core/errors.ts";

export const PARTS_MAX = 1000;
const PART_HEADER_BYTES_MAX = 16 * 1024;

export interface Part {
  name: string;
  filename: string | undefined;
  type: string;
  bytes: Buffer;
}

/** @throws 400, which names the fault. assumed: http.multipart_texts. */
export function readMultipart(contentType: string, body: Uint8Array): Part[] {
  const boundary = parametersOf(contentType).get("boundary");
  if (!boundary || boundary.length > 70)
    throw unreadable("Invalid boundary", "its content type has no boundary of 1 to 70 letters");
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  const parts: Part[] = [];
  const isFirst = bytes.indexOf(delimiter.subarray(2)) === 0;
  let at = isFirst ? delimiter.length - 2 : after(bytes, delimiter, 0);
  while (bytes.toString("latin1", at, at + 2) !== "--") {
    if (parts.length >= PARTS_MAX) throw unreadable("Too many parts", `it has more than ${PARTS_MAX} parts`);
    const start = afterLine(bytes, at);
    const end = bytes.indexOf(delimiter, start - 2);
    if (end < 0) throw unreadable("Invalid boundary or body", "its last boundary is missing");
    parts.push(readPart(bytes.subarray(start, Math.max(start, end))));
    at = end + delimiter.length;
  }
  return parts;
}

function unreadable(reason: string, why: string): ApiError {
  return malformed(`Multipart form parse error - ${reason}`, `the multipart body cannot be read: ${why}`);
}

function after(bytes: Buffer, delimiter: Buffer, from: number): number {
  const at = bytes.indexOf(delimiter, from);
  if (at < 0) throw unreadable("Invalid boundary or body", "the boundary of its content type is not in it");
  return at + delimiter.length;
}

function afterLine(bytes: Buffer, at: number): number {
  let i = at;
  while (bytes[i] === 0x20 || bytes[i] === 0x09) i++;
  if (bytes[i] !== 0x0d || bytes[i + 1] !== 0x0a)
    throw unreadable("Invalid boundary or body", "a boundary is not at the end of its line");
  return i + 2;
}

function readPart(bytes: Buffer): Part {
  const isBare = bytes.indexOf("\r\n") === 0;
  const end = isBare ? 0 : bytes.indexOf("\r\n\r\n");
  if (end < 0 || end > PART_HEADER_BYTES_MAX) throw unreadable("Invalid boundary or body", "the headers of a part have no end");
  const headers = new Map<string, string>();
  for (const line of bytes.toString("utf8", 0, end).split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = parametersOf(headers.get("content-disposition") ?? "");
  const name = disposition.get("name");
  if (name === undefined) throw unreadable("Invalid boundary or body", "a part has no name");
  const content = bytes.subarray(isBare ? 2 : end + 4);
  const isBase64 = headers.get("content-transfer-encoding")?.toLowerCase() === "base64";
  const filename = extended(disposition.get("filename*")) ?? disposition.get("filename");
  return {
    name,
    filename: filename?.replace(/^.*[/\\]/s, "").replace(/\p{Cc}/gu, ""),
    type: headers.get("content-type") ?? (filename === undefined ? "text/plain" : "application/octet-stream"),
    bytes: isBase64 ? Buffer.from(content.toString("latin1"), "base64") : content,
  };
}

function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of header.matchAll(/;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)) {
    const key = (match[1] as string).toLowerCase();
    const value = match[2] === undefined ? (match[3] as string) : unquoted(match[2]);
    if (!found.has(key)) found.set(key, value);
  }
  return found;
}

/** Browsers escape a quote as %22, other clients with a backslash. */
function unquoted(text: string): string {
  return text.replace(/\\(["\\])/g, "$1").replace(/%22/g, '"');
}

function extended(text: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
