/** The addresses of the MCP server, as the client that asks knows this server. */
import type { Context } from "hono";
import { isLoopbackUrl } from "../../engine/http/admin-guard.ts";
import { hostOf } from "../pages/host.ts";

/** `/mcp` is docdouble's own alias. */
export const MCP_PATHS = ["/v1/mcp", "/mcp"] as const;

/**
 * The origin that the client called. Clients compare it with the addresses in the discovery documents, and refuse another one. Behind a
 * proxy the public address tells the scheme.
 */
export function originOf(context: Context): string {
  const { origin, protocol } = new URL(context.req.url);
  const named = context.req.header("host");
  if (named === undefined) return origin;
  const advertised = new URL(hostOf(context).defaultTenant.settings.publicUrl);
  if (advertised.host === named) return advertised.origin;
  const called = `${protocol}//${named}`;
  return URL.canParse(called) ? new URL(called).origin : origin;
}

export function isResourceOf(context: Context): (address: string) => boolean {
  const origin = originOf(context);
  const known = MCP_PATHS.map((path) => origin + path);
  return (address) => known.includes(address.replace(/\/$/, "")) || address.replace(/\/$/, "") === origin;
}

/** Pages of other sites must not reach the server, also when a name of theirs leads to it. Source: the MCP specification. */
export function isForeignOrigin(context: Context): boolean {
  const origin = context.req.header("origin");
  if (origin === undefined) return false;
  return !isLoopbackUrl(origin) && origin !== new URL(hostOf(context).defaultTenant.settings.publicUrl).origin;
}

const CORS = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type, accept, mcp-protocol-version",
  "access-control-expose-headers": "www-authenticate, x-request-id, x-docdouble-rule, x-docdouble-why",
};

/** Pages of this machine may read the answers, such as the browser page of an inspector. */
export function withCors(context: Context, response: Response): Response {
  const origin = context.req.header("origin");
  if (origin === undefined || isForeignOrigin(context)) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries({ ...CORS, "access-control-allow-origin": origin, vary: "Origin" }))
    headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}
