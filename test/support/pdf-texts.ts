/** Reads the texts of a PDF with another library than its writer, and makes PDFs to upload. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The text of each page. */
export async function pdfTexts(bytes: Uint8Array): Promise<string[]> {
  const file = await getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS }).promise;
  const texts: string[] = [];
  for (let i = 1; i <= file.numPages; i++) {
    const { items } = await (await file.getPage(i)).getTextContent();
    texts.push(items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join(""));
  }
  await file.destroy();
  return texts;
}

/** A PDF with one page per text, as a file part. */
export async function aPdf(pages: readonly string[], form: (file: PDFDocument) => void = () => {}): Promise<File> {
  const file = await PDFDocument.create();
  for (const text of pages) {
    const page = file.addPage([612, 792]);
    for (const [i, line] of text.split("\n").entries()) page.drawText(line, { x: 72, y: 700 - i * 24, size: 12 });
  }
  form(file);
  return new File([(await file.save()) as Uint8Array<ArrayBuffer>], "contract.pdf", { type: "application/pdf" });
}
