import { isRequest } from "../core/web-objects.ts";

/** A parser of addresses leaves these paths unchanged. */
const USUAL_PATH = /^(?:\/[\w~-]+(?:\.[\w~-]+)*)+(?:\?[\w.~=&%+:,-]*)?$/;
const USUAL_MEMBERS: ReadonlySet<string> = new Set(["method", "headers", "body"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * The parts of a request that docdouble and Hono read. Node's `Request` parses the address, makes an abort signal and turns the body into
 * a stream, which takes longer than many calls.
 */
class PlainRequest implements Pick<Request, "method" | "url" | "headers" | "signal" | "arrayBuffer"> {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly #bytes: Buffer<ArrayBuffer> | undefined;
  readonly #madeSignal: Base["signal"];
  #signal: AbortSignal | undefined;

  constructor(method: string, { origin, signal }: Base, path: string, headers: Headers, body: string | undefined) {
    this.method = method;
    this.url = origin + path;
    this.headers = headers;
    this.#madeSignal = signal;
    if (body === undefined) return;
    this.#bytes = Buffer.from(body);
    if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
    if (!headers.has("content-length")) headers.set("content-length", String(this.#bytes.length));
  }

  get arrived(): Uint8Array | undefined {
    return this.#bytes;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#madeSignal?.() ?? new AbortController().signal;
    return this.#signal;
  }

  get body(): readonly Uint8Array[] | null {
    return this.#bytes ? [this.#bytes] : null;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, length } = this.#bytes ?? Buffer.alloc(0);
    return buffer.slice(byteOffset, byteOffset + length);
  }
}

export interface Base {
  readonly url: string;
  readonly origin: string;
  /** Makes the signal of the request when something first reads it, because few calls read it and making one takes long. */
  readonly signal?: () => AbortSignal;
}

/** @throws TypeError as `Request` does */
export function toRequest(input: string | URL | Request, init: RequestInit | undefined, base: Base): Request {
  const plain = typeof input === "string" ? plainRequest(base, input, init) : undefined;
  if (plain) return plain as unknown as Request;
  const whole = base.signal ? { ...init, signal: base.signal() } : init;
  const request = isRequest(input) ? new Request(input, whole) : new Request(addressOf(String(input), base), whole);
  if (typeof init?.body === "string" && !request.headers.has("content-length"))
    request.headers.set("content-length", String(Buffer.byteLength(init.body)));
  return request;
}

function plainRequest(base: Base, path: string, init: RequestInit = {}): PlainRequest | undefined {
  const { method = "GET", headers, body = undefined } = init;
  if (!USUAL_PATH.test(path) || !METHODS.has(method)) return undefined;
  for (const member in init) if (!USUAL_MEMBERS.has(member)) return undefined;
  if (body !== undefined && (typeof body !== "string" || method === "GET")) return undefined;
  return new PlainRequest(method, base, path, new Headers(headers), body);
}

/** Usual paths need no parser here, because `Request` parses the address. */
function addressOf(input: string, { url, origin }: Base): string {
  return input.startsWith("/") ? origin + input : new URL(input, `${url}/`).href;
}

export function knownBodyOf(request: Request): Uint8Array | undefined {
  return request instanceof PlainRequest ? request.arrived : undefined;
}
