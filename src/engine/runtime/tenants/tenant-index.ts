/**
 * Finds the tenant that holds a key, a token or a link. A lookup takes constant time with any number of tenants. A write only marks its
 * row, which the next lookup indexes.
 */
import type { WriteLog } from "../../store/store.ts";
import type { Tenant } from "./tenant.ts";
import type { TokenRow } from "../../../service/model/oauth/rows.ts";
import type { DocumentRow } from "../../../service/model/documents/document.ts";
import type { EditingSessionRow } from "../../../service/model/templates/rows.ts";
import { getOrMake } from "../../core/maps.ts";

const KEYS = {
  api_keys: ({ id }: { id: string }) => [id],
  tokens: ({ id, refresh_token }: TokenRow) => (refresh_token === null ? [id] : [id, refresh_token]),
  oauth_codes: ({ id }: { id: string }) => [id],
  sessions: ({ id }: { id: string }) => [id],
  documents: ({ recipients }: DocumentRow) =>
    recipients.flatMap(({ internal, members }) => [internal.link_token, ...members.map((one) => one.link_token)]),
  editing_sessions: ({ token }: EditingSessionRow) => [token],
  files: ({ id }: { id: string }) => [id],
  docx_files: ({ id }: { id: string }) => [id],
  notary_links: ({ id }: { id: string }) => [id],
} as const;

export type IndexedCollection = keyof typeof KEYS;

const COLLECTIONS = Object.keys(KEYS) as IndexedCollection[];

export class TenantIndex {
  readonly #collections: Readonly<Record<IndexedCollection, CollectionIndex>>;

  constructor(find: (id: string) => Tenant | undefined) {
    this.#collections = Object.fromEntries(COLLECTIONS.map((name) => [name, new CollectionIndex(name, find)])) as Record<
      IndexedCollection,
      CollectionIndex
    >;
  }

  log(tenant: string, next: WriteLog | undefined): WriteLog {
    const replaced = () => {
      for (const name of COLLECTIONS) this.#collections[name].replaced(tenant);
    };
    replaced();
    return {
      wrote: (collection, id) => {
        if (Object.hasOwn(KEYS, collection)) this.#collections[collection as IndexedCollection].wrote(tenant, id);
        next?.wrote(collection, id);
      },
      replaced: () => {
        replaced();
        next?.replaced();
      },
    };
  }

  drop(tenant: string): void {
    for (const name of COLLECTIONS) this.#collections[name].drop(tenant);
  }

  find(collection: IndexedCollection, key: string): string | undefined {
    return this.#collections[collection].find(key);
  }
}

/** Each collection has its own index, because the first call of a server needs only API keys. */
class CollectionIndex {
  readonly #name: IndexedCollection;
  readonly #tenantOf: (id: string) => Tenant | undefined;
  readonly #owners = new Map<string, string>();
  readonly #entries = new Map<string, Map<string, string[]>>();
  /** Rows written since the last lookup, by tenant. `all`: every row was replaced. */
  readonly #written = new Map<string, Set<string> | "all">();

  constructor(name: IndexedCollection, tenantOf: (id: string) => Tenant | undefined) {
    this.#name = name;
    this.#tenantOf = tenantOf;
  }

  replaced(tenant: string): void {
    this.#written.set(tenant, "all");
  }

  wrote(tenant: string, id: string): void {
    const written = this.#written.get(tenant);
    if (written === "all") return;
    if (written) written.add(id);
    else this.#written.set(tenant, new Set([id]));
  }

  drop(tenant: string): void {
    this.#written.delete(tenant);
    this.#clear(tenant);
  }

  find(key: string): string | undefined {
    for (const [id, written] of this.#written) {
      const tenant = this.#tenantOf(id);
      if (!tenant) continue;
      if (written === "all") {
        this.#clear(id);
        for (const row of tenant.store[this.#name].all()) this.#enter(tenant, row.id);
      } else for (const row of written) this.#enter(tenant, row);
    }
    this.#written.clear();
    return this.#owners.get(key);
  }

  #enter({ id: tenant, store }: Tenant, id: string): void {
    const entries = getOrMake(this.#entries, tenant, () => new Map<string, string[]>());
    this.#leave(tenant, entries.get(id) ?? []);
    entries.delete(id);
    const row = store[this.#name].get(id);
    if (!row) return;
    const keys = KEYS[this.#name](row as never);
    entries.set(id, keys);
    for (const key of keys) if (!this.#owners.has(key)) this.#owners.set(key, tenant);
  }

  #clear(tenant: string): void {
    for (const keys of this.#entries.get(tenant)?.values() ?? []) this.#leave(tenant, keys);
    this.#entries.delete(tenant);
  }

  #leave(tenant: string, keys: readonly string[]): void {
    for (const key of keys) if (this.#owners.get(key) === tenant) this.#owners.delete(key);
  }
}
