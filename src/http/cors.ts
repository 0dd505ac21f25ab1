/**
 * What lets a page of another origin read the service's answers. Only the service's own paths have it: the admin API has
 * none, so that a browser keeps its answers from every page but ours.
 */
import type { Context } from "hono";

// assumed: whether the service answers browsers is not published; a page under test may ask it here.
const EXPOSED = "retry-after, x-request-id, x-docdouble-rule, x-docdouble-why";
const METHODS = "GET, POST, PUT, PATCH, DELETE";
const DAY_S = "86400";

/** For an answer to a request that names where its page comes from. */
export function allowOrigin(headers: Record<string, string>, origin: string): void {
  // Credentials are a header that the page must know itself; none are sent for it.
  headers["access-control-allow-origin"] = origin === "null" ? "*" : origin;
  headers["access-control-expose-headers"] = EXPOSED;
  headers.vary = "Origin";
}

/** The question that a browser asks before a call that a form could not make; undefined when it is none. */
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
