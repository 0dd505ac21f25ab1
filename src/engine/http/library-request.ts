import { own } from "../core/maps.ts";
import { isRequest } from "../core/web-objects.ts";

/** A parser of addresses leaves these paths unchanged. */
const USUAL_PATH = /^(?:\/[\w~-]+(?:\.[\w~-]+)*)+(?:\?[\w.~=&%+:,-]*)?$/;
const USUAL_MEMBERS: ReadonlySet<string> = new Set(["method", "headers", "body"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * The parts of a request that docdouble and Hono read. Node's `Request` parses the address, makes an abort signal and turns the body into
 * a stream, which takes longer than many calls.
 */
class PlainRequest implements Pick<Request, "method" | "url" | "signal" | "arrayBuffer"> {
  readonly method: string;
  readonly url: string;
  readonly headers: PlainHeaders;
  readonly text: string | undefined;
  readonly #madeSignal: Base["signal"];
  #signal: AbortSignal | undefined;

  constructor(method: string, { origin, signal }: Base, path: string, headers: Record<string, string>, text: string | undefined) {
    this.method = method;
    this.url = origin + path;
    this.headers = new PlainHeaders(headers);
    this.text = text;
    this.#madeSignal = signal;
    if (text === undefined) return;
    headers["content-type"] ??= "text/plain;charset=UTF-8";
    headers["content-length"] ??= String(Buffer.byteLength(text));
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#madeSignal?.() ?? new AbortController().signal;
    return this.#signal;
  }

  get body(): readonly Uint8Array[] | null {
    return this.text === undefined ? null : [Buffer.from(this.text)];
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new TextEncoder().encode(this.text).buffer;
  }
}

/** What docdouble, Hono and the MCP library ask of `Headers`, which checks each name and value again. */
class PlainHeaders {
  /** By name in lower case. */
  readonly all: Record<string, string>;

  constructor(all: Record<string, string>) {
    this.all = all;
  }

  get(name: string): string | null {
    return own(this.all, name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  forEach(run: (value: string, name: string) => void): void {
    for (const [name, value] of this.entries()) run(value, name);
  }

  entries(): IterableIterator<[string, string]> {
    return Object.entries(this.all)[Symbol.iterator]();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

const USUAL_NAME = /^[\w-]+$/;
const USUAL_VALUE = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** Undefined for headers that `Headers` may change or refuse. */
function usualHeaders(headers: NonNullable<RequestInit["headers"]> = {}): Record<string, string> | undefined {
  if (Symbol.iterator in headers) return Object.fromEntries(new Headers(headers));
  const all: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value: unknown = headers[name];
    const lower = name.toLowerCase();
    const isUsual = typeof value === "string" && USUAL_NAME.test(name) && USUAL_VALUE.test(value) && !Object.hasOwn(all, lower);
    if (!isUsual || lower === "__proto__") return undefined;
    all[lower] = value;
  }
  return all;
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
  if (body !== undefined && (typeof body !== "string" || method === "GET" || /\p{Surrogate}/u.test(body))) return undefined;
  const usual = usualHeaders(headers);
  return usual && new PlainRequest(method, base, path, usual, body);
}

/** Usual paths need no parser here, because `Request` parses the address. */
function addressOf(input: string, { url, origin }: Base): string {
  return input.startsWith("/") ? origin + input : new URL(input, `${url}/`).href;
}

export function knownTextOf(request: unknown): string | undefined {
  return request instanceof PlainRequest ? request.text : undefined;
}

export function plainHeadersOf(request: unknown): Record<string, string> | undefined {
  return request instanceof PlainRequest ? request.headers.all : undefined;
}
