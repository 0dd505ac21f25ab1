/**
 * Keeps strangers' pages off the admin API. A browser lets any page send a form anywhere, and a name that a stranger owns may
 * come to lead here; so what a browser may read is given only under our own name, and changes are taken only from our own pages.
 */
import type { HonoRequest } from "hono";
import type { Host } from "../control/host.ts";
import { forbidden } from "../core/errors.ts";
import type { Operation } from "../core/operation.ts";

export function requireOwnSite(request: HonoRequest, operation: Operation<never>, host: Host): void {
  const named = request.header("host") ?? new URL(request.url).host;
  // Beyond loopback everybody but a page needs the token, which a stranger's page does not have, and names are many there.
  if ((host.isLoopback ? isAdmin(operation) : isPage(operation)) && !isOwn(`http://${named}`, host))
    throw forbidden(
      `the admin API answers under a loopback name or the advertised one (${host.defaultTenant.settings.publicUrl}), not under ${named}; set --public-url`,
    );
  const origin = request.header("origin");
  if (!operation.route.startsWith("GET ") && origin !== undefined && !isOwn(origin, host))
    throw forbidden(`a page of ${origin} may not use the admin API`);
  // Browsers that do not say where a page comes from say at least that it comes from elsewhere.
  if (!operation.route.startsWith("GET ") && origin === undefined && request.header("sec-fetch-site") === "cross-site")
    throw forbidden("a page of another site may not use the admin API");
}

function isAdmin({ route }: Operation<never>): boolean {
  return route.includes(" /__admin");
}

function isPage(operation: Operation<never>): boolean {
  const answer = operation.responses[200];
  return answer !== null && typeof answer === "object" && answer.media.includes("text/html");
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isOwn(url: string, host: Host): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return LOOPBACK.test(hostname) || hostname === new URL(host.defaultTenant.settings.publicUrl).hostname;
}
