/**
 * Keeps pages of other sites away from the admin API. A browser lets any page post a form to any address, and DNS rebinding maps a
 * foreign name to this server. So the admin API answers only under its known names. From browsers it accepts only changes by the
 * inspector.
 */
import type { HonoRequest } from "hono";
import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import { forbidden } from "../core/errors.ts";
import type { Operation } from "../core/operation.ts";
import { isSameText } from "../core/constant-time.ts";

/** The page of the inspector sends its token in this header, to prove that a change is its own. */
export const PAGE_TOKEN_HEADER = "x-docdouble-page-token";

export function requireOwnSite(request: HonoRequest, operation: Operation<never>, host: TenantRegistry): void {
  const named = request.header("host") ?? new URL(request.url).host;
  // A server beyond loopback has unknown names. It requires the admin token, which foreign pages lack.
  if ((host.isLoopback ? isAdmin(operation) : isPage(operation)) && !hasOwnName(`http://${named}`, host))
    throw forbidden(
      `the admin API answers under localhost and ${host.defaultTenant.settings.publicUrl}, not under ${named}; set --public-url`,
    );
  if (!operation.route.startsWith("GET ")) requireInspector(request, named, host);
}

/**
 * A browser sends `Origin` or `Sec-Fetch-Site` with every change, so it must also send the inspector's page token. Programs send none of
 * these headers.
 * @throws 403
 */
function requireInspector(request: HonoRequest, named: string, host: TenantRegistry): void {
  const origin = request.header("origin");
  const site = request.header("sec-fetch-site");
  if (origin === undefined && site === undefined) return;
  if (origin !== undefined && !isOwnOrigin(origin, named, host))
    throw forbidden(`a page of ${origin} may not use the admin API; the inspector's origin is http://${named}`);
  if (site !== undefined && site !== "same-origin") throw forbidden(`a ${site} page may not use the admin API`);
  if (!isSameText(host.pageToken, request.header(PAGE_TOKEN_HEADER) ?? ""))
    throw forbidden("this page does not have the inspector's current token: reload /__admin/ and try again");
}

function isAdmin({ route }: Operation<never>): boolean {
  return route.includes(" /__admin");
}

function isPage(operation: Operation<never>): boolean {
  const answer = operation.responses[200];
  return answer !== null && typeof answer === "object" && answer.media.includes("text/html");
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

function hasOwnName(url: string, host: TenantRegistry): boolean {
  if (!URL.canParse(url)) return false;
  return isLoopbackUrl(url) || new URL(url).hostname === new URL(host.defaultTenant.settings.publicUrl).hostname;
}

function isOwnOrigin(origin: string, named: string, host: TenantRegistry): boolean {
  const called = URL.canParse(`http://${named}`) ? new URL(`http://${named}`).origin : undefined;
  const advertised = new URL(host.defaultTenant.settings.publicUrl).origin;
  return origin === advertised || (origin === called && hasOwnName(origin, host));
}
