/** Network faults: truncated, slow, empty and lost answers. With a socket the client sees the real fault. */
import type { HttpBindings } from "@hono/node-server";
import { systemClock } from "../core/clock.ts";
import type { NetworkFault } from "../scenario/rule-schema.ts";

export const HANG_MS = 120_000;
const SLOW_PARTS = 10;
const SLOW_PAUSE_MS = 100;

const GARBAGE = Buffer.from("\u0016\u0003\u0001\u0000garbage in place of an answer\r\n\r\n", "latin1");

export interface Connection {
  bindings: Partial<HttpBindings> | undefined;
  signal: AbortSignal;
  closing: AbortSignal;
}

/** Without a socket, as in library calls, this throws as a failed fetch does. */
export async function applyNetworkFault(fault: NetworkFault, response: Response, line: Connection): Promise<Response> {
  const outgoing = line.bindings?.outgoing;
  const socket = line.bindings?.incoming?.socket;
  if (!outgoing || !socket) return withoutSocket(fault, response, line);
  const body = Buffer.from(await response.arrayBuffer());
  const head = () => {
    const headers: Record<string, string> = { ...Object.fromEntries(response.headers), "content-length": String(body.length) };
    outgoing.writeHead(response.status, headers);
  };
  switch (fault) {
    case "reset":
      socket.resetAndDestroy();
      break;
    case "empty":
      socket.destroy();
      break;
    case "garbage":
      socket.end(GARBAGE);
      break;
    case "hang": {
      const end = () => socket.destroy();
      const cancel = systemClock.after(HANG_MS, end);
      line.closing.addEventListener("abort", end);
      socket.once("close", () => {
        cancel();
        line.closing.removeEventListener("abort", end);
      });
      if (socket.destroyed || line.closing.aborted) end();
      break;
    }
    case "truncate":
      if (body.length === 0) socket.end(`HTTP/1.1 ${response.status} \r\ndate:`);
      else {
        head();
        outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => socket.destroy());
      }
      break;
    case "slow": {
      head();
      const size = Math.max(1, Math.ceil(body.length / SLOW_PARTS));
      for (let i = 0; i < body.length && !socket.destroyed; i += size) {
        if (i > 0) await systemClock.sleep(SLOW_PAUSE_MS);
        outgoing.write(body.subarray(i, i + size));
      }
      outgoing.end();
      break;
    }
  }
  // hono's server sends its own light responses, so this clones the real one. The import waits for the first network fault, because it
  // loads Node's fetch.
  const { RESPONSE_ALREADY_SENT } = await import("@hono/node-server/utils/response");
  return RESPONSE_ALREADY_SENT.clone();
}

async function withoutSocket(fault: NetworkFault, response: Response, { signal, closing }: Connection): Promise<Response> {
  if (fault === "slow") return response;
  if (fault === "truncate") return cut(response);
  if (fault === "hang") {
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        for (const one of [signal, closing]) one.removeEventListener("abort", end);
        resolve();
      };
      const cancel = systemClock.after(HANG_MS, end);
      for (const one of [signal, closing]) one.addEventListener("abort", end);
      if (signal.aborted || closing.aborted) end();
    });
  }
  const code = fault === "reset" ? "ECONNRESET" : fault === "garbage" ? "HPE_INVALID_CONSTANT" : "UND_ERR_SOCKET";
  throw new NetworkFailure(fault, code);
}

async function cut(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length === 0) throw new NetworkFailure("truncate", "UND_ERR_SOCKET");
  let isHalf = false;
  const body = new ReadableStream({
    pull(controller) {
      if (isHalf)
        controller.error(new TypeError("terminated", { cause: new NetworkFailure("truncate", "UND_ERR_SOCKET").cause }));
      else controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
      isHalf = true;
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

export class NetworkFailure extends TypeError {
  constructor(fault: NetworkFault, code: string) {
    super("fetch failed", { cause: Object.assign(new Error(`injected network fault: ${fault}`), { code }) });
  }
}
