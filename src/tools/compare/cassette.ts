import type { output } from "zod";
import { readRegularFile } from "../../engine/core/regular-file.ts";
import { isDeep, JSON_DEPTH_MAX, withoutControls } from "../../engine/core/text.ts";
import { z } from "../../engine/core/zod-parts.ts";
import { SettingsError } from "../../library/errors.ts";
import { blankPdf } from "../../service/service.ts";
import { type CallAnswer, type CallRequest, type HeaderMap, isJson, mediaType, NO_BODY, parseJson } from "./exchange.ts";

export const CASSETTE_VERSION = 1;
/** Stands for the address of the real service. */
export const REAL_ORIGIN = "https://real.example";

export interface CassetteHeader {
  cassette: number;
  by: string;
  source?: string;
  at?: string;
}

const FILE = z.object({ bytes: z.number().int().nonnegative(), sha256: z.string(), type: z.string() });
const PART = z.strictObject({
  name: z.string(),
  filename: z.string().optional(),
  text: z.string().optional(),
  json: z.unknown().optional(),
  file: FILE.optional(),
});
const BODY = z
  .union([
    z.strictObject({ json: z.unknown() }),
    z.strictObject({ text: z.string() }),
    z.strictObject({ file: FILE }),
    z.strictObject({ form: z.array(PART) }),
  ])
  .optional();
/** Milliseconds since the first call. */
const AT = z.number().nonnegative();
const CALL = z.strictObject({
  call: z.string(),
  at: AT,
  request: z.strictObject({
    method: z.string(),
    path: z.string().startsWith("/"),
    /** `key`: a valid API key. `none`: no credentials. Otherwise the scheme and a disguised token. */
    credentials: z.string(),
    type: z.string().optional(),
    body: BODY,
  }),
  answer: z.strictObject({
    status: z.number().int(),
    headers: z.record(z.string(), z.string()).optional(),
    body: BODY,
    partial: z.literal(true).optional(),
  }),
});
const EVENT = z.strictObject({ event: z.string(), at: AT, id: z.string().optional(), body: z.unknown() });

export type CassetteBody = output<typeof BODY>;
export type CassetteFile = output<typeof FILE>;
export type CassetteCall = output<typeof CALL>;
export type CassetteEvent = output<typeof EVENT>;
export type CassetteEntry = CassetteCall | CassetteEvent;

const BOUNDARY = "docdouble-cassette";

