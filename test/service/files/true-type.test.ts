import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TrueTypeFont } from "../../../src/service/files/true-type.ts";
import { law } from "../../support/law.ts";

const BYTES = readFileSync(createRequire(import.meta.url).resolve("pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf"));
const font = new TrueTypeFont(BYTES);
const idOf = (letter: string) => font.glyphForCodePoint(letter.codePointAt(0) as number).id;

/** The tables of a font file by name, each with its view and whether its checksum is right. */
function tablesOf(bytes: Uint8Array): Record<string, { view: DataView; isRight: boolean }> {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = Array.from({ length: file.getUint16(4) }, (_, i) => {
    const at = 12 + 16 * i;
    const [sum, start, length] = [file.getUint32(at + 4), file.getUint32(at + 8), file.getUint32(at + 12)];
    let found = 0;
    for (let j = start; j < start + Math.ceil(length / 4) * 4; j += 4) found = (found + file.getUint32(j)) >>> 0;
    const name = Buffer.from(bytes.subarray(at, at + 4)).toString("latin1");
    return [name, { view: new DataView(bytes.buffer, bytes.byteOffset + start, length), isRight: found === sum }] as const;
  });
  return Object.fromEntries(entries);
}

test("letters have the right glyphs and widths", () => {
  expect([..."AŻωЖ€"].every((letter) => font.has(letter.codePointAt(0) as number))).toBe(true);
  expect([..."中\u{1f600}"].map(idOf)).toEqual([0, 0]);
  expect(font.unitsPerEm).toBe(2048);
  // Helvetica, which every viewer has, has the same widths in thousandths of the font size.
  const widths = font.layout(" AŻn").glyphs.map((glyph) => Math.round((glyph.advanceWidth * 1000) / font.unitsPerEm));
  expect(widths).toEqual([278, 667, 611, 556]);
});

test("a subset holds the used glyphs with their parts and widths, and its tables are valid", () => {
  law(
    fc.property(fc.array(fc.constantFrom(...font.characterSet), { maxLength: 30 }), (codes) => {
      const subset = font.createSubset();
      const ids = codes.map((code) => subset.includeGlyph(font.glyphForCodePoint(code)));
      const tables = tablesOf(subset.encode());
      expect(Object.values(tables).every((table) => table.isRight)).toBe(true);
      const count = tables.maxp?.view.getUint16(4) as number;
      const offset = (id: number) => tables.loca?.view.getUint32(4 * id) as number;
      expect(tables.hhea?.view.getUint16(34)).toBe(count);
      expect(offset(count)).toBe(tables.glyf?.view.byteLength);
      for (const [i, code] of codes.entries()) {
        const id = ids[i] as number;
        const { id: old, advanceWidth } = font.glyphForCodePoint(code);
        expect(id).toBeLessThan(count);
        expect(tables.hmtx?.view.getUint16(4 * id)).toBe(advanceWidth);
        const outline = font.outlineOf(old);
        expect(offset(id + 1) - offset(id)).toBe(Math.ceil(outline.length / 4) * 4);
        // A simple outline is equal to the byte. A composite outline refers to parts by new numbers, which must exist.
        const view = tables.glyf?.view as DataView;
        const kept = new Uint8Array(view.buffer, view.byteOffset + offset(id), outline.length);
        if (outline.length > 0 && view.getInt16(offset(id)) < 0) expect(view.getUint16(offset(id) + 12)).toBeLessThan(count);
        else expect(Buffer.from(kept).equals(Buffer.from(outline))).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test("a glyph gets one number, an empty subset is small, and a font without tables is refused", () => {
  const subset = font.createSubset();
  expect([idOf("a"), idOf("b"), idOf("a")].map((id) => subset.includeGlyph(id))).toEqual([1, 2, 1]);
  expect(font.createSubset().encode().length).toBeLessThan(6000);
  expect(() => new TrueTypeFont(BYTES.subarray(0, 12).fill(0, 4))).toThrow("no table head");
});
