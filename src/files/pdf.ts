/** Reads PDF files: their pages and their form fields. The library behind it is loaded when the first file comes. */
import { messageOf } from "../core/text.ts";

export interface PdfField {
  name: string;
  kind: "text" | "checkbox" | "radio" | "dropdown" | "list" | "signature" | "button";
  required: boolean;
  multiline: boolean;
  options: string[];
  value: string | boolean | null;
  /** From 0. */
  page: number;
  /** In points from the page's top left corner. */
  box: { x: number; y: number; width: number; height: number };
}

export interface PdfContent {
  pages: { width: number; height: number }[];
  fields: PdfField[];
}

/** The bytes are no PDF, a broken one, or one that needs a password. */
export class PdfError extends Error {}

/** Reads a whole file. @throws PdfError */
export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
  if (!Buffer.from(bytes.subarray(0, 1024)).includes("%PDF-")) throw new PdfError("the file is no PDF");
  const lib = await import("@cantoo/pdf-lib");
  try {
    const file = await lib.PDFDocument.load(bytes, { throwOnInvalidObject: true, updateMetadata: false });
    const pages = file.getPages();
    const fields = file
      .getForm()
      .getFields()
      .flatMap((field) => readField(lib, file, field));
    return {
      pages: pages.map((page) => ({ width: page.getWidth(), height: page.getHeight() })),
      fields,
    };
  } catch (error) {
    throw new PdfError(messageOf(error));
  }
}

type Lib = typeof import("@cantoo/pdf-lib");
type PdfDocument = import("@cantoo/pdf-lib").PDFDocument;
type Field = ReturnType<ReturnType<PdfDocument["getForm"]>["getFields"]>[number];

function readField(lib: Lib, file: PdfDocument, field: Field): PdfField[] {
  const described = describe(lib, field);
  const widget = field.acroField.getWidgets()[0];
  if (!described || !widget) return [];
  const pages = file.getPages();
  const reference = widget.P();
  const byReference = pages.findIndex((page) => page.ref === reference);
  const page = byReference >= 0 ? byReference : pages.findIndex((one) => holds(lib, file, one, widget.dict));
  const box = widget.getRectangle();
  const height = pages[Math.max(page, 0)]?.getHeight() ?? 0;
  return [
    {
      name: field.getName(),
      required: field.isRequired(),
      multiline: false,
      options: [],
      value: null,
      page: Math.max(page, 0),
      box: { x: round(box.x), y: round(height - box.y - box.height), width: round(box.width), height: round(box.height) },
      ...described,
    },
  ];
}

function describe(lib: Lib, field: Field): (Pick<PdfField, "kind"> & Partial<PdfField>) | undefined {
  if (field instanceof lib.PDFTextField) return { kind: "text", multiline: field.isMultiline(), value: field.getText() ?? null };
  if (field instanceof lib.PDFCheckBox) return { kind: "checkbox", value: field.isChecked() };
  if (field instanceof lib.PDFRadioGroup)
    return { kind: "radio", options: field.getOptions(), value: field.getSelected() ?? null };
  if (field instanceof lib.PDFDropdown)
    return { kind: "dropdown", options: field.getOptions(), value: field.getSelected()[0] ?? null };
  if (field instanceof lib.PDFOptionList)
    return { kind: "list", options: field.getOptions(), value: field.getSelected()[0] ?? null };
  if (field instanceof lib.PDFSignature) return { kind: "signature" };
  return undefined;
}

function holds(lib: Lib, file: PdfDocument, page: ReturnType<PdfDocument["getPages"]>[number], widget: unknown): boolean {
  const annotations = page.node.Annots();
  if (!annotations) return false;
  for (let i = 0; i < annotations.size(); i++) if (file.context.lookup(annotations.get(i), lib.PDFDict) === widget) return true;
  return false;
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
