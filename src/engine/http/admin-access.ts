/** Who may call the admin API. */
import type { HonoRequest } from "hono";
import { ApiError } from "../core/errors.ts";
import { isSameText } from "../core/constant-time.ts";
import type { Operation } from "../core/operation.ts";
import type { Control, TenantRegistry } from "../runtime/tenants/tenant-registry.ts";

/** @throws 401 for a call without the admin token of the server, if the server has one */
export function requireAdminToken(req: HonoRequest, operation: Operation<Control>, { adminToken }: TenantRegistry): void {
  if (adminToken === undefined || isOpen(operation)) return;
  const secret = req.header("x-docdouble-admin-token") ?? tokenOf(req.header("authorization")) ?? "";
  if (isSameText(adminToken, secret)) return;
  throw new ApiError("unauthenticated", "The admin token is missing or wrong.", {
    why: "the admin API needs its token: send the header x-docdouble-admin-token, or enter the token as the password in a browser",
    ...(operation.id === "adminInspector"
      ? { headers: { "www-authenticate": 'Basic realm="docdouble: any name, the admin token as password"' } }
      : {}),
  });
}

/** Operations that show only the state of the server, for health checks. */
function isOpen({ id, security }: Operation<Control>): boolean {
  return id === "adminHealth" || id === "adminReady" || id === "health" || security === "none";
}

function tokenOf(header: string | undefined): string | undefined {
  const [, scheme, secret] = /^(bearer|basic) +(\S+)$/i.exec(header ?? "") ?? [];
  if (scheme?.toLowerCase() !== "basic") return secret;
  const pair = Buffer.from(secret ?? "", "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}
