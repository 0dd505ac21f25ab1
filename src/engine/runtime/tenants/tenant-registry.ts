import type { ApiError } from "../../core/errors.ts";
import type { AdminOperation } from "../../core/verb.ts";
import type { AdminCall } from "../admin-call.ts";
import type { Service } from "../service.ts";
import type { TenantGrants } from "./grants.ts";
import type { EvictedTenant } from "./tenant-eviction.ts";
import type { DataHealth } from "../../store/log-file.ts";
import type { Tenant } from "./tenant.ts";

export const TENANT_KEY = /^test-.+/;

export interface TenantRegistry<T extends Tenant = Tenant> {
  readonly service: Service;
  readonly surfaces: Surfaces;
  readonly version: string;
  /** Real milliseconds of `systemClock.elapsed`. */
  readonly startedAt: number;
  readonly defaultTenant: T;
  readonly adminToken: string | undefined;
  /** The inspector's page sends it with each change. Pages of other origins cannot read it. */
  readonly pageToken: string;
  readonly isLoopback: boolean;
  readonly checkReplies: boolean;
  readonly grants: Pick<TenantGrants, "isClosed" | "admits" | "ownerOf" | "require" | "give">;
  /** The registry of all tenants, where this one shows a single tenant. Only limits of the process may ask it. */
  readonly whole: TenantRegistry;
  /** Hears each call of the admin API, after its answer. */
  readonly onAdminCall: ((call: AdminCall) => void) | undefined;
  /** The server shows a saved world, and changes nothing. */
  readonly isReadOnly: boolean;
  readonly closing: AbortSignal;
  readonly data: DataHealth | undefined;
  tenants(): Iterable<T>;
  find(id: string): T | undefined;
  /** Creates an unknown tenant from the fixtures. Counts as a use. */
  open(id: string): T;
  evictedTenants(): EvictedTenant[];
  ownerOf(collection: string, key: string): string | undefined;
  drop(id: string): boolean;
  eachTenant(run: (tenant: T) => void): void;
  onBug(error: unknown): void;
}

export function tenantOf<T extends Tenant>(host: TenantRegistry<T>, header: string | undefined): T {
  const { access } = host.service;
  const credentials = access.credentials(header);
  if (!credentials) return host.defaultTenant;
  const { scheme, secret } = credentials;
  if (scheme === "api-key" && TENANT_KEY.test(secret) && host.grants.admits(secret)) return host.open(secret);
  const main = host.defaultTenant;
  if (access.secrets.some((name) => rowIn(main, name, secret))) return main;
  for (const name of access.secrets) {
    const found = tenantWith(host, name, secret);
    if (found) return found;
  }
  return main;
}

/** The tenant of the row with this id, token or link. The default tenant comes first. Counts as a use. */
export function tenantWith<T extends Tenant>(host: TenantRegistry<T>, collection: string, key: string): T | undefined {
  const main = host.defaultTenant;
  if (rowIn(main, collection, key)) return host.open(main.id);
  const owner = host.ownerOf(collection, key);
  return owner === undefined ? undefined : host.open(owner);
}

export function rowIn({ store }: Tenant, collection: string, key: string): unknown {
  return (store as unknown as Record<string, { get(id: string): unknown } | undefined>)[collection]?.get(key);
}

export interface Control<T extends Tenant = Tenant> {
  readonly host: TenantRegistry<T>;
  readonly tenant: T;
  /** Aborts when the client closes the connection before the answer. */
  readonly signal?: AbortSignal;
}

/** Routes and pages beside the operations of the service. */
export interface Surfaces {
  /** Operations of the admin API. */
  readonly verbs: readonly AdminOperation<Control>[];
  readonly pages: readonly PageRoute[];
  /** What `/` shows: a page for a browser, a short text for a program such as curl. */
  readonly landing: (host: TenantRegistry, isPage: boolean) => Response;
  readonly refusal: (host: TenantRegistry, error: ApiError) => Response;
}

export interface PageRoute {
  readonly method: string;
  /** Parameters begin with a colon, as in hono. */
  readonly path: string;
  /** The page is not about a tenant, so a server that only shows a world has it too. */
  readonly isGeneral?: true;
  run(context: never): Response | Promise<Response>;
}
