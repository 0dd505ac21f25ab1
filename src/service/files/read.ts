import { toMarkdown } from "./blocks.ts";
import { isZip, readDocx } from "./docx.ts";
import { wordsOf } from "./block-input.ts";
import { layOut, type TextLayout } from "./lay-out.ts";
import { FileError, LIMITS, requireAtMost } from "./limits.ts";
import { type PdfContent, readPdf } from "./pdf.ts";
import { type PageText, readPdfText } from "./pdf-text.ts";
import { isRtf, readRtf } from "./rtf.ts";

/**
 * A DOCX becomes Markdown, an RTF its plain text. A short one comes with its pages, because a second job costs more than they do. `texts` is null when
 * only the text of a PDF cannot be read.
 */
export type FileContent =
  | { kind: "pdf"; pdf: PdfContent; texts: readonly PageText[] | null }
  | { kind: "text"; text: string; layout?: TextLayout };

/** A longer text gets its pages in a second job, with a separate time limit. */
const SHORT_TEXT_MAX = 20_000;

/** @throws FileError */
export async function readFile({ bytes, title }: { bytes: Uint8Array; title: string }): Promise<FileContent> {
  if (bytes.length > LIMITS.input_bytes) throw new FileError("limit", `the file has more than ${LIMITS.input_bytes} bytes`);
  if (isZip(bytes)) return textOf(toMarkdown(await readDocx(bytes)), title);
  if (isRtf(bytes)) return textOf(readRtf(bytes), title);
  const pdf = await readPdf(bytes);
  const texts = await readPdfText(bytes).catch((error: unknown) => {
    if (error instanceof FileError) throw error;
    return null;
  });
  return { kind: "pdf", pdf, texts };
}

async function textOf(text: string, title: string): Promise<FileContent> {
  requireAtMost(text.length, LIMITS.letters, "letters of text");
  if (text.length > SHORT_TEXT_MAX) return { kind: "text", text };
  return { kind: "text", text, layout: await layOut({ words: wordsOf({ title, text }), reads: false }) };
}
