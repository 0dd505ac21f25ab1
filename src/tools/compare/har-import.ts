/** Reads a HAR of calls to the real service, for a cassette. The cassette's writer cleans the account's words and secrets away. */
import type { output, ZodType } from "zod";
import { z } from "../../engine/core/zod-parts.ts";
import { parseInstant } from "../../engine/core/clock.ts";
import { lazy } from "../../engine/core/operation.ts";
import { readRegularBytes } from "../../engine/core/regular-file.ts";
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
  /** Calls of the service without an answer. */
  unanswered: number;
  /** API keys of successful calls. */
  keys: string[];
}

const pairs = z.array(z.looseObject({ name: z.string(), value: z.string().default("") })).default([]);
const file = z.looseObject({ log: z.looseObject({ entries: z.array(z.unknown()) }) });
/** Of a call to any host. A file of a browser also holds pages and scripts, and addresses such as `data:`. */
const target = z.looseObject({ request: z.looseObject({ url: z.url() }) });
/** Source: HAR 1.2: -1 where the size is not available. */
const UNKNOWN = -1;
const entry = z.looseObject({
  startedDateTime: z.string().refine((text) => parseInstant(text) !== undefined),
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
          .default([]),
      })
      .optional(),
  }),
  response: z
    .looseObject({
      status: z.number().int().min(-1).max(999),
      headers: pairs,
      content: z
        .looseObject({
          size: z.number().default(UNKNOWN),
          mimeType: z.string().default(""),
          text: z.string().optional(),
          encoding: z.string().optional(),
        })
        .default({ size: UNKNOWN, mimeType: "" }),
    })
    .optional(),
});

type Sent = output<typeof entry>["request"];
type Got = NonNullable<output<typeof entry>["response"]>;

const SERVICE_PATH = /^\/(?:public|oauth2)\//;
const FILE_BYTES_MAX = 100 * 1024 * 1024;
const BOUNDARY = "docdouble-har";
/** All bytes that files left out, once: a browser leaves out every download. */
const missing = lazy(() => Buffer.alloc(FILE_BYTES_MAX));

/** @param real the address of the service. Default: the hosts of PandaDoc. @throws SettingsError */
export function readHar(name: string, real: string | undefined): HarCalls {
  const isService = ({ pathname, hostname, origin }: URL) =>
    SERVICE_PATH.test(pathname) && (real === undefined ? OFFICIAL_HOSTS.includes(hostname) : origin === new URL(real).origin);
  const { entries } = required(name, file, parsed(name), "").log;
  const own = entries
    .flatMap((one, i) => {
      const { data } = target.safeParse(one);
      return data && isService(new URL(data.request.url)) ? [required(name, entry, one, `log.entries.${i}.`)] : [];
    })
    .map((one) => ({ entry: one, url: new URL(one.request.url), at: parseInstant(one.startedDateTime) ?? 0 }))
    .sort((a, b) => a.at - b.at);
  // What the client or its network ended tells nothing about the service.
  const answered = own.flatMap(({ entry: { request, response }, ...one }) =>
    response && response.status > 0 ? [{ ...one, request, response }] : [],
  );
  const [first] = answered;
  if (!first) throw new SettingsError(`${name} holds no call to the service (${real ?? OFFICIAL_HOSTS.join(", ")}).`);
  const calls = answered.map(({ request, response, url, at }) => ({
    request: requestOf(request, url),
    answer: answerOf(response),
    at_ms: at - first.at,
  }));
  const valid = calls.filter(({ answer }) => answer.status !== 401).flatMap(({ request }) => keyOf(request) ?? []);
  const left = { others: entries.length - own.length, unanswered: own.length - answered.length };
  return { origin: first.url.origin, calls, ...left, keys: [...new Set(valid)] };
}

/** Some programs write null for what is absent. */
function parsed(name: string): unknown {
  try {
    return JSON.parse(
      readRegularBytes(name)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
      (_, value: unknown) => value ?? undefined,
    );
  } catch (error) {
    // The text cannot be read as JSON, or nests too deep.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw new SettingsError(`Cannot read ${name}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
}

/** @throws SettingsError, which names the place only, because the values may be secrets */
function required<T extends ZodType>(name: string, schema: T, value: unknown, at: string): output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const place = at + (result.error.issues[0]?.path.join(".") ?? "");
  throw new SettingsError(`${name} is not a HAR${place === "" ? "" : `: ${place} is missing or wrong`}.`);
}

export function keyOf({ headers }: CallRequest): string | undefined {
  return /^api-key\s+(\S+)\s*$/i.exec(headers.authorization ?? "")?.[1];
}

function requestOf(request: Sent, url: URL): CallRequest {
  const headers = headersOf(request.headers);
  const { postData } = request;
  if (!postData) return { method: request.method, target: url.pathname + url.search, headers, body: NO_BODY };
  const type = headers["content-type"] ?? postData.mimeType;
  const { params, text } = postData;
  const isForm = params.length > 0 && mediaType({ "content-type": type }) === "multipart/form-data";
  const pairs = params.map(({ name, value = "" }): [string, string] => [name, value]);
  const body = isForm ? formOf(params) : text === undefined ? Buffer.from(String(new URLSearchParams(pairs))) : bodyOf(postData);
  const sent = isForm ? `multipart/form-data; boundary=${BOUNDARY}` : type;
  return {
    method: request.method,
    target: url.pathname + url.search,
    headers: { ...headers, ...(sent === "" ? {} : { "content-type": sent }) },
    body,
  };
}

function formOf(params: NonNullable<Sent["postData"]>["params"]): Buffer {
  const parts = params.map(({ name, value = "", fileName, contentType }) => {
    const disposition = `form-data; name="${name.replaceAll('"', "%22")}"${fileName === undefined ? "" : `; filename="${fileName.replaceAll('"', "%22")}"`}`;
    const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
    return `--${BOUNDARY}\r\nContent-Disposition: ${disposition}${type}\r\n\r\n${value}\r\n`;
  });
  return Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`);
}

function answerOf({ status, headers, content }: Got): CallAnswer {
  const shown = headersOf(headers);
  const type = shown["content-type"] ?? content.mimeType;
  const hasText = content.text !== undefined;
  // Bytes that the file left out count with their size.
  const size = Math.min(Math.max(0, content.size), FILE_BYTES_MAX);
  const isReadable = /json|text|xml/.test(type);
  const body = hasText ? bodyOf(content) : isReadable ? NO_BODY : missing().subarray(0, size);
  return {
    status,
    headers: { ...shown, ...(type === "" || type === "x-unknown" ? {} : { "content-type": type }) },
    body,
    ...(!hasText && content.size !== 0 && (isReadable || content.size < 0) ? { isPartial: true } : {}),
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
