/** Small images, and a reader for the images in a PDF. */
import { crc32, deflateSync } from "node:zlib";
import { getDocument, OPS, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";

/** One pixel, written by a browser. */
export const JPEG = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
  "base64",
);

/** A PNG of one color. */
export function png(width: number, height: number, color: readonly [number, number, number] = [200, 30, 30]): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(color))]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

/** The header of a GIF. Readers need no more. */
export function gif(width: number, height: number): Uint8Array {
  const head = Buffer.from("GIF89a\0\0\0\0", "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
}

/** The header of a WEBP. */
export function webp(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Uint8Array {
  const head = Buffer.alloc(40);
  head.write("RIFF", 0, "latin1");
  head.write(`WEBP${kind}`, 8, "latin1");
  if (kind === "VP8X") {
    head.writeUIntLE(width - 1, 24, 3);
    head.writeUIntLE(height - 1, 27, 3);
  } else if (kind === "VP8L") {
    head[20] = 0x2f;
    head.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14, 21);
  } else {
    head.set([0x9d, 0x01, 0x2a], 23);
    head.writeUInt16LE(width, 26);
    head.writeUInt16LE(height, 28);
  }
  return head;
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Width and height of the images in a PDF, page by page. */
export async function pdfImages(bytes: Uint8Array): Promise<[width: number, height: number][][]> {
  const file = await getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS }).promise;
  const pages: [number, number][][] = [];
  for (let i = 1; i <= file.numPages; i++) {
    const { fnArray, argsArray } = await (await file.getPage(i)).getOperatorList();
    pages.push(
      fnArray.flatMap((fn, at) =>
        fn === OPS.paintImageXObject ? [[argsArray[at][1], argsArray[at][2]] as [number, number]] : [],
      ),
    );
  }
  await file.destroy();
  return pages;
}
