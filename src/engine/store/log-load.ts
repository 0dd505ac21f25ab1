import { parseLeniently } from "../core/text.ts";
import type { Disk } from "./disk.ts";
import { decode, encode, hasRecordAfter, FileWindow } from "./records.ts";

const FORMAT = "docdouble-data";
const VERSION = 2;
const BLOCK_BYTES = 256 * 1024;

export function header(whole: boolean): Buffer {
  return encode([JSON.stringify({ format: FORMAT, version: VERSION, ...(whole ? { whole } : {}) })]);
}

export type Loaded = { is: "fresh" } | { is: "log"; size: number; wholeSize: number } | { is: "other"; value: unknown };

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
  const first = decode(file, 0);
  const head = first?.record as { format?: string; version?: number; whole?: boolean } | undefined;
  if (!first || head?.format !== FORMAT || head.version !== VERSION) {
    const start = file.at(0, 200).toString("latin1");
    if (header(false).toString("latin1").startsWith(start) || header(true).toString("latin1").startsWith(start))
      return { is: "fresh" };
    return { is: "other", value: parsed(disk, fd, size) };
  }
  const { end, stop, isWhole, wholeSize } = replay(file, first.next, head.whole ?? false, apply);
  if (!isWhole)
    throw new Error(`${path} ends within its first part (at byte ${stop} of ${size}): it is a copy that was cut short`);
  if (end < size) cutOff(disk, fd, path, notice, file, end, stop);
  return { is: "log", size: end, wholeSize };
}

/**
 * Applies records from `position`. A change of several lines counts once its last line is intact. A compacted file counts once
 * its whole state is intact.
 */
function replay(file: FileWindow, position: number, isWholeFirst: boolean, apply: (record: unknown) => void) {
  let stop = position;
  let end = position;
  let isWhole = !isWholeFirst;
  let wholeSize = 0;
  let open: unknown[] = [];
  for (let found = decode(file, stop); found; found = decode(file, stop)) {
    stop = found.next;
    const record = found.record as { more?: boolean; whole?: boolean };
    if (record.whole) {
      isWhole = true;
      wholeSize = stop;
    } else if (record.more && isWhole) {
      open.push(record);
      continue;
    } else {
      for (const part of open) apply(part);
      open = [];
      apply(record);
    }
    end = stop;
  }
  return { end, stop, isWhole, wholeSize };
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
  if (stop < size && hasRecordAfter(file, stop)) {
    const aside = freeName(disk, `${path}.damaged`);
    const copy = disk.open(aside, "w+");
    for (let at = end; at < size; at += BLOCK_BYTES) disk.write(copy, file.at(at, BLOCK_BYTES), at - end);
    disk.close(copy);
    note = `${path} is damaged at byte ${stop}: docdouble uses the data before it, and keeps the ${size - end} bytes from ${end} on in ${aside}`;
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
