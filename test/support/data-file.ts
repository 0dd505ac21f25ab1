/** A data file in a temporary folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { table } from "../../src/engine/store/collection.ts";
import { DataFile } from "../../src/engine/store/data-file.ts";
import { Database } from "../../src/engine/store/database.ts";
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
  /** Ends as a kill does: nothing more is written. */
  kill(): void;
}

/** Opens a data file with a store over its default tenant, until the test ends. */
export function opened(file: string): Opened {
  const notices: string[] = [];
  const data = new DataFile(file, (text) => notices.push(text));
  const database = new Database(data);
  let isOpen = true;
  const end = (close: () => void) => {
    if (!isOpen) return;
    isOpen = false;
    close();
  };
  onTestFinished(() =>
    end(() => {
      try {
        database.close();
      } catch {}
    }),
  );
  const close = database.close.bind(database);
  database.close = () => end(close);
  const kill = () =>
    end(() => {
      data.write = () => {};
      rmSync(`${file}.lock`, { force: true });
    });
  return { database, store: storeOf(database), notices, kill };
}

export function storeOf(database: Database, tenant = "default"): Store<typeof thingTables> {
  return openStore(thingTables, database.rows(tenant), {
    log: database.log(tenant),
    onChange: () => database.changed(tenant),
  });
}

/** Resolves when the changes of this turn are written. */
export const turn = (): Promise<void> => Promise.resolve().then(() => {});
