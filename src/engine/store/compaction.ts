/** Writes the whole state to a new data file, in steps that leave the event loop free. */
import { systemClock } from "../core/clock.ts";
import type { Disk } from "./disk.ts";
import { header } from "./log-load.ts";
import { encode, type RecordText } from "./records.ts";

const SLICE_MS = 4;
const BLOCK_BYTES = 256 * 1024;

export async function writeWhole(
  disk: Disk,
  fd: number,
  records: Iterable<RecordText>,
  isInVain: () => boolean,
): Promise<number> {
  let size = 0;
  let block: Buffer[] = [header(true)];
  let bytes = 0;
  const put = async () => {
    const all = Buffer.concat(block);
    block = [];
    bytes = 0;
    await disk.writeSoon(fd, all, size);
    size += all.length;
  };
  let begun = systemClock.elapsed();
  for (const record of records) {
    const line = encode(record);
    block.push(line);
    bytes += line.length;
    if (bytes >= BLOCK_BYTES) await put();
    if (systemClock.elapsed() - begun < SLICE_MS) continue;
    await systemClock.soon();
    if (isInVain()) break;
    begun = systemClock.elapsed();
  }
  block.push(encode(['{"whole":true}']));
  await put();
  return size;
}

/** Copies what is appended to `source` from `from` on, except a last part of at most one block. Returns the end of `target`. */
export async function copyTail(
  disk: Disk,
  source: number,
  from: number,
  sizeOfSource: () => number,
  target: number,
  at: number,
): Promise<number> {
  let done = from;
  while (sizeOfSource() - done > BLOCK_BYTES) {
    const block = Buffer.alloc(Math.min(4 * BLOCK_BYTES, sizeOfSource() - done));
    disk.read(source, block, done);
    await disk.writeSoon(target, block, at + done - from);
    done += block.length;
  }
  return at + done - from;
}

export function copyRest(disk: Disk, source: number, from: number, end: number, target: number, at: number): number {
  const rest = Buffer.alloc(end - from);
  disk.read(source, rest, from);
  disk.write(target, rest, at);
  return at + rest.length;
}
