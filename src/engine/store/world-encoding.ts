/**
 * A world file holds one tenant, in the format of a compacted data file. The reader of data files reads it, and refuses everything that is
 * not complete.
 */
import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";
import { joined, type Pieces } from "../core/turns.ts";
import { type Fold, stateReader, wholeRecords } from "./database.ts";
import { endOfWhole, header, type ReadLog, readLog, VERSION, versionOf } from "./log-load.ts";
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
export function* encodeWorld(tenant: string, rows: StoreData, kept: Iterable<unknown>): Pieces<Buffer> {
  const chain = new LineChain();
  const lines = [header(chain, true)];
  for (const record of wholeRecords(tenant, rows, kept)) {
    lines.push(chain.encode(record));
    yield;
  }
  lines.push(endOfWhole(chain, chain.last));
  return yield* joined(lines);
}

/** @param bytes not packed. @throws WorldFileError for a file that is foreign, newer, damaged or cut */
export function* decodeWorld(bytes: Buffer, fold: Fold): Pieces<SavedWorld> {
  const file = FileWindow.over(bytes);
  const version = versionOf(file);
  if (version !== undefined && version > VERSION)
    throw new WorldFileError(
      `was written by a newer docdouble: its format has version ${version}, and this one reads ${VERSION}`,
    );
  const { data, apply } = stateReader(fold);
  const read = yield* readStrictly(file, apply);
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

function* readStrictly(file: FileWindow, apply: (record: unknown) => void): Pieces<ReadLog | undefined> {
  try {
    return yield* readLog(file, apply);
  } catch {
    throw new WorldFileError("is damaged: a line is not JSON, or not a record");
  }
}

/** @throws WorldFileError */
export function unpacked(given: Uint8Array): Buffer {
  const bytes = bounded(given);
  if (!isPacked(bytes)) return bytes;
  try {
    return gunzipSync(bytes, UNPACKED);
  } catch (error) {
    throw notUnpacked(error);
  }
}

/** As `unpacked`, beside other work. */
export async function unpackedBeside(given: Uint8Array): Promise<Buffer> {
  const bytes = bounded(given);
  if (!isPacked(bytes)) return bytes;
  return promisify(gunzip)(bytes, UNPACKED).catch((error: unknown) => Promise.reject(notUnpacked(error)));
}

function bounded({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  if (byteLength > WORLD_BYTES_MAX) throw new WorldFileError(TOO_LARGE);
  return Buffer.from(buffer, byteOffset, byteLength);
}

function isPacked(bytes: Buffer): boolean {
  return bytes.subarray(0, GZIP.length).equals(GZIP);
}

function notUnpacked(error: unknown): WorldFileError {
  const { code } = error as NodeJS.ErrnoException;
  return new WorldFileError(code === "ERR_BUFFER_TOO_LARGE" ? TOO_LARGE : "is damaged: gunzip cannot read it");
}

const UNPACKED = { maxOutputLength: WORLD_BYTES_MAX };
const TOO_LARGE = `has more than ${WORLD_BYTES_MAX / 1024 / 1024} MiB`;
