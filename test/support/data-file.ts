/** A data file in a temporary folder, and disks that fail like real disks. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { table } from "../../src/engine/store/collection.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../../src/engine/store/database.ts";
import { type Disk, realDisk } from "../../src/engine/store/disk.ts";
import { openStore, type Store } from "../../src/engine/store/store.ts";
import type { Row } from "../../src/engine/store/row.ts";

export interface Thing extends Row {
  kind?: string;
  text?: string;
}

export const thingTables = {
  things: table<Thing>()({ indexes: { kind: (row) => row.kind } }),
  others: table<Thing>()({ indexes: { kind: (row) => row.kind } }),
};

export function temporary(name = "state.json"): string {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

export interface Opened {
  database: Database;
  /** The store of the default tenant. */
  store: Store<typeof thingTables>;
  notices: string[];
}

/** Opens a data file with a store over its default tenant, until the test ends. */
export async function opened(file: string, options: DatabaseOptions = {}): Promise<Opened> {
  const notices: string[] = [];
  const database = await openDatabase(file, { onNotice: (text) => notices.push(text), ...options });
  onTestFinished(() => database.close().catch(() => {}));
  return { database, store: storeOf(database), notices };
}

export function storeOf(database: Database, tenant = "default"): Store<typeof thingTables> {
  return openStore(thingTables, database.part(tenant), {
    log: database.log(tenant),
    onChange: () => database.changed(tenant),
  });
}

/** Resolves when the changes of this turn are written. */
export const turn = (): Promise<void> => Promise.resolve().then(() => {});

export class DiskError extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(`${code}: ${text}, write`);
    this.code = code;
  }
}

/** A disk with a number of free bytes. It writes a part of a larger text, like a real disk. */
export function fullDisk(): Disk & { left: number } {
  const room = (bytes: Uint8Array, put: (part: Uint8Array) => void): void => {
    const part = bytes.subarray(0, disk.left);
    put(part);
    disk.left -= part.length;
    if (part.length < bytes.length) throw new DiskError("ENOSPC", "no space left on device");
  };
  const disk = {
    ...realDisk,
    left: Number.POSITIVE_INFINITY,
    write: (fd: number, bytes: Uint8Array, position: number) => room(bytes, (part) => realDisk.write(fd, part, position)),
    writeSoon: async (fd: number, bytes: Uint8Array, position: number) =>
      room(bytes, (part) => realDisk.write(fd, part, position)),
  };
  return disk;
}
