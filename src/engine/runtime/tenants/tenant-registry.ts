import type { ApiError } from "../../core/errors.ts";
import type { AdminOperation } from "../../core/verb.ts";
import type { Service } from "../service.ts";
import type { Collection } from "../../store/collection.ts";
import type { DataHealth } from "../../store/data-file.ts";
import type { Row } from "../../store/row.ts";
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
  readonly closing: AbortSignal;
  readonly data: DataHealth | undefined;
  tenants(): Iterable<T>;
  find(id: string): T | undefined;
  /** Creates an unknown tenant from the fixtures. Counts as a use. */
  open(id: string): T;
  drop(id: string): boolean;
  eachTenant(run: (tenant: T) => void): void;
  onBug(error: unknown): void;
}

export function tenantOf<T extends Tenant>(host: TenantRegistry<T>, header: string | undefined): T {
  const { access } = host.service;
  const credentials = access.credentials(header);
  if (!credentials) return host.defaultTenant;
  const { scheme, secret } = credentials;
  if (scheme === "api-key" && TENANT_KEY.test(secret)) return host.open(secret);
  return firstWith(host, (tenant) => access.secrets.some((name) => holds(tenant, name, secret))) ?? host.defaultTenant;
}

/** The tenant of the row with this id, token or link. The default tenant comes first. Counts as a use. */
export function tenantWith<T extends Tenant>(host: TenantRegistry<T>, collection: string, key: string): T | undefined {
  return firstWith(host, (tenant) => holds(tenant, collection, key));
}

function firstWith<T extends Tenant>(host: TenantRegistry<T>, isOwner: (tenant: T) => boolean): T | undefined {
  if (isOwner(host.defaultTenant)) return host.defaultTenant;
  for (const tenant of host.tenants()) if (isOwner(tenant)) return host.open(tenant.id);
  return undefined;
}

function holds({ service, store }: Tenant, collection: string, key: string): boolean {
  const rows: Pick<Collection<Row>, "get" | "keys"> = store[collection as never];
  const index = service.access.keys[collection];
  return rows.get(key) !== undefined || (index !== undefined && rows.keys(index, key).size > 0);
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
  run(context: never): Response | Promise<Response>;
}
