/** Files that attack their reader: bombs, loops, exponential graphs, wrong sizes, and valid files that were cut or changed. */
import { crc32, deflateSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { JPEG, png } from "./images.ts";
import { demandingPdf, formPdf, plainPdf } from "./pdf.ts";

export interface HostileFile {
  name: string;
  kind: "pdf" | "docx" | "rtf" | "image" | "markdown";
  readonly bytes: Uint8Array;
}

const latin = (text: string) => Buffer.from(text, "latin1");

/** The objects of a PDF from number 1 on, without a cross-reference table. Readers search for the objects themselves. */
function pdf(objects: readonly (string | Buffer)[], trailer = "<< /Root 1 0 R >>"): Buffer {
  const parts = objects.flatMap((object, i) => [
    latin(`${i + 1} 0 obj\n`),
    Buffer.from(object as string, "latin1"),
    latin("\nendobj\n"),
  ]);
  return Buffer.concat([latin("%PDF-1.7\n"), ...parts, latin(`trailer\n${trailer}\n%%EOF\n`)]);
}

function stream(dict: string, data: Buffer | string): Buffer {
  const bytes = typeof data === "string" ? latin(data) : data;
  return Buffer.concat([latin(`<< ${dict} /Length ${bytes.length} >>\nstream\n`), bytes, latin("\nendstream")]);
}

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE = "/Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]";

/** A page that shows a letter of this font. */
function withFont(font: string, ...more: (string | Buffer)[]): Buffer {
  const page = `<< ${PAGE} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`;
  return pdf([CATALOG, PAGES, page, stream("", "BT /F 12 Tf 10 10 Td <00410042> Tj ET"), font, ...more]);
}

/** A page with this content. */
function withContent(content: Buffer | string, dict = "", resources = ""): Buffer {
  return pdf([CATALOG, PAGES, `<< ${PAGE} /Contents 4 0 R /Resources << ${resources} >> >>`, stream(dict, content)]);
}

const DESCRIPTOR =
  "/FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 >>";

function wideFont(widths: string): Buffer {
  const info = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>";
  const descendant = `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A ${info} ${DESCRIPTOR} ${widths} >>`;
  return withFont(`<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [${descendant}] >>`);
}

/** A tree in which each of `levels` nodes has the next one twice. */
function doubling(levels: number, leaf: string, root: (first: number) => string[], node: (next: number) => string): Buffer {
  const head = root(3);
  const nodes = Array.from({ length: levels }, (_, i) => node(head.length + i + 2));
  return pdf([...head, ...nodes, leaf]);
}

const doublingPages = (levels: number) =>
  doubling(
    levels,
    `<< ${PAGE} >>`,
    () => [CATALOG, "<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>"],
    (next) => `<< /Type /Pages /Parent 2 0 R /Count 2 /Kids [${next} 0 R ${next} 0 R] >>`,
  );

const doublingFields = (levels: number) =>
  doubling(
    levels,
    "<< /FT /Tx /T (a) /Type /Annot /Subtype /Widget /Rect [0 0 9 9] >>",
    () => ["<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 4 0 R] >> >>", PAGES, `<< ${PAGE} >>`],
    (next) => `<< /T (a) /Kids [${next} 0 R ${next} 0 R] >>`,
  );

/** A file that is expensive to make is made only when a test sends it. */
function later(kind: HostileFile["kind"], name: string, make: () => Uint8Array): HostileFile {
  let bytes: Uint8Array | undefined;
  return {
    kind,
    name,
    get bytes() {
      bytes ??= make();
      return bytes;
    },
  };
}

const twice = new Map<number, Buffer>();
/** Several files share the same bytes, which take a second to make. */
function deflatedTwice(bytes: number): Buffer {
  const made = twice.get(bytes) ?? deflateSync(deflateSync(Buffer.alloc(bytes, 32)));
  twice.set(bytes, made);
  return made;
}

function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, i) => `${i + 3} 0 R`).join(" ");
  const tree = `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`;
  return pdf([CATALOG, tree, ...Array.from({ length: count }, () => `<< ${PAGE} >>`)]);
}

