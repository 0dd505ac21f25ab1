/** Reads type and size of an image from its bytes. Names and Content-Type headers are ignored. */

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface ImageFacts<Type extends ImageType = ImageType> {
  type: Type;
  width: number;
  height: number;
}

/** The first bytes of each type in hexadecimal; a dot is any digit. */
const SIGNATURES: readonly (readonly [type: ImageType, signature: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^474946383[79]61/],
  ["image/webp", /^52494646.{8}57454250/],
];

export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const digits = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return SIGNATURES.find(([, signature]) => signature.test(digits))?.[0];
}

export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const type = imageTypeOf(bytes);
  if (type === undefined) return undefined;
  const size = SIZE_READERS[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return size && size.width > 0 && size.height > 0 ? { type, ...size } : undefined;
}

export function drawableFacts(bytes: Uint8Array): ImageFacts<"image/png" | "image/jpeg"> | undefined {
  const facts = imageFacts(bytes);
  return facts?.type === "image/png" || facts?.type === "image/jpeg" ? { ...facts, type: facts.type } : undefined;
}

type Size = Pick<ImageFacts, "width" | "height">;

const SIZE_READERS: Readonly<Record<ImageType, (view: DataView) => Size | undefined>> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/gif": gifSize,
  "image/webp": webpSize,
};

function pngSize(view: DataView): Size | undefined {
  return view.byteLength > 24 ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined;
}

/** Segments and fill bytes before the first frame of a JPEG. A long color profile takes 255. */
const JPEG_STEPS_MAX = 4096;

function jpegSize(view: DataView): Size | undefined {
  for (let at = 2, steps = 0; at + 9 < view.byteLength && steps < JPEG_STEPS_MAX; steps++) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    // C0 to CF mark frames, except tables (C4), extensions (C8) and arithmetic conditions (CC).
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function gifSize(view: DataView): Size | undefined {
  return view.byteLength < 10 ? undefined : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpSize(view: DataView): Size | undefined {
  if (view.byteLength < 30) return undefined;
  switch (Buffer.from(view.buffer, view.byteOffset + 12, 4).toString("latin1")) {
    case "VP8X": {
      const size = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
      return { width: size(24), height: size(27) };
    }
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return view.getUint8(20) === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : undefined;
    }
    case "VP8 ":
      // 14 bits each and two of scale, after the frame tag and the start code.
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}
