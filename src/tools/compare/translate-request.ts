/** Replaces each tied id of a request, and nothing else. */
import { type CallRequest, isJson, jsonOf, mediaType, parseJson, partsOf } from "./exchange.ts";
import type { Ties } from "./id-map.ts";

const NUMBER_ID = /("(?:[a-z_]+_)?(?:id|uuid)"\s*:\s*)(\d+)/g;

export function translateRequest(request: CallRequest, ties: Ties): CallRequest {
  const [path = "", query] = split(request.target);
  const translated = path.split("/").map((segment) => ties.translateWhole(segment));
  const target = translated.join("/") + (query === undefined ? "" : `?${ties.translate(query)}`);
  return { ...request, target, headers: translateHeaders(request.headers, ties), body: translateBody(request, ties) };
}

function split(target: string): [string, string | undefined] {
  const at = target.indexOf("?");
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}

function translateHeaders(headers: CallRequest["headers"], ties: Ties): CallRequest["headers"] {
  const { authorization } = headers;
  if (authorization === undefined) return headers;
  const [scheme = "", token = ""] = authorization.split(" ", 2);
  return { ...headers, authorization: `${scheme} ${ties.translateWhole(token)}`.trim() };
}

function translateBody({ headers, body }: CallRequest, ties: Ties): Buffer {
  if (body.length === 0) return body;
  if (mediaType(headers).startsWith("multipart/")) return translateParts(headers["content-type"] ?? "", body, ties);
  if (!isJson(headers)) return isText(headers) ? Buffer.from(ties.translate(body.toString("utf8"))) : body;
  const text = ties.translate(body.toString("utf8"));
  return Buffer.from(
    text.replace(NUMBER_ID, (member, start: string, id: string) => {
      const known = ties.doubleOf(id);
      return known === undefined ? member : start + JSON.stringify(known);
    }),
  );
}

function isText(headers: CallRequest["headers"]): boolean {
  return /^(?:text\/|application\/x-www-form-urlencoded)/.test(mediaType(headers));
}

/** Files stay byte for byte. */
function translateParts(contentType: string, body: Buffer, ties: Ties): Buffer {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return body;
  // Latin-1 keeps each byte as one character.
  const parts = body.toString("latin1").split(`--${boundary}`);
  const translated = parts.map((part) => {
    const end = part.indexOf("\r\n\r\n");
    return end < 0 || /filename\*?=/i.test(part.slice(0, end)) ? part : part.slice(0, end) + ties.translate(part.slice(end));
  });
  return Buffer.from(translated.join(`--${boundary}`), "latin1");
}

export function textsOf({ target, headers, body }: CallRequest): string[] {
  const found: string[] = [];
  const [, query] = split(target);
  if (query !== undefined) found.push(...new URLSearchParams(query).values());
  collect(jsonOf({ headers, body }), found);
  for (const { filename, bytes } of partsOf(headers, body) ?? []) {
    if (filename !== undefined) continue;
    const value = bytes.toString("utf8");
    found.push(value);
    collect(parseJson(value), found);
  }
  return found;
}

function collect(value: unknown, found: string[]): void {
  if (typeof value === "string") found.push(value);
  else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) collect(one, found);
}