function referenceStream(index: string, size: number, entries = Buffer.alloc(8)): Buffer {
  const dict = `/Type /XRef /Size ${size} /Index [${index}] /W [1 2 1] /Root 1 0 R /Filter /FlateDecode`;
  const body = Buffer.concat([
    latin(`%PDF-1.7\n1 0 obj\n${CATALOG}\nendobj\n2 0 obj\n${PAGES}\nendobj\n3 0 obj\n<< ${PAGE} >>\nendobj\n`),
  ]);
  const table = stream(dict, deflateSync(entries));
  return Buffer.concat([body, latin("4 0 obj\n"), table, latin(`\nendobj\nstartxref\n${body.length}\n%%EOF\n`)]);
}

function docx(xml: string | Buffer, level: 0 | 9 = 9): Buffer {
  const bytes = typeof xml === "string" ? strToU8(xml) : xml;
  return Buffer.from(zipSync({ "word/document.xml": [bytes, { level }] }));
}

const body = (xml: string) => docx(`<w:document><w:body>${xml}</w:body></w:document>`);

/** A zip whose only file claims a length of `size` bytes. */
function lyingZip(size: number): Buffer {
  const bytes = body(`<w:p><w:t>${"a".repeat(100_000)}</w:t></w:p>`);
  bytes.writeUInt32LE(size, 22);
  bytes.writeUInt32LE(size, bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
  return bytes;
}

/** A PNG that claims `width` by `height` gray pixels with `depth` bits. */
function pngOf(width: number, height: number, data: Buffer, depth = 1): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([latin(type), content]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(content.length);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([depth, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

let named: readonly HostileFile[] | undefined;

/** The named attacks. */
export function namedFiles(): readonly HostileFile[] {
  named ??= makeNamedFiles();
  return named;
}

function makeNamedFiles(): HostileFile[] {
  const twice = "/Filter [/FlateDecode /FlateDecode]";
  return [
    { name: "widths of two hundred million letters", kind: "pdf", bytes: wideFont("/W [0 200000000 500]") },
    { name: "pages that double thirty times", kind: "pdf", bytes: doublingPages(30) },
    { name: "references to two hundred million objects", kind: "pdf", bytes: referenceStream("0 200000000", 200_000_000) },
    { name: "form fields that double thirty times", kind: "pdf", bytes: doublingFields(30) },
    later("pdf", "content deflated twice", () => withContent(deflatedTwice(200_000_000), twice)),
    { name: "ten thousand pages", kind: "pdf", bytes: manyPages(10_000) },
    later("pdf", "an object stream deflated twice", () =>
      pdf([CATALOG, PAGES, `<< ${PAGE} >>`, stream(`/Type /ObjStm /N 1 /First 10 ${twice}`, deflatedTwice(200_000_000))]),
    ),
    { name: "five megabytes of garbage", kind: "pdf", bytes: Buffer.alloc(5_000_000, "%PDF-1.7 1 0 obj << [ ( ") },
    { name: "breaks without an end", kind: "docx", bytes: body(`<w:p>${"<w:br ".repeat(480_000)}</w:p>`) },
    { name: "texts without an end", kind: "docx", bytes: body(`<w:p>${"<w:t ".repeat(480_000)}</w:p>`) },
    later("image", "a picture of 20,000 by 20,000 pixels", () => pngOf(20_000, 20_000, deflateSync(Buffer.alloc(2501 * 20_000)))),
    {
      name: "a picture that claims 60,000 by 60,000 pixels",
      kind: "image",
      bytes: pngOf(60_000, 60_000, deflateSync(Buffer.alloc(1000))),
    },
    { name: "a word of 250 KB", kind: "markdown", bytes: Buffer.alloc(250_000, "W") },
    { name: "131,000 field tags", kind: "markdown", bytes: latin("{text:a:b______}".repeat(131_000)) },
    {
      name: "a table row of 131,000 cells",
      kind: "docx",
      bytes: body(`<w:tbl><w:tr>${"<w:tc><w:p><w:t>c</w:t></w:p></w:tc>".repeat(131_000)}</w:tr></w:tbl>`),
    },
  ];
}

/** Numbers from a seed, so that each run has the same files. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
}

/** The file cut at a place, or with some changed bytes. */
function spoilt(file: HostileFile, count: number, seed: number): HostileFile[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, i) => {
    const bytes = Buffer.from(file.bytes);
    if (i % 4 === 0) {
      const end = 20 + next(bytes.length - 20);
      return { ...file, name: `${file.name}, cut at byte ${end}`, bytes: bytes.subarray(0, end) };
    }
    const changes = 1 + next(20);
    for (let n = 0; n < changes; n++) bytes[16 + next(bytes.length - 16)] = next(256);
    return { ...file, name: `${file.name}, ${changes} bytes changed (${i})`, bytes };
  });
}

/** Hostile files by kind of attack and size, then damaged valid files. At least 200, the same ones each time. */
export async function generatedFiles(): Promise<HostileFile[]> {
  const made: HostileFile[] = [];
  const add = (kind: HostileFile["kind"], name: string, bytes: Uint8Array) => made.push({ kind, name, bytes });
  const addLater = (...file: Parameters<typeof later>) => made.push(later(...file));
  for (const levels of [5, 12, 20, 60, 500]) {
    add("pdf", `pages that double ${levels} times`, doublingPages(levels));
    add("pdf", `form fields that double ${levels} times`, doublingFields(levels));
  }
  for (const count of [1_000_000, 50_000_000, 2_000_000_000]) {
    add("pdf", `widths of ${count} letters`, wideFont(`/W [0 ${count} 500]`));
    add("pdf", `vertical widths of ${count} letters`, wideFont(`/W2 [0 ${count} 500 1 1]`));
    add("pdf", `references to ${count} objects`, referenceStream(`0 ${count}`, count));
    add(
      "pdf",
      `${count} pages by their count`,
      pdf([CATALOG, `<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`, `<< ${PAGE} >>`]),
    );
    const simple = `/Type /Font /Subtype /TrueType /BaseFont /A ${DESCRIPTOR} /FirstChar 0 /LastChar ${count} /Widths [500]`;
    add("pdf", `a font of ${count} letters`, withFont(`<< ${simple} >>`));
    const map = `1 begincodespacerange <0000> <FFFF> endcodespacerange 1 begincidrange <0000> <${count.toString(16).padStart(8, "0")}> 0 endcidrange`;
    add(
      "pdf",
      `a map of ${count} letters`,
      withFont(
        `<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 6 0 R /ToUnicode 6 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A ${DESCRIPTOR} >>] >>`,
        stream("/Type /CMap", map),
      ),
    );
    add(
      "pdf",
      `a predictor of ${count} columns`,
      withContent(deflateSync(Buffer.alloc(1000)), `/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns ${count} >>`),
    );
  }
  for (const depth of [100, 10_000, 200_000]) {
    add(
      "pdf",
      `lists within each other, ${depth}`,
      pdf([CATALOG, PAGES, `<< ${PAGE} /A ${"[".repeat(depth)}${"]".repeat(depth)} >>`]),
    );
    add(
      "pdf",
      `maps within each other, ${depth}`,
      pdf([CATALOG, PAGES, `<< ${PAGE} /A ${"<< /A ".repeat(depth)}${">>".repeat(depth)} >>`]),
    );
    add("pdf", `${depth} lists in a content`, withContent("[".repeat(depth)));
    add("pdf", `${depth} saved states`, withContent("q ".repeat(depth)));
    add("rtf", `groups within each other, ${depth}`, latin(`{\\rtf1 ${"{".repeat(depth)}a`));
    add("docx", `paragraphs within each other, ${depth}`, body("<w:p>".repeat(depth)));
    add("docx", `tables within each other, ${depth}`, body("<w:tbl><w:tr><w:tc>".repeat(depth)));
    add("markdown", `quotes within each other, ${depth}`, latin(">".repeat(depth)));
  }
  for (const size of [1_000_000, 20_000_000, 100_000_000]) {
    const filters = Math.max(1, Math.round(size / 40_000_000));
    addLater("pdf", `content deflated to ${size} bytes`, () =>
      withContent(deflateSync(Buffer.alloc(size, "(a) Tj ")), "/Filter /FlateDecode"),
    );
    addLater("pdf", `content deflated twice to ${size} bytes`, () =>
      withContent(deflatedTwice(size), "/Filter [/FlateDecode /FlateDecode]"),
    );
    add(
      "pdf",
      `content of run lengths, ${filters} times`,
      withContent(Buffer.alloc(50_000, Buffer.from([129, 65])), `/Filter [${"/RunLengthDecode ".repeat(filters)}]`),
    );
    addLater("docx", `a text of ${size} bytes`, () =>
      docx(Buffer.concat([latin("<w:body><w:p><w:t>"), Buffer.alloc(size, 97), latin("</w:t></w:p>")])),
    );
    add("docx", `a zip that says ${size} bytes`, lyingZip(size));
  }
  for (const count of [1000, 50_000, 400_000]) {
    for (const tag of ["<w:t>", "<w:t ", "<w:tab/>", "<w:br ", "<w:p ", "<w:tbl>", "&#x", "&amp;", "<w:t>a</w:t>"])
      add("docx", `${count} times ${tag}`, body(`<w:p>${tag.repeat(count)}</w:p>`));
    for (const word of ["\\cell ", "\\row ", "\\par ", "\\'41", "\\u9 ", "{}", "{\\*", "\\bin9"])
      add("rtf", `${count} times ${word.trim()}`, latin(`{\\rtf1\\intbl ${word.repeat(count)}}`));
    for (const mark of ["[", "](", "**a ", "__", "`", "| ", "# ", "- a\n", "{text:a:b}", "_a ", "|---"])
      add("markdown", `${count} times ${JSON.stringify(mark)}`, latin(mark.repeat(count)));
  }
  add("pdf", "a page that is its own parent", pdf([CATALOG, "<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>"]));
  add(
    "pdf",
    "parents in a circle",
    pdf([
      CATALOG,
      "<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 4 0 R >>",
      "<< /Type /Page /Parent 2 0 R >>",
      "<< /Parent 2 0 R >>",
    ]),
  );
  add(
    "pdf",
    "a form field that is its own child",
    pdf([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>",
      PAGES,
      `<< ${PAGE} >>`,
      "<< /T (a) /Kids [4 0 R] /Parent 4 0 R >>",
    ]),
  );
  add(
    "pdf",
    "a reference table that names itself as the one before",
    latin("%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Prev 9 /Root 1 0 R >>\nstartxref\n9\n%%EOF"),
  );
  add("pdf", "an object that is itself", pdf([CATALOG, "2 0 R", "3 0 R"]));
  add(
    "pdf",
    "a drawing that draws itself",
    pdf([
      CATALOG,
      PAGES,
      `<< ${PAGE} /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>`,
      stream("", "/X Do"),
      stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>", "/X Do /X Do"),
    ]),
  );
  add("pdf", "a page of no size", pdf([CATALOG, PAGES, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1e400 -5] >>"]));
  add("image", "a picture of no pixels", pngOf(0, 0, Buffer.alloc(0)));
  add("image", "a picture of four thousand million pixels in a row", pngOf(0xffffffff, 1, deflateSync(Buffer.alloc(100))));
  addLater("image", "a small picture with a hundred megabytes of data", () =>
    pngOf(10, 10, deflateSync(Buffer.alloc(100_000_000))),
  );
  add("image", "a JPEG of fill bytes", Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_200_000, 0xff)]));
  add(
    "image",
    "a JPEG of empty segments",
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_200_000, Buffer.from([0xff, 0xe0, 0, 0]))]),
  );
  const good: HostileFile[] = [
    { name: "a form", kind: "pdf", bytes: await formPdf() },
    { name: "a PDF with fonts and an image", kind: "pdf", bytes: await demandingPdf() },
    { name: "ten pages", kind: "pdf", bytes: await plainPdf(10) },
    {
      name: "a DOCX",
      kind: "docx",
      bytes: body("<w:p><w:t>Hello</w:t></w:p><w:tbl><w:tr><w:tc><w:t>a</w:t></w:tc></w:tr></w:tbl>"),
    },
    { name: "an RTF", kind: "rtf", bytes: latin("{\\rtf1\\ansi Hello {\\b bold}\\par \\intbl a\\cell b\\cell\\row}") },
    { name: "a PNG", kind: "image", bytes: png(40, 40) },
    { name: "a JPEG", kind: "image", bytes: JPEG },
  ];
  for (const [i, file] of good.entries()) made.push(...spoilt(file, file.kind === "pdf" ? 24 : 8, i + 1));
  return made;
}
