/** Messages between the server and its file processes: a length of four bytes, then the value as Node serializes it. */
import { deserialize, serialize } from "node:v8";

const HEAD = 4;

/** The two parts of a message, to be written one after the other. */
export function toFrame(value: unknown): [Buffer, Buffer] {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(body.length);
  return [head, body];
}

/** Collects the bytes of one message at a time: the other side waits for an answer before it sends the next. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  /** The whole message, or undefined while bytes are missing. @throws RangeError when it is longer than `max` bytes */
  push(chunk: Buffer, max: number): { value: unknown } | undefined {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < HEAD) return undefined;
    const head = (this.#chunks[0] as Buffer).length < HEAD ? Buffer.concat(this.#chunks) : (this.#chunks[0] as Buffer);
    const length = head.readUInt32LE();
    if (length > max) throw new RangeError(`the message has ${length} bytes`);
    if (this.#size < HEAD + length) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    return { value: deserialize(bytes.subarray(HEAD)) };
  }
}
