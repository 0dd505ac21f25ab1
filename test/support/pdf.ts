/** Real PDF files, made on demand. */
import { PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";

/** The names of the form fields in `formPdf`, by kind. */
export const FORM_FIELDS = {
  text: "Company",
  checkbox: "Agree",
  radio: "Plan",
  dropdown: "Country",
  list: "Colour",
} as const;

/** Two pages. The first has a form with each kind of field except a signature. */
export async function formPdf(): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  const page = file.addPage([612, 792]);
  file.addPage([612, 792]);
  const form = file.getForm();
  const text = form.createTextField(FORM_FIELDS.text);
  text.enableRequired();
  text.addToPage(page, { x: 72, y: 700, width: 200, height: 20 });
  form.createCheckBox(FORM_FIELDS.checkbox).addToPage(page, { x: 72, y: 660, width: 16, height: 16 });
  const radio = form.createRadioGroup(FORM_FIELDS.radio);
  radio.addOptionToPage("Basic", page, { x: 72, y: 620, width: 16, height: 16 });
  radio.addOptionToPage("Pro", page, { x: 112, y: 620, width: 16, height: 16 });
  const dropdown = form.createDropdown(FORM_FIELDS.dropdown);
  dropdown.addOptions(["Norway", "Chile", "Kenya"]);
  dropdown.addToPage(page, { x: 72, y: 580, width: 120, height: 20 });
  const list = form.createOptionList(FORM_FIELDS.list);
  list.addOptions(["red", "green"]);
  list.addToPage(page, { x: 72, y: 500, width: 120, height: 60 });
  return file.save();
}

/** Pages with one line of text each and without a form. */
export async function plainPdf(pages = 1): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  for (let i = 0; i < pages; i++) file.addPage([595, 842]).drawText(`Page ${i + 1}`, { x: 50, y: 780, size: 12 });
  return file.save();
}

/** A black square as a JPEG 2000 code stream. */
const JPEG_2000 =
  "/0//UQAvAAAAAAAQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEAAAQEAAH/XAAEQED/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjT/kAAKAAAAAAAsAAH/k9+AOBFQVK/0yH/fgDgRUFSv9Mh/34A4EVBUr/TIf//Z";

/**
 * A page that needs more than its own data: a JPEG 2000 image, and letters of a font with a predefined character map.
 * The image is 200 by 200 points at (72, 500). The letters and a symbol are below it. Japanese programs write such fonts.
 */
export async function demandingPdf(): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  const page = file.addPage([612, 792]);
  const { context } = file;
  const size = { Width: 16, Height: 16, ColorSpace: "DeviceRGB", BitsPerComponent: 8 };
  const image = context.stream(Buffer.from(JPEG_2000, "base64"), {
    Type: "XObject",
    Subtype: "Image",
    Filter: "JPXDecode",
    ...size,
  });
  const CIDSystemInfo = { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("Japan1"), Supplement: 2 };
  const FontDescriptor = context.obj({
    Type: "FontDescriptor",
    FontName: "Ryumin-Light",
    Flags: 4,
    FontBBox: [0, -200, 1000, 900],
    ItalicAngle: 0,
    Ascent: 800,
    Descent: -200,
    CapHeight: 700,
    StemV: 80,
  });
  const descendant = context.obj({
    Type: "Font",
    Subtype: "CIDFontType0",
    BaseFont: "Ryumin-Light",
    CIDSystemInfo,
    FontDescriptor: context.register(FontDescriptor),
  });
  const mapped = context.obj({
    Type: "Font",
    Subtype: "Type0",
    BaseFont: "Ryumin-Light-90ms-RKSJ-H",
    Encoding: "90ms-RKSJ-H",
    DescendantFonts: [context.register(descendant)],
  });
  page.node.setXObject(PDFName.of("Im"), context.register(image));
  page.node.setFontDictionary(PDFName.of("Mapped"), context.register(mapped));
  const symbols = context.obj({ Type: "Font", Subtype: "Type1", BaseFont: "ZapfDingbats" });
  page.node.setFontDictionary(PDFName.of("Symbols"), context.register(symbols));
  // The text 契約 HHHH in Shift JIS, then a heavy check mark.
  const shown = "BT /Mapped 40 Tf 72 400 Td <8C5F96F1204848484848> Tj ET BT /Symbols 60 Tf 72 300 Td <34> Tj ET";
  const content = context.stream(`q 200 0 0 200 72 500 cm /Im Do Q ${shown}`);
  page.node.addContentStream(context.register(content));
  return file.save();
}

/** A file that requires a password. */
export async function encryptedPdf(): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  file.addPage().drawText("secret", { x: 50, y: 700 });
  file.encrypt({ userPassword: "user", ownerPassword: "owner", permissions: {} });
  return file.save();
}

/** A file that begins as a PDF and is cut off. */
export async function brokenPdf(): Promise<Uint8Array> {
  const whole = await plainPdf();
  return whole.slice(0, Math.floor(whole.length / 3));
}
