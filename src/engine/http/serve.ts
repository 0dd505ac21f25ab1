import type { AddressInfo, Socket } from "node:net";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { systemClock } from "../core/clock.ts";

export interface Listening {
  port: number;
  close(grace_ms: number): Promise<void>;
}

const CUT_EVERY_MS = 20;
const HEADER_BYTES_MAX = 32 * 1024;

/** Time limits in wall ms. `headers` ends with the headers, and `request` with the body. A slower request gets a 408. */
export const PATIENCE = {
  headers: 20_000,
  request: 120_000,
  /**
   * The time without traffic in either direction, also between two requests. It is longer than the longest injected delay.
   * Node's default of 5 s between requests can cut a connection that a client is about to reuse.
   */
  silence: 180_000,
  check: 5000,
};

const CONNECTIONS_MAX = 10_000;

export function listen(
  fetch: (request: Request, env: unknown) => Response | Promise<Response>,
  options: { port: number; host: string; patience?: typeof PATIENCE },
): Promise<Listening> {
  const patience = options.patience ?? PATIENCE;
  const serverOptions = {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    connectionsCheckingInterval: patience.check,
    // Node would change the time limit of the socket twice for each call. `silence` closes idle connections.
    keepAliveTimeout: 0,
  };
  const server = createServer(serverOptions, inTurns(getRequestListener(fetch as never)));
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = patience.silence;
  const sockets = openSockets(server);
  const close = (grace_ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = systemClock.elapsed() + grace_ms;
      let cancel = () => {};
      // A keep-alive connection that becomes idle during the close would delay it for seconds.
      const cut = () => {
        // Clients open connections in advance. Node does not count them as idle.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
        if (systemClock.elapsed() < end) server.closeIdleConnections();
        else server.closeAllConnections();
        cancel = systemClock.after(CUT_EVERY_MS, cut);
      };
      server.close(() => {
        cancel();
        resolve();
      });
      cut();
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // Node's default backlog of 511 makes some of a thousand simultaneous clients wait for a retry.
    server.listen({ port: options.port, host: options.host, backlog: CONNECTIONS_MAX }, () => {
      server.off("error", reject);
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}

/**
 * Runs calls at the end of the turn of the event loop in which they arrive. Their answers leave together, because separate answers would
 * take longer than a short call. Small bodies have arrived by then.
 */
function inTurns(run: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>) {
  let arrived: (readonly [IncomingMessage, ServerResponse])[] = [];
  const runAll = () => {
    const calls = arrived;
    arrived = [];
    for (const [incoming, outgoing] of calls) void run(incoming, outgoing);
  };
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (arrived.length === 0) systemClock.immediate(runAll);
    arrived.push([incoming, outgoing]);
  };
}

function openSockets(server: Server): Set<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}
