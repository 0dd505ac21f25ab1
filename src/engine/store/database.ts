/**
 * The state of all tenants. lowdb holds it, and writes it through its adapter for memory or through the data file's. All changes of a
 * turn of the event loop are written at its end, before an answer leaves. No caller awaits the database.
 */
import { LowSync, MemorySync } from "lowdb";
import type { DataFile, DataHealth } from "./data-file.ts";
import { mapAt, type Saved } from "./data-lines.ts";
import type { StoreData, WriteLog } from "./store.ts";

/** What a tenant keeps beside its rows, by collection and id. */
export type KeptData = Record<string, Record<string, unknown>>;

/** Sets a value, which undefined removes, or all values of a collection by id. */
export type Put = (value: unknown, collection: string, id?: string) => void;

export class Database {
  readonly #file: DataFile | undefined;
  readonly #low: LowSync<Saved>;
  readonly #savers = new Map<string, (put: Put) => void>();
  readonly #changed = new Set<string>();
  #isWaiting = false;

  /** @throws as `read` of the file */
  constructor(file?: DataFile) {
    this.#file = file;
    this.#low = new LowSync<Saved>(file ?? new MemorySync<Saved>(), new Map());
    this.#low.read();
  }

  tenants(): string[] {
    return [...this.#low.data.keys()];
  }

  /** The rows of a tenant. Its store changes them in place. */
  rows(tenant: string): StoreData {
    return mapAt(this.#low.data, [tenant, "rows"]) as StoreData;
  }

  kept(tenant: string): KeptData {
    const collections = [...mapAt(this.#low.data, [tenant, "kept"])] as [string, Map<string, unknown>][];
    return Object.fromEntries(collections.map(([name, values]) => [name, Object.fromEntries(values)]));
  }

  /** `save` puts what changed beside the rows since its last call. */
  attach(tenant: string, save: (put: Put) => void): void {
    this.#savers.set(tenant, save);
  }

  log(tenant: string): WriteLog | undefined {
    const file = this.#file;
    return (
      file && {
        wrote: (collection, id) => {
          file.touch(tenant, "rows", collection, id);
          this.#writeSoon();
        },
        replaced: () => {
          file.touch(tenant, "rows");
          this.#writeSoon();
        },
      }
    );
  }

  changed(tenant: string): void {
    if (!this.#file) return;
    this.#changed.add(tenant);
    this.#writeSoon();
  }

  drop(tenant: string): void {
    this.#savers.delete(tenant);
    this.#low.data.delete(tenant);
    this.#file?.touch(tenant);
    this.#writeSoon();
  }

  get health(): DataHealth | undefined {
    return this.#file?.health;
  }

  /** Releases the file in any case. @throws when changes could not be written */
  close(): void {
    this.#write();
    this.#file?.close(this.#low.data);
  }

  #writeSoon(): void {
    if (this.#isWaiting || !this.#file) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      this.#write();
    });
  }

  #write(): void {
    for (const tenant of this.#changed) this.#savers.get(tenant)?.((...place) => this.#put(tenant, ...place));
    this.#changed.clear();
    this.#low.write();
  }

  #put(tenant: string, value: unknown, collection: string, id?: string): void {
    const kept = mapAt(this.#low.data, [tenant, "kept"]);
    if (id === undefined) kept.set(collection, new Map(Object.entries(value as object)));
    else if (value === undefined) mapAt(kept, [collection]).delete(id);
    else mapAt(kept, [collection]).set(id, value);
    this.#file?.touch(tenant, "kept", collection, ...(id === undefined ? [] : [id]));
  }
}
