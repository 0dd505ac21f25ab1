/**
 * A webhook receiver like users write it: a real HTTP server on a free port. It keeps raw bodies, verifies signatures over the
 * received bytes, and detects duplicates by the event id. A test can make it answer badly.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  method: string;
  /** Path and query of the request. */
  url: string;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  /** The parsed body, or undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every shape
  body: any;
  signature: string | null;
  /** Whether the signature is the HMAC-SHA256 of the raw bytes with the receiver's key. */
  verified: boolean;
  eventId: string | undefined;
  /** Whether an earlier request had this event id. */
  duplicate: boolean;
}

/**
 * How the receiver answers: a status, a full answer, or a function of the request.
 * `reset` cuts the connection at once. `hang` never answers. `half` sends half an answer, then cuts the connection.
 * `redirect` answers 301 to another path. `until` sends the status after the promise settles.
 */
export type Behavior =
  | number
  | ((one: Received) => number)
  | "reset"
  | "hang"
  | "half"
  | { redirect: string }
  | { status: number; until: Promise<unknown> }
  | { status: number; body: string; headers?: Record<string, string> };

export interface Receiver {
  readonly url: string;
  /** The received requests, oldest first. */
  readonly received: Received[];
  /** The largest number of open connections at one time. */
  readonly mostOpen: number;
  /** The key that verifies signatures. */
  key: string;
  /** The received events without duplicates, as an application would process them. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every shape
  events(): any[];
  /** Sets one behavior per request. The last one repeats. */
  answerWith(...behaviors: [Behavior, ...Behavior[]]): void;
  /** Serves bytes at a path, for documents created by URL. Returns the URL. */
  serve(path: string, bytes: Uint8Array, type?: string): string;
  /** Resolves when at least `count` requests have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export function verify(raw: Buffer, signature: string | null, key: string): boolean {
  const expected = Buffer.from(createHmac("sha256", key).update(raw).digest("hex"));
  const actual = Buffer.from(signature ?? "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Starts a receiver, which ends with its test. */
export async function receiver(key = ""): Promise<Receiver> {
  const received: Received[] = [];
  const files = new Map<string, { bytes: Uint8Array; type: string }>();
  const waiting: { count: number; done: () => void }[] = [];
  let behaviors: Behavior[] = [200];
  let open = 0;
  let mostOpen = 0;
  const take = (): Behavior => (behaviors.length > 1 ? behaviors.shift() : behaviors[0]) as Behavior;

  const server = createServer(async (request, response) => {
    const file = files.get(request.url ?? "");
    if (file && request.method === "GET") {
      response.writeHead(200, { "content-type": file.type }).end(file.bytes);
      return;
    }
    const one = await read(request, self.key, received);
    received.push(one);
    for (const waiter of waiting) if (received.length >= waiter.count) waiter.done();
    const behavior = take();
    await answer(typeof behavior === "function" ? behavior(one) : behavior, request, response);
  });
  server.on("connection", (socket) => {
    mostOpen = Math.max(mostOpen, ++open);
    socket.once("close", () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const self: Receiver = {
    url,
    received,
    key,
    get mostOpen() {
      return mostOpen;
    },
    events: () => received.filter((one) => !one.duplicate).flatMap((one) => one.body),
    answerWith(...next) {
      behaviors = next;
    },
    serve(path, bytes, type = "application/pdf") {
      files.set(path, { bytes, type });
      return url + path;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, done: resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  onTestFinished(() => self.close());
  return self;
}

async function read(request: IncomingMessage, key: string, before: readonly Received[]): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const signature = new URL(request.url ?? "/", "http://receiver").searchParams.get("signature");
  const eventId = request.headers["x-pandadoc-webhook-event-id"] as string | undefined;
  return {
    method: request.method ?? "",
    url: request.url ?? "",
    headers: request.headers,
    raw,
    body: parse(raw),
    signature,
    verified: verify(raw, signature, key),
    eventId,
    duplicate: eventId !== undefined && before.some((one) => one.eventId === eventId),
  };
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    return undefined;
  }
}

async function answer(
  behavior: Exclude<Behavior, (one: Received) => number>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (typeof behavior === "number") {
    response.writeHead(behavior, { "content-type": "text/plain" }).end("thank you");
    return;
  }
  if (behavior === "hang") return;
  if (behavior === "reset") {
    request.socket.resetAndDestroy();
    return;
  }
  if (behavior === "half") {
    response.writeHead(200, { "content-length": "100" });
    response.write("half of it", () => request.socket.destroy());
    return;
  }
  if ("redirect" in behavior) {
    response.writeHead(301, { location: behavior.redirect }).end();
    return;
  }
  if ("until" in behavior) await behavior.until;
  response.writeHead(behavior.status, "headers" in behavior ? behavior.headers : {}).end("body" in behavior ? behavior.body : "");
}
