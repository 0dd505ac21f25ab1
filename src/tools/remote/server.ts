import { AddressRefused, lookupWithin } from "../../engine/jobs/address-policy.ts";
import type { LogEvent } from "../../inspector/log/log-event.ts";
import { messageOf, parseLeniently } from "../../engine/core/text.ts";
import {
  type BytesAnswer,
  bytesCall,
  type HttpAnswer,
  type HttpCall,
  headOf,
  httpCall,
  isRedirect,
  openCall,
  reasonOf,
  withoutSlash,
} from "./http-call.ts";

const TIMEOUT_MS = 60_000;

export interface RemoteFlags {
  key?: string;
  adminToken?: string;
  json?: boolean;
  /** Checks the address of each connection, and refuses redirects: somebody else chose the URL. */
  isGuarded?: boolean;
}

export interface Reply {
  ok: boolean;
  status: number;
  /** Undefined when the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: callers know the shape of each answer
  body: any;
  why: string | undefined;
}

/** The server cannot be reached, or refused a call that a command needs. */
export class ServerError extends Error {
  override readonly name = "ServerError";
}

export class Server {
  readonly url: string;
  readonly #headers: Record<string, string>;
  readonly #guard: Pick<HttpCall, "lookup" | "stays">;

  constructor(url: string, { key, adminToken, isGuarded }: RemoteFlags = {}) {
    this.url = withoutSlash(url);
    this.#guard = isGuarded ? { lookup: lookupWithin("all"), stays: true } : {};
    this.#headers = {
      ...(key === undefined ? {} : { authorization: `API-Key ${key}` }),
      ...(adminToken === undefined ? {} : { "x-docdouble-admin-token": adminToken }),
    };
  }

  /** @throws ServerError when the server cannot be reached */
  call(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.send(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** As `call`, but sends `body` unchanged. @throws ServerError when the server cannot be reached */
  async send(method: string, path: string, body: string | undefined): Promise<Reply> {
    const call = httpCall(this.url + path, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body,
      timeout_ms: TIMEOUT_MS,
      ...this.#guard,
    });
    const answer = await call.catch((error: unknown) => this.#fail(error));
    if (this.#guard.stays && isRedirect(answer))
      throw new ServerError(`${this.url} redirects to another address. Attach to the address of docdouble itself.`);
    return replyOf(answer);
  }

  /** Sends and takes a body of any kind, such as a world. @throws ServerError when the server cannot be reached */
  async bytes(method: string, path: string, body?: Uint8Array): Promise<BytesAnswer> {
    const headers = { ...this.#headers, ...(body === undefined ? {} : { "content-length": String(body.length) }) };
    const call = bytesCall(this.url + path, { method, headers, body, timeout_ms: TIMEOUT_MS, ...this.#guard });
    return call.catch((error: unknown) => this.#fail(error));
  }

  /** Resolves when the stream is open. It yields log events until `signal` aborts or the server ends it. @throws ServerError */
  async openEvents(signal: AbortSignal): Promise<AsyncGenerator<LogEvent>> {
    const call = openCall(`${this.url}/__admin/events?view=log`, { headers: this.#headers, signal });
    const answer = await call.catch((error: unknown) => (signal.aborted ? Promise.reject(error) : this.#fail(error)));
    const head = headOf(answer);
    if (head.ok) return this.#readEvents(answer, signal);
    let text = "";
    for await (const part of answer) text += part;
    throw new ServerError(`${this.url} refused its events with ${head.status}: ${detailOf(replyOf({ ...head, text }))}`);
  }

  async *#readEvents(body: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<LogEvent> {
    let text = "";
    try {
      for await (const part of body) {
        const blocks = (text + part).split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
          if (name === "log" && data !== undefined) yield JSON.parse(data) as LogEvent;
          if (name === "dropped")
            throw new ServerError("this reader is too slow: the server dropped events and ended the stream");
        }
      }
    } catch (error) {
      if (!signal.aborted)
        throw error instanceof ServerError ? error : new ServerError(`the stream of ${this.url} broke: ${messageOf(error)}`);
    }
  }

  #fail(error: unknown): never {
    // Only a guard refuses addresses. Without one, a command must not load the library for the class.
    if (this.#guard.stays && error instanceof AddressRefused)
      throw new ServerError(`Cannot attach to ${this.url}: ${error.message}.`);
    throw new ServerError(
      `Cannot reach ${this.url}: ${reasonOf(error)}. Start docdouble there, or pass another address, or set DOCDOUBLE_URL.`,
    );
  }
}

function replyOf({ ok, status, headers, text }: HttpAnswer): Reply {
  const body = parseLeniently(text) as Reply["body"];
  const why = headers["x-docdouble-why"];
  // The admin API gives its reason in the body, operations of the service in a header.
  return { ok, status, body, why: body?.why ?? (typeof why === "string" ? why : undefined) };
}

/** An answer of bytes as a reply. */
export function replyOfBytes({ bytes, ...head }: BytesAnswer): Reply {
  return replyOf({ ...head, text: bytes.toString() });
}

export function detailOf({ status, body, why }: Pick<Reply, "status" | "body" | "why">): string {
  if (body === undefined) return why ?? `it answered ${status} without JSON, so it is no docdouble`;
  const detail = body?.detail ?? body;
  if (typeof detail === "string" && status !== 404) return detail;
  return why ?? (typeof detail === "string" ? detail : JSON.stringify(detail));
}
