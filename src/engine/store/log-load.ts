import { parseLeniently } from "../core/text.ts";
import { atOnce, type Pieces } from "../core/turns.ts";
import type { Disk } from "./disk.ts";
import { CHAIN_START, decode, FileWindow, hasRecordFrom, LineChain } from "./records.ts";

const FORMAT = "docdouble-data";
export const VERSION = 3;
/** Its lines are not chained. docdouble reads it, and rewrites it. */
const VERSION_UNCHAINED = 2;
const BLOCK_BYTES = 256 * 1024;
const HEAD_BYTES_MAX = 2000;
const VERSION_IN_HEAD = new RegExp(`"format":\\s*"${FORMAT}",\\s*"version":\\s*(\\d{1,9})`);

export function header(chain: LineChain, whole: boolean): Buffer {
  return chain.encode([JSON.stringify({ format: FORMAT, version: VERSION, ...(whole ? { whole } : {}) })]);
}

/** The end of the complete state in a compacted file. `next` is what the next line follows: it was written to the file before. */
export function endOfWhole(chain: LineChain, next: string): Buffer {
  return chain.encode([JSON.stringify({ whole: true, next })]);
}

interface Head {
  format?: string;
  version?: number;
  whole?: boolean;
}

/** `last` is the checksum that the next line follows. */
export type Loaded =
  | { is: "fresh" }
  | { is: "log"; size: number; wholeSize: number; last: string; isUnchained: boolean }
  | { is: "other"; value: unknown };

/** Applies every complete change and cuts off the rest. @throws when the file was cut within its whole state */
export function loadLog(
  disk: Disk,
  fd: number,
  path: string,
  notice: (text: string) => void,
  apply: (record: unknown) => void,
): Loaded {
  const size = disk.size(fd);
  const file = new FileWindow(size, (buffer, position) => disk.read(fd, buffer, position));
  const read = atOnce(readLog(file, apply));
  if (read === undefined) {
    const start = file.at(0, 200).toString("latin1");
    const isBegun = [false, true].some((whole) => header(new LineChain(), whole).toString("latin1").startsWith(start));
    return isBegun ? { is: "fresh" } : { is: "other", value: parsed(disk, fd, size) };
  }
  const { end, stop, isWhole, wholeSize, last, isUnchained } = read;
  if (!isWhole)
    throw new Error(
      hasRecordFrom(file, stop)
        ? `${path} is damaged within its first part (at byte ${stop} of ${size}); use a complete copy, or start with a fresh file`
        : `${path} ends within its first part (at byte ${stop} of ${size}): it is a copy that was cut short`,
    );
  if (end < size) cutOff(disk, fd, path, notice, file, end, stop);
  return { is: "log", size: end, wholeSize, last: last ?? CHAIN_START, isUnchained };
}

/** What the records of a file say about it. Positions are in bytes. */
export interface ReadLog {
  /** The end of the last complete change. */
  end: number;
  /** The end of the last intact line. */
  stop: number;
  isWhole: boolean;
  /** The end of the complete state in a compacted file, else 0. */
  wholeSize: number;
  last: string | undefined;
  isUnchained: boolean;
}

/** Applies every complete change. The only reader of records. Undefined when the file does not begin as a data file. */
export function* readLog(file: FileWindow, apply: (record: unknown) => void): Pieces<ReadLog | undefined> {
  const first = decode(file, 0);
  const head = first?.record as Head | undefined;
  if (!first || !isKnown(head, first.after)) return undefined;
  const isUnchained = head?.version === VERSION_UNCHAINED;
  return { ...(yield* replay(file, first.next, isUnchained ? undefined : first.crc, head?.whole, apply)), isUnchained };
}

/** The version that the first line names, also in a line of a later format. Undefined when it names none. */
export function versionOf(file: FileWindow): number | undefined {
  const [, version] = VERSION_IN_HEAD.exec(file.at(0, HEAD_BYTES_MAX).toString("latin1")) ?? [];
  return version === undefined ? undefined : Number(version);
}

function isKnown(head: Head | undefined, after: string | undefined): boolean {
  return head?.format === FORMAT && head.version === (after === undefined ? VERSION_UNCHAINED : VERSION);
}

/**
 * Applies records from `position`, each of which must follow the one before. `previous` is undefined in a file without a chain. A
 * change of several lines counts once its last line is intact. A compacted file counts once its whole state is intact.
 */
function* replay(
  file: FileWindow,
  position: number,
  previous: string | undefined,
  isWholeFirst: boolean | undefined,
  apply: (record: unknown) => void,
): Pieces<Omit<ReadLog, "isUnchained">> {
  let stop = position;
  let end = position;
  let last = previous;
  let isWhole = !isWholeFirst;
  let wholeSize = 0;
  let open: unknown[] = [];
  for (let found = decode(file, stop); found && found.after === previous; found = decode(file, stop)) {
    yield;
    stop = found.next;
    if (previous !== undefined) previous = found.crc;
    const record = found.record as { more?: boolean; whole?: boolean; next?: string };
    if (record.whole) {
      isWhole = true;
      wholeSize = stop;
      if (previous !== undefined) previous = record.next;
    } else if (record.more && isWhole) {
      open.push(record);
      continue;
    } else {
      for (const part of open) apply(part);
      open = [];
      apply(record);
    }
    end = stop;
    last = previous;
  }
  return { end, stop, isWhole, wholeSize, last };
}

function cutOff(
  disk: Disk,
  fd: number,
  path: string,
  notice: (text: string) => void,
  file: FileWindow,
  end: number,
  stop: number,
): void {
  const { size } = file;
  let note = `${path}: cut off the last ${size - end} bytes, an unfinished change`;
  if (stop < size && hasRecordFrom(file, stop)) {
    const aside = freeName(disk, `${path}.damaged`);
    const copy = disk.open(aside, "w+");
    for (let at = end; at < size; at += BLOCK_BYTES) disk.write(copy, file.at(at, BLOCK_BYTES), at - end);
    disk.close(copy);
    const problem = decode(file, stop) ? "lacks a line, or holds one at a wrong place," : "is damaged";
    note = `${path} ${problem} at byte ${stop}: docdouble uses the data before it, and keeps the ${size - end} bytes from ${end} on in ${aside}`;
  }
  disk.truncate(fd, end);
  notice(note);
}

export function freeName(disk: Disk, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}.${count}`;
    if (!disk.exists(free)) return free;
  }
}

function parsed(disk: Disk, fd: number, size: number): unknown {
  const bytes = Buffer.alloc(size);
  disk.read(fd, bytes, 0);
  return parseLeniently(bytes.toString("utf8"));
}
