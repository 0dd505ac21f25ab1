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

export type CassetteBody = undefined | { json: unknown } | { text: string } | { file: CassetteFile } | { form: CassettePart[] };

export interface CassetteFile {
  bytes: number;
  sha256: string;
  type: string;
}

export interface CassettePart {
  name: string;
  filename?: string;
  text?: string;
  json?: unknown;
  file?: CassetteFile;
}

export interface CassetteCall {
  call: string;
  /** Milliseconds since the first call. */
  at: number;
  request: {
    method: string;
    path: string;
    /** `key`: a valid API key. `none`: no credentials. Otherwise the scheme and a disguised token. */
    credentials: string;
    type?: string;
    body?: CassetteBody;
  };
  answer: {
    status: number;
    headers?: HeaderMap;
    body?: CassetteBody;
    partial?: true;
  };
}

export interface CassetteEvent {
  event: string;
  at: number;
  id?: string;
  body: unknown;
}

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
