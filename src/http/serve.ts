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
  let isClosing = false;
  // A kept-alive connection that becomes idle while the server closes would hold the end up for seconds.
  server.on("request", (_, response) =>
    response.once("close", () => {
      if (isClosing) server.closeIdleConnections();
    }),
  );
  const close = (grace_ms: number): Promise<void> =>
    new Promise((resolve) => {
      isClosing = true;
      const cancel = wall.after(grace_ms, () => server.closeAllConnections());
      server.close(() => {
        cancel();
        resolve();
      });
      server.closeIdleConnections();
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}
