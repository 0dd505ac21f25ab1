/**
 * The journal as HAR 1.2, which browsers, proxies and other doubles read. Secrets are hidden as in every view of the journal.
 * Source: http://www.softwareishard.com/blog/har-12-spec
 */
import { STATUS_CODES } from "node:http";
import { isoMillis } from "../core/clock.ts";
import type { JournalEntry } from "./journal.ts";
import {
  shownAnswer,
  shownAnswerHeaders,
  shownBody,
  shownHeaders,
  shownQuery,
  shownRequestParts,
  shownUrl,
  shownWhy,
} from "./redacted-call.ts";

export interface HarPair {
  name: string;
  value: string;
}

export type HarParam = HarPair & { fileName?: string; contentType?: string };

/** Members that begin with an underscore are not part of HAR. */
export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: never[];
    headers: HarPair[];
    queryString: HarPair[];
    postData?: { mimeType: string } & ({ text: string } | { params: HarParam[] });
    headersSize: number;
    bodySize: number;
  };
  response: {
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: never[];
    headers: HarPair[];
    content: { size: number; mimeType: string; text?: string };
    redirectURL: string;
    headersSize: number;
    bodySize: number;
  };
  cache: object;
  timings: { send: number; wait: number; receive: number };
  _operation: string | null;
  /** The tool of an agent that made the call. */
  _tool?: string;
  _rule?: string;
  _why?: string;
}

export interface Har {
  log: { version: "1.2"; creator: { name: string; version: string }; entries: HarEntry[] };
}

/** @param entries oldest first. Pages for people are left out: only calls of the service count. */
export function harOf(entries: readonly JournalEntry[], baseUrl: string, version: string): Har {
  const calls = entries.filter((one) => !one.page);
  return { log: { version: "1.2", creator: { name: "docdouble", version }, entries: calls.map((one) => toHar(one, baseUrl)) } };
}

const HTTP = "HTTP/1.1";
/** What the journal keeps of bytes. */
export const BYTES = /^\[(\d+) bytes(?: of [^\]]*)?\]$/;

function toHar(entry: JournalEntry, baseUrl: string): HarEntry {
  // A client whose connection broke has no status, whatever the operation answered.
  const status = entry.networkFault !== undefined && entry.networkFault !== "slow" ? 0 : (entry.status ?? 0);
  const why = shownWhy(entry);
  return {
    startedDateTime: isoMillis(entry.at),
    time: entry.took_ms,
    request: requestOf(entry, baseUrl),
    response: responseOf(entry, status),
    cache: {},
    timings: { send: 0, wait: entry.took_ms, receive: 0 },
    _operation: entry.operationId ?? null,
    ...(entry.tool === undefined ? {} : { _tool: entry.tool }),
    ...(entry.rule === undefined ? {} : { _rule: entry.rule }),
    ...(why === undefined ? {} : { _why: why }),
  };
}

function requestOf(entry: JournalEntry, baseUrl: string): HarEntry["request"] {
  const text = shownBody(entry);
  const size = sizeOf(text);
  const mimeType = entry.headers["content-type"] ?? "";
  return {
    method: entry.method,
    url: new URL(baseUrl).origin + shownUrl(entry),
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(shownHeaders(entry)),
    queryString: shownQuery(entry).flatMap(([name, values]) => values.map((value) => ({ name, value }))),
    ...(text === "" ? {} : { postData: { mimeType, ...postDataOf(entry, text) } }),
    headersSize: -1,
    bodySize: size,
  };
}

/** Source: HAR 1.2: `params` and `text` exclude each other. */
function postDataOf(entry: JournalEntry, text: string): { text: string } | { params: HarParam[] } {
  if (entry.parts)
    return {
      params: shownRequestParts(entry).map(({ name, filename, type, text: value = "" }) =>
        filename === undefined ? { name, value } : { name, value, fileName: filename, contentType: type },
      ),
    };
  if (/^application\/x-www-form-urlencoded\b/i.test(entry.headers["content-type"] ?? ""))
    return { params: [...new URLSearchParams(text)].map(([name, value]) => ({ name, value })) };
  return { text: BYTES.test(text) ? "" : text };
}

function responseOf(entry: JournalEntry, status: number): HarEntry["response"] {
  const isBroken = status === 0;
  const headers = isBroken ? {} : shownAnswerHeaders(entry);
  const text = isBroken ? "" : shownAnswer(entry);
  const size = sizeOf(text);
  return {
    status,
    statusText: STATUS_CODES[status] ?? "",
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(headers),
    content: {
      size,
      mimeType: headers["content-type"] ?? "x-unknown",
      ...(text === "" || BYTES.test(text) ? {} : { text }),
    },
    redirectURL: headers.location ?? "",
    headersSize: -1,
    bodySize: isBroken ? -1 : size,
  };
}

function sizeOf(text: string): number {
  const [, bytes] = BYTES.exec(text) ?? [];
  return bytes === undefined ? Buffer.byteLength(text) : Number(bytes);
}

function pairsOf(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
