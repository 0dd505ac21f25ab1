/** Writes the whole state to a new data file, in steps that leave the event loop free. */
import { turns } from "../core/turns.ts";
import type { Disk } from "./disk.ts";
import { endOfWhole, header } from "./log-load.ts";
import { LineChain, type RecordText } from "./records.ts";

const BLOCK_BYTES = 256 * 1024;

/** @param next checksum of the newest line before this state: what is written meanwhile follows it */
export async function writeWhole(
  disk: Disk,
  fd: number,
  records: Iterable<RecordText>,
  next: string,
  isInVain: () => boolean,
): Promise<number> {
  let size = 0;
  const chain = new LineChain();
  let block: Buffer[] = [header(chain, true)];
  let bytes = 0;
  const put = async () => {
    const all = Buffer.concat(block);
    block = [];
    bytes = 0;
    await disk.writeSoon(fd, all, size);
    size += all.length;
  };
  const askTurn = turns();
  for (const record of records) {
    const line = chain.encode(record);
    block.push(line);
    bytes += line.length;
    if (bytes >= BLOCK_BYTES) await put();
    const others = askTurn();
    if (!others) continue;
    await others;
    if (isInVain()) break;
  }
  block.push(endOfWhole(chain, next));
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
