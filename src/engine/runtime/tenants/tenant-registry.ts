import { parseAuthorization } from "../../../service/domain/oauth/credentials.ts";
import type { EvictedTenant } from "./tenant-eviction.ts";
import type { DataHealth } from "../../store/log-file.ts";
import type { Tenant } from "./tenant.ts";
import type { IndexedCollection } from "./tenant-index.ts";

export const TENANT_KEY = /^test-.+/;

export interface TenantRegistry {
  readonly version: string;
  readonly startedAt: number;
  readonly defaultTenant: Tenant;
  readonly adminToken: string | undefined;
  /** The inspector's page sends it with each change. Pages of other origins cannot read it. */
  readonly pageToken: string;
  readonly isLoopback: boolean;
  readonly checkReplies: boolean;
  readonly closing: AbortSignal;
  readonly data: DataHealth | undefined;
  tenants(): Iterable<Tenant>;
  find(id: string): Tenant | undefined;
  /** Creates an unknown tenant from the fixtures. Counts as a use. */
  open(id: string): Tenant;
  evictedTenants(): EvictedTenant[];
  ownerOf(collection: IndexedCollection, key: string): string | undefined;
  drop(id: string): boolean;
  eachTenant(run: (tenant: Tenant) => void): void;
  onBug(error: unknown): void;
}

export function tenantOf(host: TenantRegistry, header: string | undefined): Tenant {
  const credentials = parseAuthorization(header);
  if (!credentials) return host.defaultTenant;
  const { scheme, secret } = credentials;
  if (scheme === "api-key" && TENANT_KEY.test(secret)) return host.open(secret);
  const main = host.defaultTenant;
  if (main.store.api_keys.get(secret) || main.store.tokens.get(secret)) return main;
  return tenantWith(host, "api_keys", secret) ?? tenantWith(host, "tokens", secret) ?? main;
}

/** A token request may have no key. The code or refresh token in its form then selects the tenant. */
export function tenantOfGrant(host: TenantRegistry, header: string | undefined, body: Uint8Array | Error): Tenant {
  const main = tenantOf(host, header);
  if (header !== undefined || body instanceof Error) return main;
  const form = new URLSearchParams(Buffer.from(body).toString());
  const [code, token] = [form.get("code") ?? "", form.get("refresh_token") ?? ""];
  return tenantWith(host, "oauth_codes", code) ?? tenantWith(host, "tokens", token) ?? main;
}

/** The tenant of the row with this id, token or link. The default tenant comes first. Counts as a use. */
export function tenantWith(host: TenantRegistry, collection: IndexedCollection, key: string): Tenant | undefined {
  const main = host.defaultTenant;
  if (collection !== "documents" && main.store[collection].get(key)) return host.open(main.id);
  const owner = host.ownerOf(collection, key);
  return owner === undefined ? undefined : host.open(owner);
}

export interface Control {
  readonly host: TenantRegistry;
  readonly tenant: Tenant;
}
