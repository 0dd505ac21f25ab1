/** What the bytes of an image say of themselves: nothing of it is taken from who sent them. */

export interface ImageFacts {
  type: "image/png" | "image/jpeg";
  width: number;
  height: number;
}

/** Type and size of a PNG or JPEG; undefined when the bytes are neither. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facts = isPng(view) ? pngFacts(view) : isJpeg(view) ? jpegFacts(view) : undefined;
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

/** The size stands in the first frame, some segments in. */
function jpegFacts(view: DataView): ImageFacts | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
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
