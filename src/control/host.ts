/** All tenants of a process, and how a request finds its own. */
import { parseAuthorization } from "../domain/auth.ts";
import type { GivenBack } from "./give-back.ts";
import type { DataHealth } from "../store/log-file.ts";
import type { Tenant } from "./tenant.ts";

/** A key that begins so is a tenant of its own. */
export const TENANT_KEY = /^test-.+/;

export interface Host {
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
  givenBack(): GivenBack[];
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
  return findTenant(host, (tenant) => holds(tenant, secret) || undefined)?.tenant ?? main;
}

/** The tenant of a request for a token, which may carry no key: that of the code or refresh token which its form brings. */
export async function tenantOfGrant(host: Host, request: Request): Promise<Tenant> {
  const header = request.headers.get("authorization") ?? undefined;
  const main = tenantOf(host, header);
  if (header !== undefined || main !== host.defaultTenant) return main;
  const form = new URLSearchParams(
    await request
      .clone()
      .text()
      .catch(() => ""),
  );
  const [code, token] = [form.get("code") ?? "", form.get("refresh_token") ?? ""];
  const issued = ({ store }: Tenant) =>
    store.oauth_codes.get(code) ?? (token === "" ? undefined : store.tokens.where("refresh_token", token)[0]);
  return findTenant(host, issued)?.tenant ?? main;
}

/** The first tenant that `look` finds something in, which counts as a use of it. */
export function findTenant<T>(host: Host, look: (tenant: Tenant) => T | undefined): { tenant: Tenant; found: T } | undefined {
  for (const tenant of host.tenants()) {
    const found = look(tenant);
    if (found !== undefined) return { tenant: host.open(tenant.id), found };
  }
  return undefined;
}

function holds(tenant: Tenant, secret: string): boolean {
  return tenant.store.api_keys.get(secret) !== undefined || tenant.store.tokens.get(secret) !== undefined;
}

/** What an admin handler may touch. */
export interface Control {
  readonly host: Host;
  readonly tenant: Tenant;
}
