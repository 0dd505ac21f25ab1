/**
 * A world file holds one tenant, in the format of a compacted data file. The reader of data files reads it, and refuses everything that is
 * not complete.
 */
import { gunzipSync } from "node:zlib";
import { type Fold, stateReader, wholeRecords } from "./database.ts";
import { endOfWhole, header, readLog, VERSION, versionOf } from "./log-load.ts";
import { FileWindow, LineChain } from "./records.ts";
import type { StoreData } from "./store.ts";

export interface SavedWorld {
  tenant: string;
  rows: StoreData;
  /** The state outside the rows. */
  kept: unknown;
}

/** The file does not hold a complete world. The message is a sentence that follows the name of the file. */
export class WorldFileError extends Error {
  override readonly name = "WorldFileError";
}

/** The most bytes of a world, also after `gunzip`. */
export const WORLD_BYTES_MAX = 512 * 1024 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** @param kept the state outside the rows, as changes */
export function encodeWorld(tenant: string, rows: StoreData, kept: Iterable<unknown>): Buffer {
  const chain = new LineChain();
  const lines = [header(chain, true)];
  for (const record of wholeRecords(tenant, rows, kept)) lines.push(chain.encode(record));
  lines.push(endOfWhole(chain, chain.last));
  return Buffer.concat(lines);
}

/** @throws WorldFileError for a file that is foreign, newer, damaged or cut */
export function decodeWorld(given: Uint8Array, fold: Fold): SavedWorld {
  const bytes = unpacked(given);
  const file = new FileWindow(bytes.length, (buffer, position) => bytes.copy(buffer, 0, position));
  const version = versionOf(file);
  if (version !== undefined && version > VERSION)
    throw new WorldFileError(
      `was written by a newer docdouble: its format has version ${version}, and this one reads ${VERSION}`,
    );
  const { data, apply } = stateReader(fold);
  const read = readStrictly(file, apply);
  if (read === undefined)
    throw new WorldFileError(version === undefined ? "is not a world of docdouble" : "is damaged within its first line");
  if (read.isWhole && read.wholeSize === 0) throw new WorldFileError(DATA_FILE);
  if (read.stop < bytes.length) throw new WorldFileError(`is damaged at byte ${read.stop} of ${bytes.length}`);
  if (!read.isWhole) throw new WorldFileError(`is cut: it ends at byte ${bytes.length}, and the rest is missing`);
  const [tenant, ...others] = Object.keys(data.tenants);
  if (tenant === undefined || others.length > 0 || read.end !== read.wholeSize) throw new WorldFileError(DATA_FILE);
  return { tenant, rows: data.tenants[tenant] as StoreData, kept: data.kept[tenant] };
}

/** The refusal of a data file. Such a file may hold several tenants, and names scenarios that it does not hold. */
export const DATA_FILE = "is a data file, not a world: start docdouble with --data and save a world";

function readStrictly(file: FileWindow, apply: (record: unknown) => void) {
  try {
    return readLog(file, apply);
  } catch {
    throw new WorldFileError("is damaged: a line is not JSON, or not a record");
  }
}

function unpacked(given: Uint8Array): Buffer {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length > WORLD_BYTES_MAX) throw new WorldFileError(TOO_LARGE);
  if (!bytes.subarray(0, GZIP.length).equals(GZIP)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: WORLD_BYTES_MAX });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WorldFileError(code === "ERR_BUFFER_TOO_LARGE" ? TOO_LARGE : "is damaged: gunzip cannot read it");
  }
}

const TOO_LARGE = `has more than ${WORLD_BYTES_MAX / 1024 / 1024} MiB`;
