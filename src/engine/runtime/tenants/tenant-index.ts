/**
 * Finds the tenant that holds a key, a token or a link. A lookup takes constant time with any number of tenants. A write only marks its
 * row, which the next lookup indexes.
 */
import type { Collection } from "../../store/collection.ts";
import type { Row } from "../../store/row.ts";
import type { WriteLog } from "../../store/store.ts";
import type { Tenant } from "./tenant.ts";
import { getOrMake } from "../../core/maps.ts";

/** The texts that name a row, such as its id and its links. */
type KeysOf = (row: never) => readonly string[];

export class TenantIndex {
  readonly #collections: ReadonlyMap<string, CollectionIndex>;

  /** @param keys - by collection */
  constructor(keys: Readonly<Record<string, KeysOf>>, find: (id: string) => Tenant | undefined) {
    this.#collections = new Map(Object.entries(keys).map(([name, one]) => [name, new CollectionIndex(name, one, find)]));
  }

  log(tenant: string, next: WriteLog | undefined): WriteLog {
    const replaced = () => {
      for (const one of this.#collections.values()) one.replaced(tenant);
    };
    replaced();
    return {
      wrote: (collection, id) => {
        this.#collections.get(collection)?.wrote(tenant, id);
        next?.wrote(collection, id);
      },
      replaced: () => {
        replaced();
        next?.replaced();
      },
    };
  }

  drop(tenant: string): void {
    for (const one of this.#collections.values()) one.drop(tenant);
  }

  find(collection: string, key: string): string | undefined {
    return this.#collections.get(collection)?.find(key);
  }
}

/** Each collection has its own index, because the first call of a server needs only API keys. */
class CollectionIndex {
  readonly #name: string;
  readonly #keysOf: KeysOf;
  readonly #tenantOf: (id: string) => Tenant | undefined;
  readonly #owners = new Map<string, string>();
  readonly #entries = new Map<string, Map<string, readonly string[]>>();
  /** Rows written since the last lookup, by tenant. `all`: every row was replaced. */
  readonly #written = new Map<string, Set<string> | "all">();

  constructor(name: string, keysOf: KeysOf, tenantOf: (id: string) => Tenant | undefined) {
    this.#name = name;
    this.#keysOf = keysOf;
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
        for (const row of this.#rows(tenant).all()) this.#enter(tenant, row.id);
      } else for (const row of written) this.#enter(tenant, row);
    }
    this.#written.clear();
    return this.#owners.get(key);
  }

  #rows({ store }: Tenant): Pick<Collection<Row>, "all" | "get"> {
    return store[this.#name as never];
  }

  #enter(owner: Tenant, id: string): void {
    const tenant = owner.id;
    const entries = getOrMake(this.#entries, tenant, () => new Map<string, readonly string[]>());
    this.#leave(tenant, entries.get(id) ?? []);
    entries.delete(id);
    const row = this.#rows(owner).get(id);
    if (!row) return;
    const keys = this.#keysOf(row as never);
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
