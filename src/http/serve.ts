/** The Node server around the app: listens, and closes without leaving connections behind. */
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { systemClock } from "../core/clock.ts";

export interface Listening {
  /** The port that was really taken. */
  port: number;
  /** Stops accepting, lets what is in flight finish for at most `grace_ms`, then cuts it. */
  close(grace_ms: number): Promise<void>;
}

/** How often a closing server looks for connections that have become idle. */
const CUT_EVERY_MS = 20;
const HEADER_BYTES_MAX = 32 * 1024;

/** How long a client may take, wall ms. */
export const PATIENCE = {
  /** From the first byte of a request to the end of its headers; then 408. */
  headers: 20_000,
  /** To the end of its body; then 408. */
  request: 120_000,
  /** With its next request on a kept connection. Node's own 5 s would now and then cut one that a client is just using again. */
  next: 65_000,
  /** That nothing moves in either direction. Longer than the longest that an answer is held back on purpose. */
  silence: 180_000,
  /** How often headers and bodies are looked at. */
  check: 5000,
};

/** Beyond it new connections are refused. */
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
    keepAliveTimeout: patience.next,
  };
  const server = createAdaptorServer({ fetch: fetch as never, serverOptions }) as Server;
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = patience.silence;
  const close = (grace_ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = systemClock.elapsed() + grace_ms;
      let cancel = () => {};
      // A kept-alive connection that becomes idle while the server closes would hold the end up for seconds.
      const cut = () => {
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
    // Node's own 511 would let some of a thousand that knock at once wait until they are refused.
    server.listen({ port: options.port, host: options.host, backlog: CONNECTIONS_MAX }, () => {
      server.off("error", reject);
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}
