import { deserialize, serialize } from "node:v8";

const HEAD = 4;

export function toFrame(value: unknown): [Buffer, Buffer] {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(body.length);
  return [head, body];
}

/** Collects one message at a time: a sender waits for the answer before it sends the next. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Returns undefined until the message is complete. @throws RangeError for a message of more than `max` bytes */
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
