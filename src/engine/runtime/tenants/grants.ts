/** Who may use which tenant of a shared server: the list of tenants, the token of each, and its limits. */
import { createHash } from "node:crypto";
import { ApiError, badRequest } from "../../core/errors.ts";
import { unguessable } from "../../core/ids.ts";
import { isSameText } from "../../core/constant-time.ts";
import type { Journal } from "../../journal/journal.ts";
import { type Quota, TenantQuota } from "./quota.ts";

/** What the operator gave a tenant. The data file keeps it, and no world file holds it. */
export interface Grant {
  readonly isListed?: boolean | undefined;
  /** The SHA-256 of its admin token. */
  readonly token?: string | undefined;
  readonly quota?: Quota | undefined;
}

/** The part of a shared server that one tenant has. */
export class TenantShare {
  grant: Grant = {};
  readonly quota = new TenantQuota();
}

interface Granted {
  readonly id: string;
  readonly share: TenantShare;
  isExemptFromEviction: boolean;
  readonly journal: Pick<Journal, "limit">;
  touch(): void;
}

/** What a call asks for. A token is a text of the caller. */
export interface Asked {
  readonly keep?: boolean | undefined;
  readonly token?: string | undefined;
  readonly quota?: Quota | undefined;
}

export interface GrantOptions {
  /** Only listed tenants exist. */
  readonly isClosed: boolean;
  readonly adminToken: string | undefined;
  /** The limits of each tenant that gets no other ones. */
  readonly quota: Quota;
  readonly tenantsMax: number;
}

export class TenantGrants {
  readonly #options: GrantOptions;
  readonly #tenants: ReadonlyMap<string, Granted>;
  readonly #owners = new Map<string, string>();

  constructor(options: GrantOptions, tenants: ReadonlyMap<string, Granted>) {
    this.#options = options;
    this.#tenants = tenants;
  }

  get isClosed(): boolean {
    return this.#options.isClosed;
  }

  /** Whether a call with this key may use its tenant. On an open server, it makes the tenant. */
  admits(id: string): boolean {
    return !this.isClosed || this.#tenants.get(id)?.share.grant.isListed === true;
  }

  /** The tenant whose token this is. */
  ownerOf(secret: string): string | undefined {
    return secret === "" ? undefined : this.#owners.get(hashOf(secret));
  }

  /** Before a tenant opens for `asked`. @throws 400 for a token that cannot be one, 409 when the list is full */
  require(id: string, { token }: Asked): void {
    const { adminToken, tenantsMax, isClosed } = this.#options;
    if (token !== undefined) {
      if (adminToken === undefined)
        throw badRequest("This server has no admin token, so everybody reaches every tenant. Start it with --admin-token first.");
      const owner = this.ownerOf(token);
      if (isSameText(adminToken, token) || (owner !== undefined && owner !== id))
        throw badRequest("Another tenant or the server has this token already. Choose another one.");
    }
    const isNew = this.#tenants.get(id)?.share.grant.isListed !== true;
    const listed = [...this.#tenants.values()].filter((one) => one.isExemptFromEviction).length;
    if (isClosed && isNew && listed >= tenantsMax)
      throw new ApiError("conflict", `This server lists ${listed} tenants, and holds at most ${tenantsMax}. Delete one first.`);
  }

  /** Notes what a tenant gets. Returns the token, if it is new. */
  give(tenant: Granted, { token, quota, keep }: Asked): string | undefined {
    const { isClosed, adminToken } = this.#options;
    const needsToken = isClosed && adminToken !== undefined && tenant.share.grant.token === undefined;
    const fresh = token ?? (needsToken ? unguessable() : undefined);
    if (fresh !== undefined && tenant.share.grant.token !== undefined) this.#owners.delete(tenant.share.grant.token);
    if (fresh !== undefined || quota !== undefined || (isClosed && !tenant.share.grant.isListed))
      tenant.share.grant = {
        ...tenant.share.grant,
        ...(isClosed ? { isListed: true } : {}),
        ...(fresh === undefined ? {} : { token: hashOf(fresh) }),
        ...(quota === undefined ? {} : { quota: { ...tenant.share.grant.quota, ...quota } }),
      };
    tenant.isExemptFromEviction = keep ?? tenant.isExemptFromEviction;
    this.adopt(tenant);
    tenant.touch();
    return fresh;
  }

  /** A tenant with a grant stays, because a later one of its name would have neither token nor limits. */
  adopt(tenant: Granted): void {
    const { token, quota, isListed } = tenant.share.grant;
    if (token !== undefined) {
      this.#owners.set(token, tenant.id);
    }
    tenant.isExemptFromEviction ||= isListed === true || token !== undefined || quota !== undefined;
    tenant.share.quota.limits = { ...this.#options.quota, ...quota };
    tenant.journal.limit(tenant.share.quota.limits.journal);
  }

  drop({ share }: Pick<Granted, "share">): void {
    const { token } = share.grant;
    if (token !== undefined) this.#owners.delete(token);
  }
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
