/** A WebM video that shows one still picture. */

/** 160 by 96 pixels, two people side by side: a VP8 key frame, drawn for this project. */
const PICTURE = Buffer.from(
  "kA4AnQEqoABgAD8RgLZSrCilIq52iAGAIglpANK0qv8XvoHYC9ryC18KpXSESL5lzLp+/aRpr53yRBBpx42vhsgzK5wZyWhtgWw1lf3nuAinCJvn9fPgVW8w" +
    "Zk+kP/HFMcnRGcPnOeBeQWLXg7bWpa1KWi7vzyS8wOzYiQAA/u5CqbljStLcrlMZBUrlMZS7BHHqquKYS7mlymtVS5Y8UBbyh1rEQIp7ob/ts7VzjRMXwPZt" +
    "NzqOvTgQFPN/KEUfZikJn+PXNzYmjY4k2NvxxNc3JwfFWnZ4kz0WyyHK9pHwL9CtDEpEFCrG0yETkBsXEO+U534o9KcPbBLLg7LW9SHICYsXnr/OohwaBJ5T" +
    "9O+ens5sFrzZfvibeHeJHs9QDWsGEa3/T7SPHsugAVYc15PwkjH07do45Nyze9aS1thpwAAA",
  "base64",
);
const [WIDTH, HEIGHT] = [160, 96];

/** The same title and length give the same bytes. */
export function writeStillVideo(title: string, length_ms: number): Uint8Array {
  const length = Math.max(length_ms, 1000);
  return Buffer.concat([
    element(0x1a45dfa3, [
      element(0x4286, number(1)),
      element(0x42f7, number(1)),
      element(0x42f2, number(4)),
      element(0x42f3, number(8)),
      element(0x4282, text("webm")),
      element(0x4287, number(2)),
      element(0x4285, number(2)),
    ]),
    element(0x18538067, [
      element(0x1549a966, [
        // Times in milliseconds.
        element(0x2ad7b1, number(1_000_000)),
        element(0x4489, float(length)),
        element(0x7ba9, text(title)),
        element(0x4d80, text("docdouble")),
        element(0x5741, text("docdouble")),
      ]),
      element(0x1654ae6b, [
        element(0xae, [
          element(0xd7, number(1)),
          element(0x73c5, number(1)),
          element(0x83, number(1)),
          element(0x86, text("V_VP8")),
          element(0xe0, [element(0xb0, number(WIDTH)), element(0xba, number(HEIGHT))]),
        ]),
      ]),
      // The picture at the start and near the end, so that players play the whole length.
      ...[0, length - 500].map((time) => element(0x1f43b675, [element(0xe7, number(time)), element(0xa3, keyFrame())])),
    ]),
  ]);
}

/** A block of track 1 at the time of its cluster. */
function keyFrame(): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), PICTURE]);
}

/** An EBML element: id, length in four bytes, content. */
function element(id: number, content: Buffer | Buffer[]): Buffer {
  const body = Array.isArray(content) ? Buffer.concat(content) : content;
  const head = Buffer.alloc(4);
  head.writeUInt32BE(0x10000000 + body.length);
  return Buffer.concat([number(id), head, body]);
}

/** Big-endian, in as few bytes as possible. */
function number(value: number): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.from(value, "utf8");
}
