/** Answers that a network spoils: cut, slow, empty or never there. On a socket the client sees the real thing. */
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { wall } from "../core/clock.ts";
import type { NetworkFault } from "../scenario/effect.ts";

/** How long a hanging answer hangs before the connection is cut. */
export const HANG_MS = 120_000;
const SLOW_PARTS = 10;
const SLOW_PAUSE_MS = 100;

/** Spoils `response`. Without a socket (library calls) the call fails as a fetch does. */
export async function spoil(
  fault: NetworkFault,
  response: Response,
  bindings: Partial<HttpBindings> | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const outgoing = bindings?.outgoing;
  const socket = bindings?.incoming?.socket;
  if (!outgoing || !socket) return withoutSocket(fault, response, signal);
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
    case "hang": {
      const cancel = wall.after(HANG_MS, () => socket.destroy());
      socket.once("close", cancel);
      if (socket.destroyed) cancel();
      break;
    }
    case "truncate":
      head();
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => socket.destroy());
      break;
    case "slow": {
      head();
      const size = Math.max(1, Math.ceil(body.length / SLOW_PARTS));
      for (let i = 0; i < body.length && !socket.destroyed; i += size) {
        if (i > 0) await wall.sleep(SLOW_PAUSE_MS);
        outgoing.write(body.subarray(i, i + size));
      }
      outgoing.end();
      break;
    }
  }
  return RESPONSE_ALREADY_SENT;
}

async function withoutSocket(fault: NetworkFault, response: Response, signal: AbortSignal): Promise<Response> {
  if (fault === "slow") return response;
  if (fault === "hang") {
    await new Promise<void>((resolve) => {
      const cancel = wall.after(HANG_MS, resolve);
      signal.addEventListener("abort", () => {
        cancel();
        resolve();
      });
    });
  }
  const code = fault === "reset" ? "ECONNRESET" : "UND_ERR_SOCKET";
  throw new NetworkFailure(fault, code);
}

/** What a socketless call throws: a TypeError as of fetch, its cause telling the code. */
export class NetworkFailure extends TypeError {
  constructor(fault: NetworkFault, code: string) {
    super("fetch failed", { cause: Object.assign(new Error(`injected network fault: ${fault}`), { code }) });
  }
}
