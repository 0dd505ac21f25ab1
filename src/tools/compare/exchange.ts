import { isDeep, JSON_DEPTH_MAX, parseLeniently } from "../../engine/core/text.ts";

export type HeaderMap = Readonly<Record<string, string>>;

export interface CallRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderMap;
  readonly body: Buffer;
}

export interface CallAnswer {
  /** 0 when the connection ends without an answer. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
  readonly failure?: string;
  /** Members that are absent here may be present in the service. */
  readonly isPartial?: boolean;
}

export const NO_BODY: Buffer = Buffer.alloc(0);

export function mediaType(headers: HeaderMap): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

export function isJson(headers: HeaderMap): boolean {
  return /[/+]json$/.test(mediaType(headers));
}

export function jsonOf({ headers, body }: { headers: HeaderMap; body: Buffer }): unknown {
  return isJson(headers) ? parseJson(body.toString("utf8")) : undefined;
}

/** Undefined also for JSON that is nested too deep to walk through. */
export function parseJson(text: string, depthMax: number = JSON_DEPTH_MAX): unknown {
  return isDeep(text, depthMax) ? undefined : parseLeniently(text);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True while the service still works on the thing. */
export function isInProgress(value: unknown): boolean {
  if (!isObject(value) || typeof value.status !== "string") return false;
  return /(?:^|\.)(?:uploaded|processing|pending|in_progress|created)$/i.test(value.status);
}

/** Headers of one connection. Without `accept-encoding`, bodies arrive uncompressed. */
const OF_CONNECTION = new Set([
  ..."host connection keep-alive proxy-connection transfer-encoding te trailer upgrade expect content-length accept-encoding".split(
    " ",
  ),
]);

export function withoutConnection(headers: HeaderMap): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}

interface RawPart {
  name: string;
  filename?: string;
  type: string;
  bytes: Buffer;
}

export function partsOf(headers: HeaderMap, body: Buffer): RawPart[] | undefined {
  const boundary = /boundary="?([^";]+)"?/i.exec(headers["content-type"] ?? "")?.[1];
  if (!mediaType(headers).startsWith("multipart/") || boundary === undefined) return undefined;
  return body
    .toString("latin1")
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf("\r\n\r\n");
      const head = Buffer.from(part.slice(0, end), "latin1").toString("utf8");
      const filename = /filename\*?="?([^"\r\n]*)/i.exec(head)?.[1];
      return {
        name: /[; ]name="([^"]*)"/i.exec(head)?.[1] ?? "",
        ...(filename === undefined ? {} : { filename }),
        type: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? "text/plain",
        bytes: Buffer.from(part.slice(end + 4).replace(/\r\n$/, ""), "latin1"),
      };
    });
}
