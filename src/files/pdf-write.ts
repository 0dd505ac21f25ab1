/**
 * Writes PDF files: blocks of text on fresh pages, or values into the pages and form of a file. The same input gives the
 * same bytes: dates come from the caller and nothing is drawn by chance.
 */
import type { Block } from "../core/blocks.ts";
import { toDate } from "../core/clock.ts";
import { drawableFacts } from "./images.ts";
import { LIMITS, requireAtMost } from "./limits.ts";
import { checkGraphs } from "./pdf.ts";
import { type Face, type Faces, facesFor, type Ruler } from "./pdf-fonts.ts";
import { toBlocks, type Words } from "./words.ts";

type Lib = typeof import("@cantoo/pdf-lib");
type File = import("@cantoo/pdf-lib").PDFDocument;
type Page = import("@cantoo/pdf-lib").PDFPage;
type Image = import("@cantoo/pdf-lib").PDFImage;

export interface Watermark {
  text: string;
  /** `#RRGGBB`. */
  color: string;
  size: number;
  /** 0 to 1. */
  opacity: number;
}

/** A value to be put onto a page of the original file; of a form field's name also into the form. */
export interface Stamp {
  name: string;
  value: string | boolean;
  png: string | null;
  page: number;
  /** In points from the page's top left corner. */
  box: { x: number; y: number; width: number; height: number };
}

/** A page of another file, with what is stamped on it. */
export interface AppendedPage {
  /** By which a file is known again. */
  file: string;
  bytes: Uint8Array;
  page: number;
  stamps: readonly Stamp[];
}

export interface PdfInput {
  title: string;
  /** Epoch ms, for the file's own dates. */
  date: number;
  words: readonly Words[];
  /** The file whose pages come first, with what is stamped on them. */
  original?: { bytes: Uint8Array; stamps: readonly Stamp[] };
  /** Pages that follow the words. */
  appended?: readonly AppendedPage[];
  /** The last blocks of the file. */
  closing?: readonly Block[];
  /** Form fields become part of the page. */
  isFinal: boolean;
  watermark?: Watermark;
}

const PAGE = { width: 612, height: 792, margin: 72 };

export async function writePdf(input: PdfInput): Promise<Uint8Array> {
  const lib = await import("@cantoo/pdf-lib");
  const blocks = toBlocks(input.words);
  const file = input.original ? await open(lib, input.original.bytes) : await lib.PDFDocument.create({ updateMetadata: false });
  const fonts = await facesFor(lib, file, textOfAll(input, blocks));
  const images = new Images(file);
  if (input.original) await stamp(lib, file, images, fonts, input.original.stamps, input.isFinal);
  const flow = new Flow(lib, file, images, fonts);
  await flow.write(blocks);
  const { appended = [], closing = [] } = input;
  if (appended.length > 0) {
    await append(lib, file, images, fonts, appended);
    flow.breakPage();
  }
  await flow.write(closing);
  if (input.watermark) for (const page of file.getPages()) drawWatermark(lib, page, fonts.bold, input.watermark);
  file.setTitle(input.title);
  file.setProducer("docdouble");
  file.setCreator("docdouble");
  file.setCreationDate(toDate(input.date));
  file.setModificationDate(toDate(input.date));
  return file.save({ updateFieldAppearances: false });
}

/** @throws FileError */
async function open(lib: Lib, bytes: Uint8Array): Promise<File> {
  const file = await lib.PDFDocument.load(bytes, { updateMetadata: false });
  checkGraphs(lib, file);
  return file;
}

/** Puts images into a file: each once, and as many as their pixels allow. */
class Images {
  readonly #file: File;
  readonly #known = new Map<string, Promise<Image | undefined>>();
  #pixels = 0;

  constructor(file: File) {
    this.#file = file;
  }

  /** From base64 or a data URL; undefined when the library cannot read it, or when it has too many pixels. */
  add(type: "image/png" | "image/jpeg", data: string): Promise<Image | undefined> {
    const known = this.#known.get(data) ?? this.#embed(type, data).catch(() => undefined);
    this.#known.set(data, known);
    return known;
  }

  async #embed(type: "image/png" | "image/jpeg", data: string): Promise<Image | undefined> {
    const bytes = Buffer.from(data.slice(data.indexOf(",") + 1), "base64");
    const facts = drawableFacts(bytes);
    if (facts?.type !== type) return undefined;
    // A JPEG is put into the file as it is; the pixels of a PNG are unpacked.
    if (type === "image/jpeg") return this.#file.embedJpg(bytes);
    const pixels = facts.width * facts.height;
    if (this.#pixels + pixels > LIMITS.pixels) return undefined;
    this.#pixels += pixels;
    return this.#file.embedPng(bytes);
  }
}

