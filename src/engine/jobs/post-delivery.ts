import { messageOf } from "../core/text.ts";
import type { Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import type http from "node:http";
import { systemClock } from "../core/clock.ts";
import { Semaphore } from "./semaphore.ts";
import type { AddressPolicy } from "./address-policy.ts";
import { AnswerTimeout, ask } from "./outgoing-request.ts";
import type { DeliveryError } from "./rows.ts";

/** spec: Limits, Webhook receiver timeout. */
export const RECEIVER_TIMEOUT_MS = 20_000;

export interface Dispatch {
  url: string;
  body: string;
  headers: Record<string, string>;
  timeout_ms: number;
  addressPolicy: AddressPolicy;
}

export interface DispatchResult {
  status: number | null;
  error: DeliveryError | null;
  reason: string | null;
  duration_ms: number;
  response_body: string | null;
  response_headers: Record<string, string> | null;
}

/** Of the body of an answer. */
export const RESPONSE_BYTES_MAX = 16_384;

/** Deliveries at the same time: to one receiver, and in this process. */
const IN_FLIGHT_MAX = { origin: 64, process: 1024 } as const;

/**
 * Deliveries to one receiver that started less than `START_MS` ago. A quick receiver needs no more. More would delay API calls, because
 * the objects of open connections make garbage collection slow.
 */
const STARTING_MAX = 16;
const START_MS = 250;

const inFlight = new Semaphore(IN_FLIGHT_MAX.origin, IN_FLIGHT_MAX.process);
const starting = new Semaphore(STARTING_MAX, Number.POSITIVE_INFINITY);

/** Never throws, and follows no redirect. Beyond these limits a delivery waits. Its timeout starts after the wait. */
export async function dispatch(request: Dispatch): Promise<DispatchResult> {
  const origin = URL.canParse(request.url) ? new URL(request.url).origin : "";
  // In this order, a delivery that waits for its start takes no place from other receivers.
  await starting.enter(origin);
  await inFlight.enter(origin);
  let isStarting = true;
  const endStart = () => {
    if (isStarting) starting.leave(origin);
    isStarting = false;
  };
  const cancel = systemClock.after(START_MS, endStart);
  try {
    return await post(request);
  } finally {
    cancel();
    // The connection closes shortly after the end of the answer.
    void systemClock.soon().then(() => {
      endStart();
      inFlight.leave(origin);
    });
  }
}

async function post(request: Dispatch): Promise<DispatchResult> {
  const start = systemClock.elapsed();
  const finish = (part: Partial<DispatchResult>): DispatchResult => ({
    status: null,
    error: null,
    reason: null,
    response_body: null,
    response_headers: null,
    duration_ms: Math.round(systemClock.elapsed() - start),
    ...part,
  });
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return finish({ error: "NOT_VALID_URL", reason: `${request.url} is not the address of a web server` });
  const body = Buffer.from(request.body, "utf8");
  try {
    // Each delivery uses a new connection, because a receiver may close a kept connection at the moment of its reuse.
    const response = await ask(url, {
      ...{ method: "POST", body, addressPolicy: request.addressPolicy, timeout_ms: request.timeout_ms },
      headers: { ...request.headers, "content-length": body.length },
    });
    const text = await readSome(response);
    return finish({ status: response.statusCode ?? null, response_body: text, response_headers: headersOf(response) });
  } catch (error) {
    const isLate = error instanceof AnswerTimeout;
    return finish(
      isLate ? { error: "TIMEOUT_ERROR", reason: error.message } : { error: "CONNECT_ERROR", reason: reasonOf(error) },
    );
  }
}

async function readSome(response: http.IncomingMessage): Promise<string> {
  const bytes = await firstBytes(response);
  const isGzip = /^\s*(?:x-)?gzip\s*$/i.test(response.headers["content-encoding"] ?? "");
  return (isGzip ? await unpacked(bytes) : bytes).toString("utf8");
}

/** Reads by events, because an async iterator costs each delivery about a kilobyte of objects. */
function firstBytes(source: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => resolve(Buffer.concat(chunks, Math.min(size, RESPONSE_BYTES_MAX)));
    source.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < RESPONSE_BYTES_MAX) return;
      finish();
      source.destroy();
    });
    source.once("end", finish);
    source.once("error", reject);
    source.once("close", () => reject(new Error("the connection closed before the end of the answer")));
  });
}

/** Unpacks at most `RESPONSE_BYTES_MAX`, so that a compression bomb stays cheap. Other bytes than gzip stay unchanged. */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  gunzip.end(bytes);
  try {
    return await firstBytes(gunzip);
  } catch {
    return bytes;
  }
}

function headersOf(response: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(", ")]));
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? `${String(error.code)}: ` : "";
  return code + messageOf(error);
}
