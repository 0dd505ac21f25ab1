/** The Node server around the app: listens, and closes without leaving connections behind. */
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { wall } from "../core/clock.ts";

export interface Listening {
  /** The port that was really taken. */
  port: number;
  /** Stops accepting, lets what is in flight finish for at most `grace_ms`, then cuts it. */
  close(grace_ms: number): Promise<void>;
}

const HEADER_BYTES_MAX = 32 * 1024;

export function listen(
  fetch: (request: Request, env: unknown) => Response | Promise<Response>,
  options: { port: number; host: string },
): Promise<Listening> {
  const server = createAdaptorServer({ fetch: fetch as never, serverOptions: { maxHeaderSize: HEADER_BYTES_MAX } }) as Server;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve({ port: (server.address() as AddressInfo).port, close: (grace_ms) => close(server, grace_ms) });
    });
  });
}

function close(server: Server, grace_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = wall.after(grace_ms, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
