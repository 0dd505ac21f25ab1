/**
 * CORS for the service's paths, so that pages of other origins can read its answers. The admin API has no CORS headers: browsers keep
 * its answers from other origins.
 */
import type { Context } from "hono";

// assumed: whether the service answers browsers is not published; docdouble allows it, so that pages under test can call it.
const EXPOSED = "retry-after, x-request-id, x-docdouble-rule, x-docdouble-why";
const METHODS = "GET, POST, PUT, PATCH, DELETE";
const DAY_S = "86400";

export function allowOrigin(headers: Record<string, string>, origin: string): void {
  // Pages send credentials in a header, so cookies need no permission.
  headers["access-control-allow-origin"] = origin === "null" ? "*" : origin;
  headers["access-control-expose-headers"] = EXPOSED;
  headers.vary = "Origin";
}

/** Answers a preflight request; undefined for any other request. */
export function answerPreflight({ req }: Context): Response | undefined {
  const origin = req.header("origin");
  if (req.method !== "OPTIONS" || origin === undefined || req.header("access-control-request-method") === undefined)
    return undefined;
  const headers: Record<string, string> = {
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": req.header("access-control-request-headers") ?? "authorization, content-type",
    "access-control-max-age": DAY_S,
  };
  allowOrigin(headers, origin);
  if (req.header("access-control-request-private-network") === "true") headers["access-control-allow-private-network"] = "true";
  headers.vary = "Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network";
  return new Response(null, { status: 204, headers });
}
