import fc from "fast-check";
import { expect, test } from "vitest";
import { isRtf, readRtf } from "../../../src/service/files/rtf.ts";
import { law } from "../../support/law.ts";

const read = (text: string) => readRtf(Buffer.from(text, "latin1"));

/** A document as word processors write it, with parts that a reader must ignore. */
const WHOLE = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman Times New Roman;}}{\colortbl;\red0\green0\blue0;}
{\stylesheet{\s1 heading 1;}}{\info{\title Secret title}{\author Somebody}}{\*\generator Word 12;}
\pard\outlinelevel0\b Terms of delivery\b0\par
\pard First {\b bold} and {\i slanted} words,\line next line.\par
\pard{\listtext\bullet\tab}\ls1\ilvl0 One thing\par
\trowd\cellx100\cellx200\pard\intbl Name\cell Price\cell\row
\pard Caf\'e9 \u379?\u243o\u322l\u263c \ldblquote quoted\rdblquote  \{text*:Client:Name____\}\par
{\pict\pngblip 89504e47}{\field{\*\fldinst HYPERLINK "https://a.example"}{\fldrslt a link}}\par
}`;

test("an RTF becomes its plain text, without fonts, styles, notes and pictures", () => {
  expect(read(WHOLE).split("\n\n")).toEqual([
    "Terms of delivery",
    "First bold and slanted words,",
    "next line.",
    "One thing",
    "Name\tPrice",
    "Caf\u00e9 \u017b\u00f3\u0142\u0107 \u201cquoted\u201d {text*:Client:Name____}",
    "a link",
  ]);
});

test("letters are decoded by the code page of the file, and from Unicode numbers with their substitutes", () => {
  expect(read(String.raw`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}`)).toBe("Привет");
  expect(read(String.raw`{\rtf1\ansi\ansicpg1253 \'c1\'e8\'de\'ed\'e1}`)).toBe("Αθήνα");
  expect(read(String.raw`{\rtf1\u937\'3f{\u-10179?\u-8704?}}`)).toBe("\u03a9\u{1f600}");
  expect(read(String.raw`{\rtf1\ansicpg99999 a\'e9\~bcd\\}`)).toBe("a\u00e9\u00a0bcd\\");
});

test("any text that is written with escapes is read back unchanged", () => {
  const text = fc
    .string({ unit: "binary", minLength: 1, maxLength: 40 })
    .filter((one) => one.trim() === one && !/[\n\r\t\v\f]/.test(one));
  law(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      const written = texts.map((one) => [...one].map(escaped).join(""));
      expect(read(`{\\rtf1 ${written.join("\\par ")}}`)).toBe(texts.join("\n\n"));
    }),
    { numRuns: 40 },
  );
});

function escaped(letter: string): string {
  if (/[\\{}]/.test(letter)) return `\\${letter}`;
  if (letter >= " " && letter <= "~") return letter;
  return Array.from({ length: letter.length }, (_, i) => `\\u${letter.charCodeAt(i)}?`).join("");
}

test("a broken file gives its readable text and never throws", () => {
  expect(read("{\\rtf1 open {group")).toBe("open group");
  expect(read("{\\rtf1 a}}}} b\\par c")).toBe("a b\n\nc");
  expect(read("{\\rtf1}")).toBe("");
  law(
    fc.property(
      fc.string({ unit: fc.constantFrom("{", "}", "\\", "'", "a", "u", "9", " ", "*", "row", "cell", "\n") }),
      (text) => void read(`{\\rtf1${text}`),
    ),
  );
  expect([isRtf(Buffer.from("{\\rtf1")), isRtf(Buffer.from("{\\rt")), isRtf(Buffer.from("%PDF-"))]).toEqual([true, false, false]);
});
