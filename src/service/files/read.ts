import { type Block, toMarkdown } from "../../engine/core/blocks.ts";
import { isZip, readDocx } from "./docx.ts";
import { FileError, LIMITS, requireAtMost } from "./limits.ts";
import { type PdfContent, readPdf } from "./pdf.ts";
import { type PageText, readPdfText } from "./pdf-text.ts";
import { isRtf, readRtf } from "./rtf.ts";

/** A DOCX or RTF becomes Markdown. `texts` is null when only the text of a PDF cannot be read. */
export type FileContent = { kind: "pdf"; pdf: PdfContent; texts: readonly PageText[] | null } | { kind: "text"; text: string };

/** A page with the letter "a". Reading it loads and compiles what other files need too, before their time limit starts. */
const SMALLEST = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj
4 0 obj << /Length 27 >> stream
BT /F 9 Tf 9 9 Td (a) Tj ET
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R >>
%%EOF
`;
let isWarm = false;

export async function loadReaders(bytes: Uint8Array): Promise<void> {
  if (isZip(bytes)) await import("fflate");
  else if (!isRtf(bytes) && !isWarm) {
    isWarm = true;
    await readFile(Buffer.from(SMALLEST));
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
