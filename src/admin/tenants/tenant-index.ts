/**
 * Finds the tenant that holds a key, a token or a link, for calls without a tenant's key. Lookups take constant time with any number
 * of tenants. Writes are cheap: the next lookup indexes the written rows.
 */
import type { WriteLog } from "../../store/store.ts";
import type { Tenant } from "./tenant.ts";
import type { TokenRow } from "../../domain/oauth/rows.ts";
import type { DocumentRow } from "../../domain/document-model/rows.ts";
import type { EditingSessionRow } from "../../domain/templates/rows.ts";

/** The indexed collections, each with the keys of a row. */
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
  readonly #find: (id: string) => Tenant | undefined;
  /** `collection/key` to the first tenant that had it. */
  readonly #owners = new Map<string, string>();
  /** By tenant and `collection/id`: the entries of the row in `#owners`. */
  readonly #entries = new Map<string, Map<string, string[]>>();
  /** Rows written since the last lookup, by tenant and collection; `all` after every row was replaced. */
  readonly #written = new Map<string, Map<IndexedCollection, Set<string>> | "all">();

  constructor(find: (id: string) => Tenant | undefined) {
    this.#find = find;
  }

  /** A write log that records the rows of a tenant and forwards them to `next`. */
  log(tenant: string, next: WriteLog | undefined): WriteLog {
    this.#written.set(tenant, "all");
    return {
      wrote: (collection, id) => {
        if (Object.hasOwn(KEYS, collection)) this.#note(tenant, collection as IndexedCollection, id);
        next?.wrote(collection, id);
      },
      replaced: () => {
        this.#written.set(tenant, "all");
        next?.replaced();
      },
    };
  }

  #note(tenant: string, collection: IndexedCollection, id: string): void {
    let written = this.#written.get(tenant);
    if (written === "all") return;
    if (!written) {
      written = new Map();
      this.#written.set(tenant, written);
    }
    const ids = written.get(collection);
    if (ids) ids.add(id);
    else written.set(collection, new Set([id]));
  }

  drop(tenant: string): void {
    this.#written.delete(tenant);
    this.#clear(tenant);
  }

  /** The id of the tenant that has a row with this key. */
  find(collection: IndexedCollection, key: string): string | undefined {
    for (const [tenant, written] of this.#written) this.#file(tenant, written);
    this.#written.clear();
    return this.#owners.get(`${collection}/${key}`);
  }

  #file(id: string, written: Map<IndexedCollection, Set<string>> | "all"): void {
    const tenant = this.#find(id);
    if (!tenant) return;
    if (written === "all") {
      this.#clear(id);
      for (const collection of COLLECTIONS)
        for (const row of tenant.store[collection].all()) this.#enter(tenant, collection, row.id);
    } else for (const [collection, ids] of written) for (const row of ids) this.#enter(tenant, collection, row);
  }

  /** Indexes a row again, or removes a deleted one. */
  #enter({ id: tenant, store }: Tenant, collection: IndexedCollection, id: string): void {
    let entries = this.#entries.get(tenant);
    if (!entries) {
      entries = new Map();
      this.#entries.set(tenant, entries);
    }
    const name = `${collection}/${id}`;
    this.#leave(tenant, entries.get(name) ?? []);
    entries.delete(name);
    const row = store[collection].get(id);
    if (!row) return;
    const keys = KEYS[collection](row as never).map((key) => `${collection}/${key}`);
    entries.set(name, keys);
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
