/** What the bytes of an image say of themselves: nothing of it is taken from who sent them. */

interface Facts<T extends string> {
  type: T;
  width: number;
  height: number;
}

export type ImageFacts = Facts<"image/png" | "image/jpeg">;
export type IconFacts = ImageFacts | Facts<"image/gif" | "image/webp">;

/** Type and size of a PNG or JPEG, which is what a PDF draws; undefined when the bytes are neither. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = viewOf(bytes);
  return sized(isPng(view) ? pngFacts(view) : isJpeg(view) ? jpegFacts(view) : undefined);
}

/** Of what a browser shows: GIF and WEBP too. */
export function iconFacts(bytes: Uint8Array): IconFacts | undefined {
  const view = viewOf(bytes);
  return imageFacts(bytes) ?? sized(gifFacts(view) ?? webpFacts(view));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function sized<F extends Facts<string>>(facts: F | undefined): F | undefined {
  return facts && facts.width > 0 && facts.height > 0 ? facts : undefined;
}

function isPng(view: DataView): boolean {
  return view.byteLength > 24 && view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a;
}

function isJpeg(view: DataView): boolean {
  return view.byteLength > 4 && view.getUint16(0) === 0xffd8;
}

/** The head is the first chunk. */
function pngFacts(view: DataView): ImageFacts {
  return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** Segments and fill bytes before the first frame of a JPEG. A long colour profile takes 255. */
const JPEG_STEPS_MAX = 4096;

/** The first frame has the size, some segments in. */
function jpegFacts(view: DataView): ImageFacts | undefined {
  for (let at = 2, steps = 0; at + 9 < view.byteLength && steps < JPEG_STEPS_MAX; steps++) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    // Frames are C0 to CF, but for tables (C4), extensions (C8) and conditions (CC) among them.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));
}

function gifFacts(view: DataView): IconFacts | undefined {
  if (view.byteLength < 10 || !["GIF87a", "GIF89a"].includes(textAt(view, 0, 6))) return undefined;
  return { type: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Three kinds of first chunk, each with the size elsewhere. */
function webpFacts(view: DataView): IconFacts | undefined {
  if (view.byteLength < 30 || textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP") return undefined;
  const type = "image/webp";
  switch (textAt(view, 12, 4)) {
    case "VP8X": {
      // 24 bits each, less one.
      const size = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
      return { type, width: size(24), height: size(27) };
    }
    case "VP8L": {
      // 14 bits each, less one, behind a byte of signature.
      const bits = view.getUint32(21, true);
      return view.getUint8(20) === 0x2f ? { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : undefined;
    }
    case "VP8 ":
      // 14 bits each and two of scale, behind the tag of the frame and the start code.
      return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}
