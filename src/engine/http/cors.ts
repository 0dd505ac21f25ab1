/**
 * CORS for the service's paths lets pages of other origins read its answers. The admin API sends no CORS headers, so browsers keep its
 * answers from other origins.
 */
import type { Context } from "hono";
import { cors } from "hono/cors";

// assumed: http.cors.
const EXPOSED = ["retry-after", "x-request-id", "x-docdouble-rule", "x-docdouble-why"];
const DAY_S = 86_400;

const preflight = cors({ origin: permitted, allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"], maxAge: DAY_S });

/** Pages send credentials in a header, so cookies need no permission. */
function permitted(origin: string): string {
  return origin === "null" ? "*" : origin;
}

export function allowOrigin(headers: Record<string, string>, origin: string): void {
  headers["access-control-allow-origin"] = permitted(origin);
  headers["access-control-expose-headers"] = EXPOSED.join(", ");
  headers.vary = "Origin";
}

export function answerPreflight(context: Context): Promise<Response> | undefined {
  const { req } = context;
  if (req.header("origin") === undefined || req.header("access-control-request-method") === undefined) return undefined;
  if (req.header("access-control-request-private-network") === "true")
    context.header("access-control-allow-private-network", "true");
  return preflight(context, async () => {}) as Promise<Response>;
}
