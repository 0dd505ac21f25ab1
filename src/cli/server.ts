import type { LogEvent } from "../admin/log/log-event.ts";
import { systemClock } from "../core/clock.ts";
import { messageOf, parseLeniently } from "../core/text.ts";

const TIMEOUT_MS = 60_000;

export interface RemoteFlags {
  key?: string;
  adminToken?: string;
  json?: boolean;
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

  constructor(url: string, { key, adminToken }: RemoteFlags = {}) {
    this.url = url.replace(/\/+$/, "");
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
    const response = await this.#fetch(path, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      signal: systemClock.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    return replyOf(response);
  }

  /** Resolves when the stream is open. It yields log events until `signal` aborts or the server ends it. @throws ServerError */
  async openEvents(signal: AbortSignal): Promise<AsyncGenerator<LogEvent>> {
    const response = await this.#fetch("/__admin/events?view=log", { headers: this.#headers, signal });
    if (!response.ok || !response.body)
      throw new ServerError(`${this.url} refused its events with ${response.status}: ${detailOf(await replyOf(response))}`);
    return this.#readEvents(response.body, signal);
  }

  async *#readEvents(body: NonNullable<Response["body"]>, signal: AbortSignal): AsyncGenerator<LogEvent> {
    let text = "";
    try {
      for await (const part of body.pipeThrough(new TextDecoderStream())) {
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

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(this.url + path, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      const reason =
        error instanceof Error ? ((error.cause as { code?: string } | undefined)?.code ?? error.message) : String(error);
      throw new ServerError(
        `Cannot reach ${this.url}: ${reason}. Start docdouble there, or pass another address, or set DOCDOUBLE_URL.`,
      );
    }
  }
}

async function replyOf(response: Response): Promise<Reply> {
  const body = parseLeniently(await response.text()) as Reply["body"];
  // The admin API gives its reason in the body, operations of the service in a header.
  return {
    ok: response.ok,
    status: response.status,
    body,
    why: body?.why ?? response.headers.get("x-docdouble-why") ?? undefined,
  };
}

export function detailOf({ status, body, why }: Pick<Reply, "status" | "body" | "why">): string {
  const detail = body?.detail ?? body;
  if (typeof detail === "string" && status !== 404) return detail;
  return why ?? (typeof detail === "string" ? detail : JSON.stringify(detail ?? "no reason"));
}
