import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { unguessable } from "../core/ids.ts";

const OWNER_ONLY = 0o600;

/** Writes a whole file that only its owner can read. A name that ends in `.gz` gets a packed file. @throws an error of the file system */
export function writeWorld(file: string, bytes: Uint8Array): void {
  // Beside the world, the user may have a file with any usual name, or a link to one.
  const draft = `${file}.${unguessable().slice(0, 8)}.new`;
  try {
    writeFileSync(draft, file.endsWith(".gz") ? gzipSync(bytes, { level: 1 }) : bytes, { mode: OWNER_ONLY, flag: "wx" });
    chmodSync(draft, OWNER_ONLY);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
