/** All tenants of a process, and how a request finds its own. */
import { parseAuthorization } from "../domain/auth.ts";
import type { Tenant } from "./tenant.ts";

/** A key that begins so is a tenant of its own. */
export const TENANT_KEY = /^test-.+/;
export const TENANTS_MAX = 5000;

export interface Host {
  readonly version: string;
  readonly startedAt: number;
  readonly defaultTenant: Tenant;
  readonly adminToken: string | undefined;
  /** Reached from this machine alone. */
  readonly isLoopback: boolean;
  /** Check answers against their schemas: `throw` in tests, `off` in service. */
  readonly checkReplies: boolean;
  /** Fires when the process stops serving. */
  readonly closing: AbortSignal;
  tenants(): Iterable<Tenant>;
  find(id: string): Tenant | undefined;
  /** The tenant of that name, made from the fixtures when it is new. */
  open(id: string): Tenant;
  drop(id: string): boolean;
  /** Told of bugs: what no refusal explains. */
  onBug(error: unknown): void;
}

/** The tenant that an Authorization header belongs to; the default one when it names none. */
export function tenantOf(host: Host, header: string | undefined): Tenant {
  const credentials = parseAuthorization(header);
  if (!credentials) return host.defaultTenant;
  const { scheme, secret } = credentials;
  if (scheme === "api-key" && TENANT_KEY.test(secret)) return host.open(secret);
  const main = host.defaultTenant;
  if (holds(main, secret)) return main;
  for (const tenant of host.tenants()) if (holds(tenant, secret)) return tenant;
  return main;
}

function holds(tenant: Tenant, secret: string): boolean {
  return tenant.store.api_keys.get(secret) !== undefined || tenant.store.tokens.get(secret) !== undefined;
}

/** What an admin handler may touch. */
export interface Control {
  readonly host: Host;
  readonly tenant: Tenant;
}
