/** PDFs of one page: enough for a document, without a library. */

export interface FormField {
  name: string;
  kind: "text" | "signature";
}

const FONTS = "<< /Font << /F1 5 0 R >> >>";
const OBJECTS = 5;

export function smallPdf(text: string, fields: readonly FormField[] = []): Buffer {
  const content = `BT /F1 12 Tf 72 700 Td (${escaped(text)}) Tj ET`;
  const references = fields.map((_, i) => `${OBJECTS + 1 + i} 0 R`).join(" ");
  const form = fields.length === 0 ? "" : ` /AcroForm << /Fields [${references}] /DR ${FONTS} /DA (/F1 12 Tf 0 g) >>`;
  const annotations = fields.length === 0 ? "" : ` /Annots [${references}]`;
  return fileOf([
    `<< /Type /Catalog /Pages 2 0 R${form} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources ${FONTS}${annotations} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...fields.map(widget),
  ]);
}

function widget({ name, kind }: FormField, i: number): string {
  const y = 600 - i * 60;
  const type = kind === "text" ? "/FT /Tx /DA (/F1 12 Tf 0 g)" : "/FT /Sig";
  return `<< /Type /Annot /Subtype /Widget ${type} /T (${escaped(name)}) /Rect [72 ${y} 272 ${y + 40}] /P 3 0 R /F 4 >>`;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}

function fileOf(objects: readonly string[]): Buffer {
  let file = "%PDF-1.4\n";
  const places = objects.map((object, i) => {
    const place = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}
