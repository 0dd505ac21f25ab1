/** A registry that shows one tenant alone, for calls with the token of that tenant. */
import { forbidden } from "../../core/errors.ts";
import { rowIn, type TenantRegistry } from "./tenant-registry.ts";
import type { Tenant } from "./tenant.ts";

/** Every member is here, so a new one of the registry does not compile until somebody decides what a tenant sees of it. */
export function ownTenant(host: TenantRegistry, own: Tenant, token: string): TenantRegistry {
  const refuse = (): never => {
    throw forbidden(`this is the token of the tenant ${own.id}; this call needs the admin token of the server`);
  };
  return {
    service: host.service,
    surfaces: host.surfaces,
    version: host.version,
    startedAt: host.startedAt,
    isLoopback: host.isLoopback,
    checkReplies: host.checkReplies,
    isReadOnly: host.isReadOnly,
    closing: host.closing,
    data: host.data,
    pageToken: host.pageToken,
    whole: host.whole,
    onAdminCall: host.onAdminCall,
    onBug: (error) => host.onBug(error),
    defaultTenant: own,
    adminToken: token,
    tenants: () => [own],
    find: (id) => (id === own.id ? own : undefined),
    open: (id) => (id === own.id ? own : refuse()),
    ownerOf: (collection, key) => (rowIn(own, collection, key) ? own.id : undefined),
    drop: refuse,
    evictedTenants: () => [],
    eachTenant: (run) => run(own),
    grants: {
      isClosed: host.grants.isClosed,
      admits: (id) => id === own.id,
      ownerOf: (secret) => (host.grants.ownerOf(secret) === own.id ? own.id : undefined),
      require: refuse,
      give: refuse,
    },
  };
}
