/** A world file holds one tenant as JSON, which `gzip` may have packed. */
import { gunzipSync } from "node:zlib";
import type { Rows } from "./store.ts";

const FORMAT = "docdouble-world";
const VERSION = 1;
/** The most bytes of a world, also after `gunzip`. */
export const WORLD_BYTES_MAX = 512 * 1024 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

export interface SavedWorld<Kept> {
  tenant: string;
  rows: Rows;
  /** The state outside the rows. */
  kept: Kept;
}

/** The file does not hold a complete world. The message is a sentence that follows the name of the file. */
export class WorldFileError extends Error {
  override readonly name = "WorldFileError";
}

export function encodeWorld<Kept>(world: SavedWorld<Kept>): Buffer {
  return Buffer.from(`${JSON.stringify({ format: FORMAT, version: VERSION, ...world })}\n`);
}

/** @throws WorldFileError for a file that is foreign, newer, damaged or cut */
export function decodeWorld<Kept>(given: Uint8Array): SavedWorld<Kept> {
  const text = unpacked(given).toString("utf8");
  if (text.startsWith('[["'))
    throw new WorldFileError("is a data file, not a world: start docdouble with --data and save a world");
  const version = versionOf(text);
  if (version === undefined) throw new WorldFileError("is not a world of docdouble");
  if (version > VERSION)
    throw new WorldFileError(
      `was written by a newer docdouble: its format has version ${version}, and this one reads ${VERSION}`,
    );
  const { tenant, rows, kept } = parsed(text);
  if (typeof tenant !== "string" || !isRecord(rows) || !isRecord(kept)) throw new WorldFileError("holds no complete world");
  return { tenant, rows: rows as Rows, kept: kept as Kept };
}

/** The version that the start of the text names, also in a later format. */
function versionOf(text: string): number | undefined {
  const [, version] = new RegExp(`"format":\\s*"${FORMAT}",\\s*"version":\\s*(\\d{1,9})`).exec(text.slice(0, 2000)) ?? [];
  return version === undefined ? undefined : Number(version);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    throw new WorldFileError("is damaged or cut: it is not complete JSON");
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unpacked({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const tooLarge = () => new WorldFileError(`has more than ${WORLD_BYTES_MAX / 1024 / 1024} MiB`);
  if (byteLength > WORLD_BYTES_MAX) throw tooLarge();
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (!bytes.subarray(0, GZIP.length).equals(GZIP)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: WORLD_BYTES_MAX });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new WorldFileError("is damaged: gunzip cannot read it");
  }
}
