/** What comes with a request beside itself: whose it is, and the socket it came on. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Host } from "../control/host.ts";

/** Without a socket for calls of the library. */
export interface Env extends Partial<HttpBindings> {
  host: Host;
}

export function hostOf(context: Context): Host {
  return (context.env as Env).host;
}
