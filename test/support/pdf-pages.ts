/** A PDF of two pages with a form, for tests that upload one. */
import { PDFDocument } from "@cantoo/pdf-lib";

export const LETTER = { width: 612, height: 792 };

export async function contract(): Promise<File> {
  const file = await PDFDocument.create();
  for (const text of ["Consulting agreement", "Signatures"])
    file.addPage([LETTER.width, LETTER.height]).drawText(text, { x: 72, y: 650, size: 18 });
  const first = file.getPage(0);
  file.getForm().createTextField("Company").addToPage(first, { x: 72, y: 472, width: 240, height: 20 });
  file.getForm().createCheckBox("Agree").addToPage(first, { x: 72, y: 400, width: 12, height: 12 });
  return new File([(await file.save()) as Uint8Array<ArrayBuffer>], "contract.pdf", { type: "application/pdf" });
}