export function bytesOf(body: CassetteBody): Buffer {
  if (body === undefined) return NO_BODY;
  if ("json" in body) return Buffer.from(JSON.stringify(body.json));
  if ("text" in body) return Buffer.from(body.text);
  if ("file" in body) return standIn(body.file);
  const parts = body.form.map(({ name, filename, text, json, file }) => {
    const head = `Content-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}`;
    const type = file ? `\r\nContent-Type: ${file.type}` : "";
    const bytes = file ? standIn(file) : Buffer.from(json === undefined ? (text ?? "") : JSON.stringify(json));
    return Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}${type}\r\n\r\n`), bytes, Buffer.from("\r\n")]);
  });
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function standIn({ type, bytes }: CassetteFile): Buffer {
  if (bytes === 0) return NO_BODY;
  if (!/pdf|octet-stream/.test(type)) return Buffer.from("docdouble stand-in");
  return blankPdf();
}

export function requestOf({ request }: CassetteCall, apiKey: string): CallRequest {
  const { method, path, credentials, type, body } = request;
  const isForm = body !== undefined && "form" in body;
  const contentType = isForm
    ? `multipart/form-data; boundary=${BOUNDARY}`
    : (type ?? (body && "json" in body ? "application/json" : undefined));
  const headers = {
    ...(credentials === "none" ? {} : { authorization: credentials === "key" ? `API-Key ${apiKey}` : credentials }),
    ...(contentType === undefined ? {} : { "content-type": contentType }),
  };
  return { method, target: path, headers, body: bytesOf(body) };
}

export function answerOf({ answer: { status, headers = {}, body, partial } }: CassetteCall): CallAnswer {
  const type =
    headers["content-type"] ??
    (body && "json" in body ? "application/json" : body && "file" in body ? body.file.type : undefined);
  return {
    status,
    headers: { ...headers, ...(type === undefined ? {} : { "content-type": type }) },
    body: bytesOf(body),
    ...(partial ? { isPartial: true } : {}),
  };
}

/** Undefined for binary bodies. */
export function readableBody(headers: HeaderMap, body: Buffer): { json: unknown } | { text: string } | undefined {
  const isText = isJson(headers) || /^(?:text\/|application\/x-www-form-urlencoded|application\/xml)/.test(mediaType(headers));
  if (!isText) return undefined;
  const text = body.toString("utf8");
  const json = isJson(headers) ? parseJson(text) : undefined;
  return json === undefined ? { text } : { json };
}

/** The message may quote the file, so it shows control characters as \u. */
export class CassetteError extends SettingsError {
  constructor(message: string) {
    super(withoutControls(message));
  }
}

/** The members of an entry around its body. */
const DEPTH_MAX = JSON_DEPTH_MAX + 10;
/** docdouble's own paths. A cassette holds calls to the service only. */
const OWN_PATH = /^\/+_{2}/;

export interface Cassette {
  header: CassetteHeader;
  entries: CassetteEntry[];
  cut?: string;
}

/** @throws CassetteError */
export function readCassette(file: string): Cassette {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    throw new CassetteError(`${file}: cannot read it: ${(error as NodeJS.ErrnoException).code}.`);
  }
  const [first, ...lines] = text.split("\n");
  const header = headerOf(file, first);
  const end = lines.pop();
  const entries = lines.map((line, i) => entryOf(`${file}:${i + 2}`, line));
  if (end === undefined || end === "") return { header, entries };
  const place = `${file}:${lines.length + 2}`;
  if (!isDeep(end, DEPTH_MAX) && parseJson(end, DEPTH_MAX) === undefined)
    return {
      header,
      entries,
      cut: `${place}: the file ends in the middle of a line. Entries before it, which are replayed: ${entries.length}.`,
    };
  return { header, entries: [...entries, entryOf(place, end)] };
}

function headerOf(file: string, line = ""): CassetteHeader {
  const value = parseJson(line) as CassetteHeader | undefined;
  if (typeof value?.cassette !== "number")
    throw new CassetteError(
      `${file}:1: this is not a cassette: the first line must be {"cassette":${CASSETTE_VERSION},…}. Record one with docdouble compare --record.`,
    );
  if (value.cassette !== CASSETTE_VERSION)
    throw new CassetteError(
      `${file}:1: this is a cassette of version ${value.cassette}, and this docdouble reads version ${CASSETTE_VERSION}. Record it again, or use the docdouble that wrote it (${value.by ?? "unknown"}).`,
    );
  return value;
}

function entryOf(place: string, line: string): CassetteEntry {
  if (isDeep(line, DEPTH_MAX))
    throw new CassetteError(`${place}: the entry is nested deeper than ${DEPTH_MAX} levels. Delete the line, or record again.`);
  const value = parseJson(line, DEPTH_MAX);
  const schema = typeof value === "object" && value !== null && "event" in value ? EVENT : CALL;
  const result = schema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const where = issue?.path.join(".") ?? "";
    throw new CassetteError(
      `${place}: this is not an entry of a cassette${where === "" ? "" : ` (${where}: ${issue?.message})`}. Delete the line, or record again.`,
    );
  }
  if ("call" in result.data && isOwnPath(result.data.request.path))
    throw new CassetteError(
      `${place}: the entry calls docdouble itself (${result.data.request.path}), and a cassette holds calls to the service only. Delete the line.`,
    );
  return result.data;
}

/** In any spelling that leads there. */
function isOwnPath(target: string): boolean {
  const path = URL.canParse(target, "http://cassette.invalid") ? new URL(target, "http://cassette.invalid").pathname : target;
  return [path, target].some((one) => OWN_PATH.test(one.replace(/%5f/gi, "_").replace(/%2f/gi, "/")));
}
