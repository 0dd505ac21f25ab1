/**
 * HTTP calls of the commands. They use `node:http`, because loading Node's `fetch` takes 150 ms of processor time. That is longer than
 * a whole command takes, and a container runs `docdouble health` every few seconds.
 */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { systemClock } from "../../engine/core/clock.ts";

export interface HttpCall {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | undefined;
  /** Aborts the call and the stream of its answer. */
  signal?: AbortSignal;
  /** Milliseconds until the whole answer has arrived. Without it, nothing limits the call. */
  timeout_ms?: number;
  /** Looks up names at connection time. The default is the one of Node. */
  lookup?: LookupFunction;
  /** Returns a redirect instead of following it. */
  stays?: boolean;
}

export interface HttpAnswer {
  ok: boolean;
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

/** As `HttpAnswer`, with the body as it came. */
export interface BytesAnswer extends Omit<HttpAnswer, "text"> {
  bytes: Buffer;
}

const REDIRECTS_MAX = 5;

/**
 * Calls `url` and reads the whole answer. Follows redirects of a GET. Another origin gets no headers, because they hold keys.
 *
 * @throws when no whole answer arrives in time
 */
export async function httpCall(url: string | URL, call: HttpCall): Promise<HttpAnswer> {
  let answer = await once(url, call);
  let address = new URL(url);
  for (let hops = 0; hops < REDIRECTS_MAX && !call.stays && isRedirect(answer) && (call.method ?? "GET") === "GET"; hops++) {
    address = new URL(answer.headers.location as string, address);
    answer = await once(address, address.origin === new URL(url).origin ? call : { ...call, headers: {} });
  }
  return answer;
}

export function isRedirect({ status, headers }: Pick<HttpAnswer, "status" | "headers">): boolean {
  return status >= 300 && status < 400 && headers.location !== undefined;
}

async function once(url: string | URL, call: HttpCall): Promise<HttpAnswer> {
  const { bytes, ...head } = await bytesCall(url, call);
  return { ...head, text: bytes.toString("utf8") };
}

/** Calls `url` once and reads the whole answer. @throws when no whole answer arrives in time */
export async function bytesCall(url: string | URL, { timeout_ms, ...call }: HttpCall): Promise<BytesAnswer> {
  const patience = new AbortController();
  const late = new Error(`no answer within ${(timeout_ms ?? 0) / 1000} s`);
  const cancel = timeout_ms === undefined ? () => {} : systemClock.deadline(timeout_ms, () => patience.abort());
  try {
    const answer = await openCall(url, { ...call, signal: patience.signal, isText: false });
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return { ...headOf(answer), bytes: Buffer.concat(parts) };
  } catch (error) {
    throw patience.signal.aborted ? late : error;
  } finally {
    cancel();
  }
}

/** Resolves when the head of the answer has arrived. The answer yields its body, by default as text. @throws when none arrives */
export function openCall(
  url: string | URL,
  { method = "GET", headers = {}, body, signal, lookup, isText = true }: HttpCall & { isText?: boolean },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const address = new URL(url);
    const { request } = address.protocol === "https:" ? https : http;
    // The next call of a command may come minutes later, so no connection is kept.
    const call = request(address, {
      method,
      headers,
      agent: false,
      ...(signal ? { signal } : {}),
      ...(lookup ? { lookup } : {}),
    });
    call.once("error", reject);
    call.once("response", (answer) => resolve(isText ? answer.setEncoding("utf8") : answer));
    // Without this listener, Node closes the connection and reports nothing.
    call.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("status code: 101"));
    });
    call.end(body);
  });
}

export function headOf({ statusCode = 0, headers }: IncomingMessage): Omit<HttpAnswer, "text"> {
  return { ok: statusCode >= 200 && statusCode < 300, status: statusCode, headers };
}

/** The path of an address stays, because docdouble may stand behind a proxy. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** The code of a network error, such as `ECONNREFUSED`, or its message. A wrong address gets plain words. */
export function reasonOf(error: unknown): string {
  if (/^ERR_INVALID_(?:URL|PROTOCOL)$/.test((error as NodeJS.ErrnoException | undefined)?.code ?? ""))
    return "an address begins with http:// or https://";
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
}
