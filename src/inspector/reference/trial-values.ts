/** Answers what the reference fills into the form of an operation: ids of the world that the key opens. It creates no world. */
import { ApiError } from "../../engine/core/errors.ts";
import { TENANT_KEY, tenantOf } from "../../engine/runtime/tenants/tenant-registry.ts";
import { type Host, service, type Tenant, type Trial, trialOf } from "../../service/service.ts";

const NONE: Trial = { params: {}, query: {}, body: undefined };

/** @param header - the Authorization header, which the calls of the form will send */
export function sendTrial(host: Host, header: string | undefined, operation: string): Response {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  const tenant = knownTenant(host, header);
  if (tenant === undefined) return Response.json(NONE, { headers });
  const caller = service.access.authenticate(tenant.world, header);
  if (caller instanceof ApiError) return Response.json({ ...NONE, why: caller.options.why }, { status: 401, headers });
  return Response.json(trialOf(tenant, (caller as unknown as { workspace_id: string }).workspace_id, operation), { headers });
}

function knownTenant(host: Host, header: string | undefined): Tenant | undefined {
  const secret = service.access.credentials(header)?.secret ?? "";
  return TENANT_KEY.test(secret) ? host.find(secret) : tenantOf(host, header);
}
