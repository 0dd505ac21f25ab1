/** Writes PDF files. The same input gives the same bytes. Pages of `original` come first; `closing` blocks end the file. */
import type { Block } from "./blocks.ts";
import { toDate } from "../../engine/core/clock.ts";
import { open } from "./pdf.ts";
import { Flow } from "./pdf-flow.ts";
import { faceOf } from "./pdf-fonts.ts";
import { Images } from "./pdf-marks.ts";
import { type AppendedPage, append, drawWatermark, type Stamp, stamp, type Watermark } from "./pdf-stamps.ts";
import type { File } from "./pdf-types.ts";
import { toBlocks, type Words } from "./block-input.ts";

export interface PdfInput {
  title: string;
  date: number;
  words: readonly Words[];
  original?: { bytes: Uint8Array; stamps: readonly Stamp[] };
  appended?: readonly AppendedPage[];
  closing?: readonly Block[];
  /** Turns form fields into page content. */
  isFinal: boolean;
  watermark?: Watermark;
}

export async function writePdf(input: PdfInput): Promise<Uint8Array> {
  return saved(await drawPdf(input));
}

export function saved(file: File): Promise<Uint8Array> {
  return file.save({ updateFieldAppearances: false });
}

/** The file before it becomes bytes. Without `draws`, its pages have no texts: whoever counts pages needs none. */
export async function drawPdf(input: PdfInput, draws = true): Promise<File> {
  const lib = await import("@cantoo/pdf-lib");
  const blocks = toBlocks(input.words);
  const file = input.original ? await open(lib, input.original.bytes) : await lib.PDFDocument.create({ updateMetadata: false });
  const font = await faceOf(file, draws);
  const images = new Images(file);
  if (input.original) stamp(lib, file, font, input.original.stamps, input.isFinal);
  const flow = new Flow(lib, file, images, font);
  await flow.write(blocks);
  const { appended = [], closing = [] } = input;
  if (appended.length > 0) {
    await append(lib, file, font, appended);
    flow.startPage();
  }
  await flow.write(closing);
  if (input.watermark) for (const page of file.getPages()) drawWatermark(lib, page, font, input.watermark);
  file.setTitle(input.title);
  file.setProducer("docdouble");
  file.setCreator("docdouble");
  file.setCreationDate(toDate(input.date));
  file.setModificationDate(toDate(input.date));
  return file;
}
