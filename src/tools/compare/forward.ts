import http from "node:http";
import https from "node:https";
import { messageOf } from "../../engine/core/text.ts";
import { type CallAnswer, type CallRequest, type HeaderMap, NO_BODY, withoutConnection } from "./exchange.ts";

const SILENCE_MAX_MS = 120_000;
/** No operation answers with more bytes. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;

export class Forwarder {
  readonly #base: URL;
  readonly #agent: http.Agent;
  readonly #silence_ms: number;

  constructor(base: URL, silence_ms = SILENCE_MAX_MS) {
    this.#base = base;
    this.#silence_ms = silence_ms;
    const options = { keepAlive: true, maxSockets: 64 };
    this.#agent = base.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
  }

  /** Never throws. Without an answer, the status is 0 and `failure` says why. */
  async send(request: CallRequest): Promise<CallAnswer> {
    const { answer, isStale } = await this.#once(request);
    // The server closed an idle connection just before its reuse. Repeating a read is safe.
    return isStale && request.method === "GET" ? (await this.#once(request)).answer : answer;
  }

  #once({ method, target, headers, body }: CallRequest): Promise<{ answer: CallAnswer; isStale: boolean }> {
    const { protocol, hostname, port, pathname } = this.#base;
    const open = protocol === "https:" ? https.request : http.request;
    return new Promise((resolve) => {
      let call: http.ClientRequest | undefined;
      const fail = (error: unknown) => {
        const failure = reasonOf(error);
        const isStale = (call?.reusedSocket ?? false) && failure === "ECONNRESET";
        resolve({ answer: { status: 0, headers: {}, body: NO_BODY, failure }, isStale });
      };
      try {
        call = open({
          protocol,
          hostname: hostname.replace(/^\[|\]$/g, ""),
          port,
          method,
          path: pathname.replace(/\/+$/, "") + target,
          agent: this.#agent,
          timeout: this.#silence_ms,
          headers: { ...withoutConnection(headers), ...(body.length > 0 ? { "content-length": body.length } : {}) },
        });
        call.once("timeout", () => call?.destroy(new Error(`no answer within ${this.#silence_ms / 1000} s`)));
        call.once("response", (response) => {
          readAll(response).then((bytes) => {
            const answer = { status: response.statusCode ?? 0, headers: flat(response.headers), body: bytes };
            resolve({ answer, isStale: false });
          }, fail);
        });
        call.on("error", fail);
        // An answer that changes the protocol, such as 101, has neither a response nor an error.
        call.once("upgrade", (_, socket) => {
          socket.destroy();
          fail(new Error("the answer changes the protocol"));
        });
        call.end(body);
      } catch (error) {
        fail(error);
      }
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === undefined ? messageOf(error) : code;
}

export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error(`the body is longer than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function flat(headers: http.IncomingHttpHeaders): HeaderMap {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(", ")]])),
  );
}
