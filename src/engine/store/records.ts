/**
 * Records of a data file: one line of JSON each, with checksum and length in front, so that a truncated or damaged line is
 * detected. `{"crc":"0a1b2c3d","after":"4e5f6071","bytes":42,"record":{…}}`
 *
 * `after` is the checksum of the line before, and `crc` continues from it. So a line that is missing, doubled or moved is detected
 * too.
 */
import { crc32 } from "node:zlib";

const HEAD = /^\{"crc":"([0-9a-f]{8})",(?:"after":"([0-9a-f]{8})",)?"bytes":(\d{1,10}),"record":/;
const HEAD_BYTES_MAX = 80;
export const CHAIN_START = "00000000";
const TAIL = "}\n";
const CRC_AT = '{"crc":"'.length;
const MARK = Buffer.from('\n{"crc":"');
const WINDOW_BYTES = 4 * 1024 * 1024;

/**
 * A record as JSON text, in pieces. A record may hold a file of many megabytes, and Node would copy a joined text before it reads
 * it. So each piece is written to the buffer by itself.
 */
export type RecordText = readonly string[];

/** Makes lines that follow each other. `last` is the checksum of the newest line. */
export class LineChain {
  last: string;

  constructor(last = CHAIN_START) {
    this.last = last;
  }

  /** The next line, in UTF-8. */
  encode(pieces: RecordText): Buffer {
    let bytes = 0;
    for (const piece of pieces) bytes += Buffer.byteLength(piece, "utf8");
    const head = `{"crc":"00000000","after":"${this.last}","bytes":${bytes},"record":`;
    const line = Buffer.allocUnsafe(head.length + bytes + TAIL.length);
    line.write(head, 0, "latin1");
    let at = head.length;
    for (const piece of pieces) at += line.write(piece, at, "utf8");
    line.write(TAIL, head.length + bytes, "latin1");
    this.last = checksum(line.subarray(head.length, head.length + bytes), this.last);
    line.write(this.last, CRC_AT, "latin1");
    return line;
  }
}

function checksum(body: Uint8Array, after: string): string {
  return crc32(body, Number.parseInt(after, 16)).toString(16).padStart(8, "0");
}

export class FileWindow {
  readonly size: number;
  readonly #read: (buffer: Uint8Array, position: number) => number;
  #window: Uint8Array = new Uint8Array();
  #start = 0;

  /** A window over all of `bytes`. */
  static over(bytes: Uint8Array): FileWindow {
    const file = new FileWindow(bytes.length, () => 0);
    file.#window = bytes;
    return file;
  }

  constructor(size: number, read: (buffer: Uint8Array, position: number) => number) {
    this.size = size;
    this.#read = read;
  }

  at(position: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    const end = this.#start + this.#window.length;
    if (position < this.#start || position + wanted > end) {
      const buffer = Buffer.allocUnsafe(Math.max(wanted, Math.min(WINDOW_BYTES, this.size - position)));
      this.#window = buffer.subarray(0, this.#read(buffer, position));
      this.#start = position;
    }
    const from = position - this.#start;
    const { buffer, byteOffset } = this.#window;
    return Buffer.from(buffer, byteOffset + from, Math.min(wanted, this.#window.length - from));
  }
}

/** A complete line. `after` is undefined in a file of version 2, whose lines are not chained. */
export interface FoundLine {
  record: unknown;
  crc: string;
  after: string | undefined;
  next: number;
}

export function decode(file: FileWindow, position: number): FoundLine | undefined {
  const head = HEAD.exec(file.at(position, HEAD_BYTES_MAX).toString("latin1"));
  if (!head) return undefined;
  const [text, crc, after, bytes] = head as unknown as [string, string, string | undefined, string];
  const length = Number(bytes);
  const line = file.at(position + text.length, length + TAIL.length);
  if (line.length < length + TAIL.length || line.toString("latin1", length) !== TAIL) return undefined;
  const body = line.subarray(0, length);
  if (checksum(body, after ?? CHAIN_START) !== crc) return undefined;
  return { record: JSON.parse(body.toString("utf8")), crc, after, next: position + text.length + length + TAIL.length };
}

/** Whether a complete line begins at `position` or later. */
export function hasRecordFrom(file: FileWindow, position: number): boolean {
  const step = 1024 * 1024;
  // The mark begins with the end of the line before.
  for (let start = position - 1; start < file.size; start += step) {
    const stretch = Buffer.from(file.at(start, step + MARK.length));
    for (let at = stretch.indexOf(MARK); at >= 0; at = stretch.indexOf(MARK, at + 1))
      if (decode(file, start + at + 1)) return true;
  }
  return false;
}
