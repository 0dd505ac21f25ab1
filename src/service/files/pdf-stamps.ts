import type { Face } from "./pdf-fonts.ts";
import type { File, Lib, Page } from "./pdf-types.ts";
import { drawMark } from "./pdf-marks.ts";
import { open } from "./pdf.ts";

export interface Watermark {
  text: string;
  color: string;
  size: number;
  opacity: number;
}

/** A value for a place on a page. A form field of the same name takes it instead. */
export interface Stamp {
  name: string;
  value: string | boolean;
  page: number;
  /** In points from the page's top left corner. */
  box: { x: number; y: number; width: number; height: number };
}

export interface AppendedPage {
  file: string;
  bytes: Uint8Array;
  page: number;
  stamps: readonly Stamp[];
}

export function stamp(lib: Lib, file: File, font: Face, stamps: readonly Stamp[], isFinal: boolean): void {
  const form = file.getForm();
  for (const one of stamps) {
    if (one.value === "") continue;
    if (fillForm(lib, form, font, one)) continue;
    const page = file.getPages()[one.page];
    if (page) drawStamp(page, font, one);
  }
  form.updateFieldAppearances(font.font);
  if (!isFinal) return;
  for (const field of form.getFields()) if (field instanceof lib.PDFSignature) form.removeField(field);
  form.flatten();
}

function drawStamp(page: Page, font: Face, one: Stamp): void {
  const box = { ...one.box, y: page.getHeight() - one.box.y - one.box.height };
  drawMark(page, font, textOf(one.value), box);
}

/** Drops the form fields of appended pages: their forms stay behind. */
export async function append(lib: Lib, file: File, font: Face, pages: readonly AppendedPage[]): Promise<void> {
  const sources = new Map<string, File>();
  for (const one of pages) {
    const source = sources.get(one.file) ?? (await open(lib, one.bytes));
    sources.set(one.file, source);
    const [page] = await file.copyPages(source, [one.page]);
    if (!page) continue;
    page.node.delete(lib.PDFName.of("Annots"));
    file.addPage(page);
    for (const each of one.stamps) drawStamp(page, font, each);
  }
}

function fillForm(lib: Lib, form: ReturnType<File["getForm"]>, font: Face, { name, value }: Stamp): boolean {
  const field = form.getFieldMaybe(name);
  const text = font.clean(textOf(value));
  if (field instanceof lib.PDFTextField) {
    field.setMaxLength();
    field.setText(text);
    return true;
  }
  if (field instanceof lib.PDFCheckBox) {
    if (value === true) field.check();
    else field.uncheck();
    return true;
  }
  const isChoice = field instanceof lib.PDFRadioGroup || field instanceof lib.PDFDropdown || field instanceof lib.PDFOptionList;
  if (!isChoice || !field.getOptions().includes(String(value))) return false;
  field.select(String(value));
  return true;
}

export function textOf(value: string | boolean): string {
  return typeof value === "boolean" ? (value ? "X" : "") : value;
}

export function drawWatermark(lib: Lib, page: Page, font: Face, watermark: Watermark): void {
  const text = font.clean(watermark.text);
  const { width, height } = page.getSize();
  const size = Math.min(
    watermark.size,
    (watermark.size * Math.hypot(width, height) * 0.8) / Math.max(1, font.widthOf(text, watermark.size)),
  );
  const half = font.widthOf(text, size) / 2;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(watermark.color.slice(at, at + 2), 16) / 255);
  const options = {
    x: width / 2 - half * Math.SQRT1_2,
    y: height / 2 - half * Math.SQRT1_2,
    size,
    rotate: lib.degrees(45),
    opacity: watermark.opacity,
    color: lib.rgb(red, green, blue),
  };
  font.draw(page, text, options);
}
