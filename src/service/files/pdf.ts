import { messageOf } from "../../engine/core/text.ts";
import { FileError, LIMITS, requireAtMost } from "./limits.ts";
import type { Dict, Field, File, Lib, Page } from "./pdf-types.ts";

export interface PdfField {
  name: string;
  kind: "text" | "checkbox" | "radio" | "dropdown" | "list" | "signature" | "button";
  required: boolean;
  multiline: boolean;
  options: string[];
  value: string | boolean | null;
  page: number;
  /** In points from the top left corner. */
  box: PdfBox;
  /** The buttons of a radio group, one for each option, where all are on the field's page. */
  widgets?: PdfBox[];
}

interface PdfBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PdfContent {
  pages: { width: number; height: number }[];
  fields: PdfField[];
}

/** The library has no bounds, so graphs and references are checked first. @throws FileError */
export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
  if (!Buffer.from(bytes.subarray(0, 1024)).includes("%PDF-")) throw new FileError("unreadable", "the file is not a PDF");
  checkReferences(bytes);
  const lib = await import("@cantoo/pdf-lib");
  try {
    const file = await lib.PDFDocument.load(bytes, { throwOnInvalidObject: true, updateMetadata: false });
    if (!file.catalog) throw new FileError("unreadable", "the file has no catalog");
    checkGraphs(lib, file);
    const pages = file.getPages();
    const places = placesOf(file);
    const fields = file
      .getForm()
      .getFields()
      .flatMap((field) => readField(lib, pages, places, field));
    return {
      pages: pages.map((page) => ({ width: page.getWidth(), height: page.getHeight() })),
      fields,
    };
  } catch (error) {
    throw error instanceof FileError ? error : new FileError("unreadable", messageOf(error));
  }
}

const DEPTH_MAX = 100;

function checkGraphs(lib: Lib, file: File): void {
  const root = file.catalog.lookupMaybe(lib.PDFName.of("Pages"), lib.PDFDict);
  const form = file.catalog.lookupMaybe(lib.PDFName.of("AcroForm"), lib.PDFDict);
  checkTree(lib, root, "Kids", LIMITS.pages, "pages");
  checkTree(lib, form, "Fields", LIMITS.fields, "form fields");
}

/** @throws FileError */
export async function open(lib: Lib, bytes: Uint8Array): Promise<File> {
  const file = await lib.PDFDocument.load(bytes, { updateMetadata: false });
  checkGraphs(lib, file);
  return file;
}

function checkTree(lib: Lib, root: Dict | undefined, first: string, max: number, what: string): void {
  let leaves = 0;
  let nodes = 0;
  const walk = (node: Dict, name: string, depth: number): void => {
    if (depth > DEPTH_MAX)
      throw new FileError("unreadable", `the tree of ${what} is deeper than ${DEPTH_MAX} levels, or a circle`);
    const kids = node.lookup(lib.PDFName.of(name));
    requireAtMost(++nodes, 3 * max, what);
    if (!(kids instanceof lib.PDFArray)) requireAtMost(++leaves, max, what);
    else
      for (let i = 0; i < kids.size(); i++) {
        const kid = kids.lookup(i);
        if (kid instanceof lib.PDFDict) walk(kid, "Kids", depth + 1);
        else requireAtMost(++nodes, 3 * max, what);
      }
  };
  if (root) walk(root, first, 0);
}

/** The format forbids compressing or encrypting these numbers. */
const REFERENCE_RANGES = /\/Index\s*\[([\d\s]+)\]/g;

/** The library allocates an entry for each object that the file claims. @throws FileError */
function checkReferences(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  for (const [, ranges = ""] of text.matchAll(REFERENCE_RANGES)) {
    const numbers = ranges
      .trim()
      .split(/\s+/, 2 * LIMITS.pages)
      .map(Number);
    const count = numbers.reduce((sum, one, i) => sum + (i % 2 === 1 ? one : 0), 0);
    requireAtMost(count, LIMITS.objects, "objects");
  }
}

function placesOf(file: File): ReadonlyMap<unknown, number> {
  const places = new Map<unknown, number>();
  const note = (key: unknown, page: number) => {
    if (!places.has(key)) places.set(key, page);
  };
  for (const [number, page] of file.getPages().entries()) {
    note(page.ref, number);
    const annotations = page.node.Annots();
    for (let i = 0; i < (annotations?.size() ?? 0); i++) note(annotations?.lookup(i), number);
  }
  return places;
}

function readField(lib: Lib, pages: readonly Page[], places: ReadonlyMap<unknown, number>, field: Field): PdfField[] {
  const properties = propertiesOf(lib, field);
  const all = field.acroField.getWidgets();
  const [widget] = all;
  if (!properties || !widget) return [];
  const pageOf = (one: typeof widget) => places.get(one.P()) ?? places.get(one.dict) ?? 0;
  const page = pageOf(widget);
  const height = pages[page]?.getHeight() ?? 0;
  const boxOf = (one: typeof widget): PdfBox => {
    const box = one.getRectangle();
    return { x: round(box.x), y: round(height - box.y - box.height), width: round(box.width), height: round(box.height) };
  };
  const isSpread =
    properties.kind === "radio" && all.length === properties.options?.length && all.every((one) => pageOf(one) === page);
  return [
    {
      name: field.getName(),
      required: field.isRequired(),
      multiline: false,
      options: [],
      value: null,
      page,
      box: boxOf(widget),
      ...(isSpread ? { widgets: all.map(boxOf) } : {}),
      ...properties,
    },
  ];
}

function propertiesOf(lib: Lib, field: Field): (Pick<PdfField, "kind"> & Partial<PdfField>) | undefined {
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

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
