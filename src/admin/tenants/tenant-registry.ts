/** All tenants of a process, and how a request finds its own. */
import { parseAuthorization } from "../../domain/oauth/credentials.ts";
import type { EvictedTenant } from "./tenant-eviction.ts";
import type { DataHealth } from "../../store/log-file.ts";
import type { Tenant } from "./tenant.ts";
import type { IndexedCollection } from "./tenant-index.ts";

/** A key that begins so is a tenant of its own. */
export const TENANT_KEY = /^test-.+/;

export interface TenantRegistry {
  readonly version: string;
  readonly startedAt: number;
  readonly defaultTenant: Tenant;
  readonly adminToken: string | undefined;
  /** What the inspector's page sends with each change: no other page can read it. */
  readonly pageToken: string;
  /** Reached from this machine alone. */
  readonly isLoopback: boolean;
  /** Check answers against their schemas: `throw` in tests, `off` in service. */
  readonly checkReplies: boolean;
  /** Fires when the process stops serving. */
  readonly closing: AbortSignal;
  /** How the data file stands; undefined without one. */
  readonly data: DataHealth | undefined;
  tenants(): Iterable<Tenant>;
  find(id: string): Tenant | undefined;
  /** The tenant of that name, made from the fixtures when it is new. Counts as a use of it. */
  open(id: string): Tenant;
  /** Those that were given back and did not come again, the last one first. */
  givenBack(): EvictedTenant[];
  /** The id of the tenant that has a row of this key. */
  ownerOf(collection: IndexedCollection, key: string): string | undefined;
  drop(id: string): boolean;
  /** Told of bugs: what no refusal explains. */
  onBug(error: unknown): void;
}

/** The tenant that an Authorization header belongs to; the default one when it names none. */
export function tenantOf(host: TenantRegistry, header: string | undefined): Tenant {
  const credentials = parseAuthorization(header);
  if (!credentials) return host.defaultTenant;
  const { scheme, secret } = credentials;
  if (scheme === "api-key" && TENANT_KEY.test(secret)) return host.open(secret);
  const main = host.defaultTenant;
  if (main.store.api_keys.get(secret) || main.store.tokens.get(secret)) return main;
  return tenantWith(host, "api_keys", secret) ?? tenantWith(host, "tokens", secret) ?? main;
}

/** The tenant of a request for a token, which may carry no key: that of the code or refresh token in its form. */
export function tenantOfGrant(host: TenantRegistry, header: string | undefined, body: Uint8Array | Error): Tenant {
  const main = tenantOf(host, header);
  if (header !== undefined || body instanceof Error) return main;
  const form = new URLSearchParams(Buffer.from(body).toString());
  const [code, token] = [form.get("code") ?? "", form.get("refresh_token") ?? ""];
  return tenantWith(host, "oauth_codes", code) ?? tenantWith(host, "tokens", token) ?? main;
}

/** The tenant that has a row of this id, token or link: the default one before others. Counts as a use of it. */
export function tenantWith(host: TenantRegistry, collection: IndexedCollection, key: string): Tenant | undefined {
  const main = host.defaultTenant;
  if (collection !== "documents" && main.store[collection].get(key)) return host.open(main.id);
  const owner = host.ownerOf(collection, key);
  return owner === undefined ? undefined : host.open(owner);
}

/** What an admin handler may touch. */
export interface Control {
  readonly host: TenantRegistry;
  readonly tenant: Tenant;
}
