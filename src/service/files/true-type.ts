/**
 * Reads TrueType fonts and writes subsets of them, for PDF files: glyphs and widths of characters, and a font of the used glyphs
 * only. It implements the `Fontkit` interface of the PDF library.
 */

interface Glyph {
  id: number;
  codePoints: number[];
  advanceWidth: number;
}

export const fontReader = { create: (bytes: Uint8Array): TrueTypeFont => new TrueTypeFont(bytes) };

/** Tables that a subset keeps unchanged: viewers need them to draw glyphs. */
const UNCHANGED_TABLES = ["cvt ", "fpgm", "prep"] as const;

export class TrueTypeFont {
  readonly postscriptName = null;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly italicAngle = 0;
  readonly capHeight: number;
  readonly xHeight = 0;
  readonly bbox: { minX: number; minY: number; maxX: number; maxY: number; width: number; height: number };
  readonly characterSet: number[];
  readonly #tables = new Map<string, DataView>();
  readonly #glyphs = new Map<number, number>();
  readonly #hasLongOffsets: boolean;
  readonly #widths: number;

  constructor(bytes: Uint8Array) {
    const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < file.getUint16(4); i++) {
      const at = 12 + 16 * i;
      const name = String.fromCharCode(...bytes.subarray(at, at + 4));
      this.#tables.set(name, new DataView(bytes.buffer, bytes.byteOffset + file.getUint32(at + 8), file.getUint32(at + 12)));
    }
    const head = this.#table("head");
    const hhea = this.#table("hhea");
    this.unitsPerEm = head.getUint16(18);
    const [minX, minY, maxX, maxY] = [36, 38, 40, 42].map((at) => head.getInt16(at)) as [number, number, number, number];
    this.bbox = { minX, minY, maxX, maxY, width: maxX - minX, height: maxY - minY };
    this.#hasLongOffsets = head.getInt16(50) === 1;
    this.ascent = hhea.getInt16(4);
    this.descent = hhea.getInt16(6);
    this.capHeight = this.ascent;
    this.#widths = hhea.getUint16(34);
    this.#readCharacters();
    this.characterSet = [...this.#glyphs.keys()];
  }

  has(codePoint: number): boolean {
    return this.#glyphs.has(codePoint);
  }

  glyphForCodePoint(codePoint: number): Glyph {
    const id = this.#glyphs.get(codePoint) ?? 0;
    return { id, codePoints: [codePoint], advanceWidth: this.widthOf(id) };
  }

  layout(text: string): { glyphs: Glyph[] } {
    return { glyphs: Array.from(text, (letter) => this.glyphForCodePoint(letter.codePointAt(0) as number)) };
  }

  createSubset(): Subset {
    return new Subset(this);
  }

  /** Glyphs after the last width share it. */
  widthOf(id: number): number {
    return this.#table("hmtx").getUint16(4 * Math.min(id, this.#widths - 1));
  }

  bearingOf(id: number): number {
    const table = this.#table("hmtx");
    return id < this.#widths ? table.getInt16(4 * id + 2) : table.getInt16(4 * this.#widths + 2 * (id - this.#widths));
  }

  outlineOf(id: number): Uint8Array {
    const loca = this.#table("loca");
    const at = (index: number) => (this.#hasLongOffsets ? loca.getUint32(4 * index) : 2 * loca.getUint16(2 * index));
    return bytesOf(this.#table("glyf")).slice(at(id), at(id + 1));
  }

  copyOf(name: string): Uint8Array | undefined {
    const table = this.#tables.get(name);
    return table && bytesOf(table).slice();
  }

  #table(name: string): DataView {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`the font has no table ${name}`);
    return table;
  }

  #readCharacters(): void {
    const cmap = this.#table("cmap");
    for (let i = 0; i < cmap.getUint16(2); i++) {
      const at = cmap.getUint32(4 + 8 * i + 4);
      const isUnicode = [0, 3].includes(cmap.getUint16(4 + 8 * i));
      if (isUnicode && cmap.getUint16(at) === 4) this.#readRanges(cmap, at);
    }
    if (this.#glyphs.size === 0) throw new Error("the font maps no characters");
  }

  #readRanges(cmap: DataView, at: number): void {
    const count = cmap.getUint16(at + 6) / 2;
    const [ends, starts, deltas, offsets] = [14, 16 + 2 * count, 16 + 4 * count, 16 + 6 * count].map((one) => at + one) as [
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < count; i++) {
      const offset = cmap.getUint16(offsets + 2 * i);
      const delta = cmap.getUint16(deltas + 2 * i);
      const start = cmap.getUint16(starts + 2 * i);
      for (let code = start; code <= cmap.getUint16(ends + 2 * i) && code < 0xffff; code++) {
        const found = offset === 0 ? code : cmap.getUint16(offsets + 2 * i + offset + 2 * (code - start));
        const glyph = found === 0 && offset !== 0 ? 0 : (found + delta) & 0xffff;
        if (glyph !== 0) this.#glyphs.set(code, glyph);
      }
    }
  }
}