/** All that will be written, to see which letters it takes. */
function textOfAll({ original, appended = [], closing = [], watermark }: PdfInput, blocks: readonly Block[]): string {
  const words = [...blocks, ...closing].flatMap((block) => {
    if (block.kind === "table") return block.rows.flat();
    if (block.kind === "entry" || block.kind === "image") return [block.label, block.value];
    return block.kind === "mark" ? [block.label, block.text] : [block.text];
  });
  const pages = [...(original ? [original] : []), ...appended];
  const stamps = pages.flatMap((page) => page.stamps.map(({ value }) => textOf(value)));
  return [...words, ...stamps, watermark?.text ?? ""].join(" ");
}

/** Lines that fit `width`; a word that is too long by itself is cut. Takes time in proportion to the length of the text. */
function wrap(font: Face, size: number, text: string, width: number): string[] {
  return text.split("\n").flatMap((row) => wrapRow(font.ruler(font.clean(row), size), width));
}

/** A line is a stretch of the row: it starts with a word, or within one that is cut. */
function wrapRow({ letters, widthOf }: Ruler, width: number): string[] {
  const lines: string[] = [];
  const fits = (start: number, end: number) => widthOf(start, end) <= width + TOLERANCE;
  let [start, end] = [0, 0];
  const flush = () => lines.push(letters.slice(start, end).join(""));
  for (let from = 0, to = 0; from <= letters.length; from = to + 1) {
    to = letters.indexOf(" ", from);
    if (to < 0) to = letters.length;
    if (end > start && fits(start, to)) {
      end = to;
      continue;
    }
    if (end > start) flush();
    [start, end] = [from, to];
    while (to - start > 1 && !fits(start, to)) {
      end = longestFit(start, to - 1, fits);
      flush();
      [start, end] = [end, to];
    }
  }
  flush();
  return lines;
}

/** Sums of widths differ in their last digits by the order in which they are added. */
const TOLERANCE = 1e-6;

