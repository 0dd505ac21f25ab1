import { type Block, toMarkdown } from "../core/blocks.ts";
import { isZip, readDocx } from "./docx.ts";
import { FileError, LIMITS, requireAtMost } from "./limits.ts";
import { type PdfContent, readPdf } from "./pdf.ts";
import { type PageText, readPdfText } from "./pdf-text.ts";
import { isRtf, readRtf } from "./rtf.ts";

/** A DOCX or RTF becomes Markdown. `texts` is null when only the text of a PDF cannot be read. */
export type FileContent = { kind: "pdf"; pdf: PdfContent; texts: readonly PageText[] | null } | { kind: "text"; text: string };

let isWarm = false;

export async function loadReaders(bytes: Uint8Array): Promise<void> {
  if (isZip(bytes)) await import("fflate");
  else if (!isRtf(bytes) && !isWarm) {
    isWarm = true;
    const lib = await import("@cantoo/pdf-lib");
    const file = await lib.PDFDocument.create({ updateMetadata: false });
    file.addPage().drawText("a");
    await readFile(await file.save());
  }
}

/** @throws FileError */
export async function readFile(bytes: Uint8Array): Promise<FileContent> {
  if (isZip(bytes)) return textOf(await readDocx(bytes));
  if (isRtf(bytes)) return textOf(readRtf(bytes));
  const pdf = await readPdf(bytes);
  const texts = await readPdfText(bytes).catch((error: unknown) => {
    if (error instanceof FileError) throw error;
    return null;
  });
  return { kind: "pdf", pdf, texts };
}

function textOf(blocks: readonly Block[]): FileContent {
  const text = toMarkdown(blocks);
  requireAtMost(text.length, LIMITS.letters, "letters of text");
  return { kind: "text", text };
}
