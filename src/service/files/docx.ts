import { own } from "../../engine/core/maps.ts";
import { messageOf } from "../../engine/core/text.ts";
import type { Block } from "./blocks.ts";
import { FileError, LIMITS, requireAtMost } from "./limits.ts";
import { toBlocks, type Words } from "./block-input.ts";
import { writeZip } from "./zip.ts";

const BODY = "word/document.xml";

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** @throws FileError */
export async function readDocx(bytes: Uint8Array): Promise<Block[]> {
  const { strFromU8, unzipSync } = await import("fflate");
  let xml: string;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (name !== BODY) return false;
        // The library unpacks into a buffer of exactly this size.
        requireAtMost(originalSize, LIMITS.xml_bytes, `bytes in ${BODY}`);
        return true;
      },
    });
    xml = strFromU8(files[BODY] ?? new Uint8Array());
  } catch (error) {
    throw error instanceof FileError ? error : new FileError("unreadable", messageOf(error));
  }
  if (!xml.includes("<w:body")) throw new FileError("unreadable", `the file has no ${BODY}`);
  const blocks: Block[] = [];
  for (const part of elements(xml, "tbl", "p")) {
    if (part.startsWith("<w:tbl>")) {
      const rows = elements(part, "tr").map((row) => elements(row, "tc").map(textOf));
      blocks.push({ kind: "table", rows });
      continue;
    }
    const text = textOf(part);
    const level = Number(/<w:pStyle w:val="Heading([1-6])"/.exec(part)?.[1] ?? 0);
    if (text === "") continue;
    if (level > 0) blocks.push({ kind: "heading", level: level as 1, text });
    else if (part.includes("<w:numPr>")) blocks.push({ kind: "item", text, ordered: false });
    else blocks.push({ kind: "paragraph", text });
  }
  return blocks;
}

/** Returns elements of these names, each up to the next closing tag. Takes linear time: an unclosed name is searched once. */
function elements(xml: string, ...names: string[]): string[] {
  const found: string[] = [];
  const unclosed = new Set<string>();
  const opening = new RegExp(`<w:(${names.join("|")})[ >]`, "g");
  for (let match = opening.exec(xml); match; match = opening.exec(xml)) {
    const name = match[1] as string;
    const close = `</w:${name}>`;
    const end = unclosed.has(name) ? -1 : xml.indexOf(close, match.index);
    if (end < 0) unclosed.add(name);
    else {
      found.push(xml.slice(match.index, end + close.length));
      opening.lastIndex = end + close.length;
    }
  }
  return found;
}

function textOf(xml: string): string {
  let text = "";
  for (let open = xml.indexOf("<w:"); open >= 0; ) {
    const end = xml.indexOf(">", open);
    if (end < 0) break;
    const tag = xml.slice(open + 3, Math.min(end, open + 8));
    const isEmpty = xml[end - 1] === "/";
    const next = xml.indexOf("<", end);
    if (isNamed(tag, "t") && !isEmpty && next >= 0 && xml.startsWith("</w:t>", next)) text += fromXml(xml.slice(end + 1, next));
    else if (isEmpty && isNamed(tag, "tab")) text += "\t";
    else if (isEmpty && isNamed(tag, "br")) text += "\n";
    open = xml.indexOf("<w:", end);
  }
  return text;
}

function isNamed(tag: string, name: string): boolean {
  return tag === name || tag.startsWith(`${name} `) || tag === `${name}/`;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function fromXml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name: string) => {
    if (name) return own(ENTITIES, name) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function intoXml(text: string): string {
  // XML forbids other control characters.
  return [...text]
    .filter((letter) => letter >= " " || letter === "\t" || letter === "\n")
    .join("")
    .replace(/[<>&]/g, (letter) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;" })[letter] as string);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml";

const OFFICE_LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const A = "http://schemas.openxmlformats.org/drawingml/2006";
const DRAWING = `xmlns:r="${OFFICE_LINK}" xmlns:wp="${A}/wordprocessingDrawing" xmlns:a="${A}/main" xmlns:pic="${A}/picture"`;

type Image = Extract<Block, { kind: "image" }>;

/** The same input gives the same bytes. */
export async function writeDocx(words: readonly Words[], date: number): Promise<Uint8Array> {
  const blocks = toBlocks(words);
  const styles = [1, 2, 3, 4, 5, 6].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="${44 - level * 4}"/></w:rPr></w:style>`,
  );
  const images = blocks.flatMap((block) => (block.kind === "image" ? [block] : []));
  const numbers = new Map(images.map((image, i) => [image, i]));
  const links = images.map(
    (image, i) => `<Relationship Id="image${i}" Type="${OFFICE_LINK}/image" Target="${mediaName(image, i)}"/>`,
  );
  const files = {
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${OFFICE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${OFFICE}.styles+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>${links.join("")}</Relationships>`,
    "word/styles.xml": `<w:styles ${W}>${styles.join("")}</w:styles>`,
    [BODY]: `<w:document ${W} ${DRAWING}><w:body>${blocks.map((block) => toXml(block, numbers)).join("")}<w:sectPr><w:pgSz w:w="12240" w:h="15840"/></w:sectPr></w:body></w:document>`,
  };
  const bytes = Object.entries(files).map(([name, xml]) => [name, new TextEncoder().encode(HEAD + xml)]);
  const media = images.map((image, i) => [`word/${mediaName(image, i)}`, Buffer.from(image.base64, "base64")]);
  return writeZip(Object.fromEntries([...bytes, ...media]), date);
}

function mediaName(image: Image, index: number): string {
  return `media/image${index}.${image.type === "image/png" ? "png" : "jpeg"}`;
}

function imageXml(image: Image, index: number): string {
  const scale = Math.min(1, 624 / image.width, 800 / image.height);
  const [cx, cy] = [image.width, image.height].map((pixels) => Math.max(1, Math.round(pixels * scale * 9525)));
  const name = intoXml(image.label).replaceAll('"', "&quot;");
  const picture = `<pic:pic><pic:nvPicPr><pic:cNvPr id="${index + 1}" name="${name}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="image${index}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>`;
  return `<w:p><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${index + 1}" name="${name}" descr="${name}"/><a:graphic><a:graphicData uri="${A}/picture">${picture}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}

function toXml(block: Block, numbers: ReadonlyMap<Image, number>): string {
  switch (block.kind) {
    case "heading":
      return paragraph(block.text, `<w:pPr><w:pStyle w:val="Heading${block.level}"/></w:pPr>`);
    case "item":
      return paragraph(`\u2022 ${block.text}`);
    case "image":
      return imageXml(block, numbers.get(block) ?? 0);
    case "entry":
      return paragraph(`${block.label}: ${block.value}`);
    case "mark":
      return paragraph(`${block.label}: ${block.text}`);
    case "table":
      return `<w:tbl><w:tblPr/><w:tblGrid/>${block.rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc><w:tcPr/>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`;
    default:
      return paragraph(block.text);
  }
}

function paragraph(text: string, properties = ""): string {
  const runs = text.split("\n").map((line) => `<w:t xml:space="preserve">${intoXml(line)}</w:t>`);
  return `<w:p>${properties}<w:r>${runs.join("<w:br/>")}</w:r></w:p>`;
}
