/** Real PDF files, made when they are needed. */
import { PDFDocument } from "@cantoo/pdf-lib";

/** Names of the form fields of `formPdf`, by kind. */
export const FORM_FIELDS = {
  text: "Company",
  checkbox: "Agree",
  radio: "Plan",
  dropdown: "Country",
  list: "Colour",
} as const;

/** Two pages, and on the first a form with each kind of field but a signature. */
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

/** Pages with a line of text each and no form. */
export async function plainPdf(pages = 1): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  for (let i = 0; i < pages; i++) file.addPage([595, 842]).drawText(`Page ${i + 1}`, { x: 50, y: 780, size: 12 });
  return file.save();
}

/** A file that asks for a password. */
export async function encryptedPdf(): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  file.addPage().drawText("secret", { x: 50, y: 700 });
  file.encrypt({ userPassword: "user", ownerPassword: "owner", permissions: {} });
  return file.save();
}

/** A file that begins as a PDF and then breaks off. */
export async function brokenPdf(): Promise<Uint8Array> {
  const whole = await plainPdf();
  return whole.slice(0, Math.floor(whole.length / 3));
}
