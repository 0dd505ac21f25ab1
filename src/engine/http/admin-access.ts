/** Who calls the admin API, and which tenants the caller reaches. The token of the server reaches all, that of a tenant only its own. */
import type { HonoRequest } from "hono";
import { ApiError, forbidden, tenantNotListed } from "../core/errors.ts";
import { isSameText } from "../core/constant-time.ts";
import type { Operation } from "../core/operation.ts";
import { redactText } from "../journal/redact.ts";
import { ownTenant } from "../runtime/tenants/own-tenant.ts";
import { type Control, TENANT_KEY, type TenantRegistry, tenantOf } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";

export interface Admitted {
  /** As in `AdminCall`. */
  who: string;
  host: TenantRegistry;
  tenant: Tenant;
}

/** Fills `admitted` step by step, so that the log knows who was refused. @throws 401 and 403 */
export function admit(
  req: HonoRequest,
  operation: Operation<Control>,
  host: TenantRegistry,
  admitted: Partial<Admitted>,
): Pick<Admitted, "host" | "tenant"> {
  const header = req.header("authorization");
  const secret = req.header("x-docdouble-admin-token") ?? tokenOf(header) ?? "";
  const owner = isOpen(operation) ? undefined : ownerOf(host, secret, operation, admitted);
  if (owner === undefined) {
    if (!isOpen(operation) && operation.id !== CREATE) requireAdmitted(host, header);
    admitted.tenant = tenantOf(host, header);
    return { host, tenant: admitted.tenant };
  }
  if (!namesOwn(host, owner, header, secret))
    throw forbidden(`this is the token of the tenant ${owner.id}, and the Authorization header does not belong to that tenant`);
  admitted.tenant = owner;
  return { host: ownTenant(host, owner, secret), tenant: owner };
}

/** Lists a tenant. Behind a proxy, the key of the new tenant finds its server. */
const CREATE = "adminCreateTenant";

/** Operations that show only the state of the server, for health checks. */
function isOpen({ id, security }: Operation<Control>): boolean {
  return id === "adminHealth" || id === "adminReady" || id === "health" || security === "none";
}

/** The tenant of a tenant's token, or undefined for somebody who reaches all tenants. @throws 401 */
function ownerOf(
  host: TenantRegistry,
  secret: string,
  operation: Operation<Control>,
  admitted: Partial<Admitted>,
): Tenant | undefined {
  if (host.adminToken === undefined) {
    admitted.who = "anybody";
    return undefined;
  }
  if (isSameText(host.adminToken, secret)) {
    admitted.who = "server";
    return undefined;
  }
  const id = host.grants.ownerOf(secret);
  const owner = id === undefined ? undefined : host.find(id);
  if (owner) {
    admitted.who = owner.id;
    return owner;
  }
  admitted.who = "nobody";
  throw new ApiError("unauthenticated", "The admin token is missing or wrong.", {
    why: "the admin API needs its token: send the header x-docdouble-admin-token, or enter the token as the password in a browser",
    ...(operation.id === "adminInspector"
      ? { headers: { "www-authenticate": 'Basic realm="docdouble: any name, the admin token as password"' } }
      : {}),
  });
}

/** A key that is not listed would otherwise mean the default tenant. @throws 401 */
function requireAdmitted({ service, grants }: TenantRegistry, header: string | undefined): void {
  const { scheme, secret = "" } = service.access.credentials(header) ?? {};
  if (scheme !== "api-key" || !TENANT_KEY.test(secret) || grants.admits(secret)) return;
  throw tenantNotListed("This server does not know the tenant of this key.");
}

/** Opens no tenant, and tells nothing about others: an unknown key and a foreign one look the same. */
function namesOwn(host: TenantRegistry, own: Tenant, header: string | undefined, token: string): boolean {
  const { scheme, secret } = host.service.access.credentials(header) ?? {};
  if (secret === undefined || secret === token) return true;
  // Each world has the keys of its fixtures too, and as keys of calls they mean the default tenant.
  return scheme === "api-key" && TENANT_KEY.test(secret) ? secret === own.id : tenantOf(host, header) === own;
}

function tokenOf(header: string | undefined): string | undefined {
  const [, scheme, secret] = /^(bearer|basic) +(\S+)$/i.exec(header ?? "") ?? [];
  if (scheme?.toLowerCase() !== "basic") return secret;
  const pair = Buffer.from(secret ?? "", "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

/** Tells the log about a call. Probes of health get no line, and an error of the log changes no answer. */
export function noteCall(
  host: TenantRegistry,
  req: HonoRequest,
  operation: Operation<Control>,
  { who, tenant }: Partial<Admitted>,
  status: number,
): void {
  if (!host.onAdminCall || isOpen(operation)) return;
  try {
    host.onAdminCall({
      who: who ?? "nobody",
      operation: operation.id,
      method: req.method,
      path: redactText(new URL(req.url).pathname),
      tenant: tenant?.id,
      status,
    });
  } catch (error) {
    host.onBug(error);
  }
}