class Subset {
  readonly #font: TrueTypeFont;
  readonly #ids = [0];

  constructor(font: TrueTypeFont) {
    this.#font = font;
  }

  includeGlyph(glyph: number | Glyph): number {
    const id = typeof glyph === "number" ? glyph : glyph.id;
    const known = this.#ids.indexOf(id, 1);
    return known > 0 ? known : this.#ids.push(id) - 1;
  }

  encode(): Uint8Array {
    const outlines: Uint8Array[] = [];
    for (let i = 0; i < this.#ids.length; i++) outlines.push(this.#outline(this.#ids[i] as number));
    const loca = new DataView(new ArrayBuffer(4 * (outlines.length + 1)));
    const hmtx = new DataView(new ArrayBuffer(4 * outlines.length));
    let end = 0;
    for (const [i, outline] of outlines.entries()) {
      loca.setUint32(4 * i, end);
      end += outline.length;
      hmtx.setUint16(4 * i, this.#font.widthOf(this.#ids[i] as number));
      hmtx.setInt16(4 * i + 2, this.#font.bearingOf(this.#ids[i] as number));
    }
    loca.setUint32(4 * outlines.length, end);
    const tables: [string, Uint8Array][] = [
      ["glyf", Buffer.concat(outlines)],
      ["head", this.#tableWith("head", (head) => head.setInt16(50, 1))],
      ["hhea", this.#tableWith("hhea", (hhea) => hhea.setUint16(34, outlines.length))],
      ["hmtx", bytesOf(hmtx)],
      ["loca", bytesOf(loca)],
      ["maxp", this.#tableWith("maxp", (maxp) => maxp.setUint16(4, outlines.length))],
    ];
    for (const name of UNCHANGED_TABLES) {
      const table = this.#font.copyOf(name);
      if (table) tables.push([name, table]);
    }
    return toFile(tables.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #tableWith(name: string, change: (table: DataView) => void): Uint8Array {
    const table = this.#font.copyOf(name) ?? new Uint8Array();
    change(new DataView(table.buffer, table.byteOffset, table.byteLength));
    return table;
  }

  #outline(id: number): Uint8Array {
    const outline = this.#font.outlineOf(id);
    const padded = new Uint8Array(Math.ceil(outline.length / 4) * 4);
    padded.set(outline);
    const view = new DataView(padded.buffer);
    if (outline.length === 0 || view.getInt16(0) >= 0) return padded;
    // Each part of a composed glyph: flags, glyph number, offsets of one or two bytes, up to four numbers of a matrix.
    for (let at = 10, flags = 0x20; (flags & 0x20) !== 0; ) {
      flags = view.getUint16(at);
      view.setUint16(at + 2, this.includeGlyph(view.getUint16(at + 2)));
      const matrix = flags & 0x08 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0;
      at += 4 + (flags & 0x01 ? 4 : 2) + matrix;
    }
    return padded;
  }
}

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function toFile(tables: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const size = (length: number) => Math.ceil(length / 4) * 4;
  const head = 12 + 16 * tables.length;
  const file = new Uint8Array(tables.reduce((sum, [, table]) => sum + size(table.length), head));
  const view = new DataView(file.buffer);
  const power = Math.floor(Math.log2(tables.length));
  view.setUint32(0, 0x00010000);
  for (const [i, value] of [tables.length, 16 * 2 ** power, power, 16 * (tables.length - 2 ** power)].entries())
    view.setUint16(4 + 2 * i, value);
  let end = head;
  for (const [i, [name, table]] of tables.entries()) {
    file.set(table, end);
    const at = 12 + 16 * i;
    file.set(Buffer.from(name, "latin1"), at);
    view.setUint32(at + 4, checksum(view, end, size(table.length)));
    view.setUint32(at + 8, end);
    view.setUint32(at + 12, table.length);
    end += size(table.length);
  }
  return file;
}

function checksum(view: DataView, start: number, length: number): number {
  let sum = 0;
  for (let at = start; at < start + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
