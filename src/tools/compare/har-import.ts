/** Reads a HAR of calls to the real service, for a cassette. The cassette's writer cleans the account's words and secrets away. */
import { readFileSync } from "node:fs";
import type { output } from "zod";
import { z } from "../../engine/core/zod-parts.ts";
import { parseInstant } from "../../engine/core/clock.ts";
import { parseLeniently } from "../../engine/core/text.ts";
import { SettingsError } from "../../library/errors.ts";
import { OFFICIAL_HOSTS } from "../../library/kit/hosts.ts";
import { type CallAnswer, type CallRequest, NO_BODY, mediaType } from "./exchange.ts";

export interface HarCall {
  request: CallRequest;
  answer: CallAnswer;
  /** Milliseconds since the first call. */
  at_ms: number;
}

export interface HarCalls {
  origin: string;
  calls: HarCall[];
  /** Calls to other hosts. */
  others: number;
  /** API keys of successful calls. */
  keys: string[];
}

const pairs = z.array(z.looseObject({ name: z.string(), value: z.string().default("") })).default([]);
const schema = z.looseObject({
  log: z.looseObject({
    entries: z.array(
      z.looseObject({
        startedDateTime: z.string(),
        request: z.looseObject({
          method: z.string().regex(/^[A-Z]+$/),
          url: z.url(),
          headers: pairs,
          postData: z
            .looseObject({
              mimeType: z.string().default(""),
              text: z.string().optional(),
              encoding: z.string().optional(),
              params: z
                .array(
                  z.looseObject({
                    name: z.string(),
                    value: z.string().optional(),
                    fileName: z.string().optional(),
                    contentType: z.string().optional(),
                  }),
                )
                .optional(),
            })
            .optional(),
        }),
        response: z.looseObject({
          status: z.number().int().min(-1).max(999),
          headers: pairs,
          content: z
            .looseObject({
              size: z.number().default(0),
              mimeType: z.string().default(""),
              text: z.string().optional(),
              encoding: z.string().optional(),
            })
            .default({ size: 0, mimeType: "" }),
        }),
      }),
    ),
  }),
});

type Entry = output<typeof schema>["log"]["entries"][number];

const SERVICE_PATH = /^\/(?:public|oauth2)\//;
const FILE_BYTES_MAX = 100 * 1024 * 1024;
const BOUNDARY = "docdouble-har";

/** @param real the address of the service. Default: the hosts of PandaDoc. @throws SettingsError */
export function readHar(file: string, real: string | undefined): HarCalls {
  const entries = parsed(file).map((entry) => ({
    entry,
    url: new URL(entry.request.url),
    at: parseInstant(entry.startedDateTime),
  }));
  const isService = ({ url }: { url: URL }) =>
    SERVICE_PATH.test(url.pathname) &&
    (real === undefined ? OFFICIAL_HOSTS.includes(url.hostname) : url.origin === new URL(real).origin);
  const own = entries.filter(isService).sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const [first] = own;
  if (!first) throw new SettingsError(`${file} holds no call to the service (${real ?? OFFICIAL_HOSTS.join(", ")}).`);
  const calls = own.map(({ entry, url, at }) => ({
    request: requestOf(entry, url),
    answer: answerOf(entry),
    at_ms: Math.max(0, (at ?? first.at ?? 0) - (first.at ?? 0)),
  }));
  const valid = calls.filter(({ answer }) => answer.status !== 401).flatMap(({ request }) => keyOf(request) ?? []);
  return { origin: first.url.origin, calls, others: entries.length - own.length, keys: [...new Set(valid)] };
}

function parsed(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
  const result = schema.safeParse(parseLeniently(text.replace(/^\uFEFF/, "")));
  if (result.success) return result.data.log.entries;
  // Values of the file may be secrets, so the message names places only.
  const place = result.error.issues[0]?.path.join(".") ?? "";
  throw new SettingsError(`${file} is not a HAR${place === "" ? "" : `: ${place} is missing or wrong`}.`);
}

export function keyOf({ headers }: CallRequest): string | undefined {
  return /^api-key\s+(\S+)\s*$/i.exec(headers.authorization ?? "")?.[1];
}

function requestOf({ request }: Entry, url: URL): CallRequest {
  const headers = headersOf(request.headers);
  const { postData } = request;
  if (!postData) return { method: request.method, target: url.pathname + url.search, headers, body: NO_BODY };
  const type = headers["content-type"] ?? postData.mimeType;
  const isForm = mediaType({ "content-type": type }) === "multipart/form-data";
  const body = isForm && postData.params ? formOf(postData.params) : bodyOf(postData);
  const sent = isForm && postData.params ? `multipart/form-data; boundary=${BOUNDARY}` : type;
  return {
    method: request.method,
    target: url.pathname + url.search,
    headers: { ...headers, ...(sent === "" ? {} : { "content-type": sent }) },
    body,
  };
}

function formOf(params: NonNullable<NonNullable<Entry["request"]["postData"]>["params"]>): Buffer {
  const parts = params.map(({ name, value = "", fileName, contentType }) => {
    const disposition = `form-data; name="${name.replaceAll('"', "%22")}"${fileName === undefined ? "" : `; filename="${fileName.replaceAll('"', "%22")}"`}`;
    const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
    return `--${BOUNDARY}\r\nContent-Disposition: ${disposition}${type}\r\n\r\n${value}\r\n`;
  });
  return Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`);
}

function answerOf({ response: { status, headers, content } }: Entry): CallAnswer {
  const shown = headersOf(headers);
  const type = shown["content-type"] ?? content.mimeType;
  const hasText = content.text !== undefined;
  // Bytes that the file left out count with their size.
  const size = Math.min(Math.max(0, content.size), FILE_BYTES_MAX);
  const isReadable = /json|text|xml/.test(type);
  const body = hasText ? bodyOf(content) : isReadable ? NO_BODY : Buffer.alloc(size);
  return {
    status: Math.max(0, status),
    headers: { ...shown, ...(type === "" || type === "x-unknown" ? {} : { "content-type": type }) },
    body,
    ...(!hasText && size > 0 && isReadable ? { isPartial: true } : {}),
  };
}

function bodyOf({ text = "", encoding }: { text?: string | undefined; encoding?: string | undefined }): Buffer {
  return encoding === "base64" ? Buffer.from(text, "base64") : Buffer.from(text);
}

/** Pseudo headers of HTTP/2 begin with a colon. */
function headersOf(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(
    list.filter(({ name }) => !name.startsWith(":")).map(({ name, value }) => [name.toLowerCase(), value]),
  );
}