/** Where the longest stretch ends that fits: after one letter at least, at `most` at most. */
function longestFit(start: number, most: number, fits: (start: number, end: number) => boolean): number {
  let [low, high] = [start + 1, most];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(start, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const HEADING_SIZES = [22, 16, 14, 12, 12, 12] as const;
const TEXT_SIZE = 11;
/** Columns of a table, 18 points each. */
const COLUMNS_MAX = 26;
const MARK_SIZE = 20;

/** Blocks one below the other on letter pages. */
class Flow {
  readonly #lib: Lib;
  readonly #file: File;
  readonly #images: Images;
  readonly #fonts: Faces;
  #page: Page | undefined;
  #y = 0;
  #pages = 0;

  constructor(lib: Lib, file: File, images: Images, fonts: Faces) {
    this.#lib = lib;
    this.#file = file;
    this.#images = images;
    this.#fonts = fonts;
  }

  async write(blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) {
      await this.#block(block);
      this.#y -= block.kind === "entry" || block.kind === "item" ? 3 : 10;
    }
  }

  /** What comes next stands on a new page. */
  breakPage(): void {
    this.#page = undefined;
  }

  async #block(block: Block): Promise<void> {
    const { plain, bold } = this.#fonts;
    switch (block.kind) {
      case "heading":
        this.#y -= 6;
        return this.#lines(bold, HEADING_SIZES[block.level - 1] ?? TEXT_SIZE, block.text);
      case "paragraph":
        return this.#lines(plain, TEXT_SIZE, block.text);
      case "item":
        return this.#lines(plain, TEXT_SIZE, `\u2022 ${block.text}`, 12);
      case "entry":
        return this.#lines(plain, TEXT_SIZE, `${block.label}: ${block.value}`);
      case "table":
        for (const [i, row] of block.rows.entries()) this.#row(row, i === 0 ? bold : plain);
        return;
      case "image":
        return this.#image(block);
      case "mark":
        this.#lines(plain, 9, block.label);
        return this.#mark(block.text, block.png);
    }
  }

  /** Makes room for `height` points, on a new page when this one is full. */
  #room(height: number): Page {
    if (!this.#page || this.#y - height < PAGE.margin) {
      requireAtMost(++this.#pages, LIMITS.pages, "pages");
      this.#page = this.#file.addPage([PAGE.width, PAGE.height]);
      this.#y = PAGE.height - PAGE.margin;
    }
    return this.#page;
  }

  #lines(font: Face, size: number, text: string, indent = 0): void {
    for (const line of wrap(font, size, text, PAGE.width - 2 * PAGE.margin - indent)) {
      const page = this.#room(size * 1.35);
      this.#y -= size * 1.35;
      font.draw(page, line, { x: PAGE.margin + indent, y: this.#y, size });
    }
  }

  #row(cells: readonly string[], font: Face): void {
    // assumed: columns that are too narrow for a word become lines.
    if (cells.length > COLUMNS_MAX) {
      this.#lines(font, 10, cells.join(" | "));
      return;
    }
    const width = (PAGE.width - 2 * PAGE.margin) / Math.max(1, cells.length);
    const columns = cells.map((cell) => wrap(font, 10, cell, width - 8));
    const height = Math.max(1, ...columns.map((lines) => lines.length)) * 13 + 6;
    const page = this.#room(Math.min(height, PAGE.height - 2 * PAGE.margin));
    for (const [i, lines] of columns.entries())
      for (const [j, line] of lines.entries())
        font.draw(page, line, { x: PAGE.margin + i * width + 4, y: this.#y - 12 - j * 13, size: 10 });
    this.#y -= height;
    const end = { x: PAGE.width - PAGE.margin, y: this.#y };
    page.drawLine({ start: { x: PAGE.margin, y: this.#y }, end, thickness: 0.5, color: this.#lib.rgb(0.7, 0.7, 0.7) });
  }

  /** An image in its own size, a pixel to a point, or smaller to fit; named when it cannot be drawn. */
  async #image(block: Extract<Block, { kind: "image" }>): Promise<void> {
    const image = await this.#images.add(block.type, block.base64);
    if (!image) return this.#lines(this.#fonts.plain, TEXT_SIZE, `${block.label}: ${block.value}`);
    const most = { width: PAGE.width - 2 * PAGE.margin, height: 360 };
    const scale = Math.min(1, most.width / image.width, most.height / image.height);
    const page = this.#room(image.height * scale);
    this.#y -= image.height * scale;
    page.drawImage(image, { x: PAGE.margin, y: this.#y, width: image.width * scale, height: image.height * scale });
  }

  async #mark(text: string, png: string | null): Promise<void> {
    const page = this.#room(44);
    this.#y -= 40;
    await drawMark(
      this.#images,
      page,
      this.#fonts.hand,
      { text, png },
      { x: PAGE.margin, y: this.#y + 6, width: 216, height: 32 },
    );
    page.drawLine({ start: { x: PAGE.margin, y: this.#y }, end: { x: PAGE.margin + 216, y: this.#y }, thickness: 0.75 });
  }
}

/** A drawn signature as its image, a typed one in a hand's letters; `box` from the page's bottom left. */
async function drawMark(
  images: Images,
  page: Page,
  font: Face,
  mark: { text: string; png: string | null },
  box: { x: number; y: number; width: number; height: number },
): Promise<void> {
  const image = mark.png ? await images.add("image/png", mark.png) : undefined;
  if (image) {
    const scale = Math.min(box.width / image.width, box.height / image.height);
    page.drawImage(image, { x: box.x, y: box.y, width: image.width * scale, height: image.height * scale });
    return;
  }
  const text = font.clean(mark.text);
  const size = Math.min(MARK_SIZE, Math.max(6, box.height - 6));
  if (text !== "") font.draw(page, text, { x: box.x, y: box.y + 4, size });
}

/** Fills the file's form and draws what the form has no place for. */
async function stamp(
  lib: Lib,
  file: File,
  images: Images,
  fonts: Faces,
  stamps: readonly Stamp[],
  isFinal: boolean,
): Promise<void> {
  const form = file.getForm();
  for (const one of stamps) {
    if (one.value === "" && !one.png) continue;
    if (fillForm(lib, form, fonts.plain, one)) continue;
    const page = file.getPages()[one.page];
    if (page) await drawStamp(images, page, fonts, one);
  }
  form.updateFieldAppearances(fonts.plain.standard);
  if (!isFinal) return;
  for (const field of form.getFields()) if (field instanceof lib.PDFSignature) form.removeField(field);
  form.flatten();
}

async function drawStamp(images: Images, page: Page, fonts: Faces, one: Stamp): Promise<void> {
  const box = { ...one.box, y: page.getHeight() - one.box.y - one.box.height };
  await drawMark(images, page, one.png === null ? fonts.plain : fonts.hand, { text: textOf(one.value), png: one.png }, box);
}

/** Pages of other files come without their forms, whose fields would be nobody's. */
async function append(lib: Lib, file: File, images: Images, fonts: Faces, pages: readonly AppendedPage[]): Promise<void> {
  const sources = new Map<string, File>();
  for (const one of pages) {
    const source = sources.get(one.file) ?? (await open(lib, one.bytes));
    sources.set(one.file, source);
    const [page] = await file.copyPages(source, [one.page]);
    if (!page) continue;
    page.node.delete(lib.PDFName.of("Annots"));
    file.addPage(page);
    for (const each of one.stamps) await drawStamp(images, page, fonts, each);
  }
}

function textOf(value: string | boolean): string {
  return typeof value === "boolean" ? (value ? "X" : "") : value;
}

/** True when the form has a field of that name which took the value. */
function fillForm(lib: Lib, form: ReturnType<File["getForm"]>, font: Face, { name, value }: Stamp): boolean {
  const field = form.getFieldMaybe(name);
  const text = font.clean(textOf(value));
  if (field instanceof lib.PDFTextField) {
    if (!font.isStandard(text)) {
      // A form draws its own letters, and has no others than every viewer's: these are drawn onto the page in its place.
      form.removeField(field);
      return false;
    }
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

function drawWatermark(lib: Lib, page: Page, font: Face, watermark: Watermark): void {
  const text = font.clean(watermark.text);
  const { width, height } = page.getSize();
  // Upward from left to right, its middle in the middle of the page; made smaller when it would not fit.
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
  font.draw(page, text, options, 45);
}
