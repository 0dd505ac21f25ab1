/** The plain text of an RTF. Tables, lists and headings become paragraphs. */

export function isRtf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "{\\rtf";
}

/** Groups without text of the document. A group that begins with a star has none either. */
const HIDDEN =
  /^(?:\*|fonttbl|colortbl|stylesheet|info|pict|object|themedata|listtable|header[lrf]?|footer[lrf]?|footnote|annotation|listtext|pntext)$/;

const LETTERS: Readonly<Record<string, string>> = {
  par: "\n",
  sect: "\n",
  page: "\n",
  line: "\n",
  row: "\n",
  cell: "\t",
  tab: "\t",
  emdash: "\u2014",
  endash: "\u2013",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201c",
  rdblquote: "\u201d",
  bullet: "\u2022",
  "~": "\u00a0",
  "{": "{",
  "}": "}",
  "\\": "\\",
};

/** A Unicode number with its substitute, a byte, a control word, a control sign, a brace, or text. */
const TOKEN =
  /\\u(-?\d+) ?(?:\\'[\da-f]{2}|[^\\{}])?|\\'([\da-f]{2})|\\([a-z]+)-?\d* ?|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

export function readRtf(bytes: Uint8Array): string {
  const rtf = Buffer.from(bytes).toString("latin1");
  const letters = new TextDecoder(`windows-${/\\ansicpg(125\d)/.exec(rtf)?.[1] ?? "1252"}`);
  let text = "";
  let depth = 0;
  /** The depth of the hidden group, if there is one. */
  let hidden = Number.POSITIVE_INFINITY;
  for (const [, unicode, byte, word, sign, brace, plain] of rtf.matchAll(TOKEN)) {
    if (brace === "{") depth++;
    if (brace === "}" && depth-- === hidden) hidden = Number.POSITIVE_INFINITY;
    if (depth < hidden && HIDDEN.test(word ?? sign ?? "")) hidden = depth;
    if (depth >= hidden) continue;
    if (unicode !== undefined) text += String.fromCharCode(Number(unicode) & 0xffff);
    else if (byte !== undefined) text += letters.decode(Uint8Array.of(Number.parseInt(byte, 16)));
    else text += plain ?? (Object.hasOwn(LETTERS, word ?? sign ?? "") ? LETTERS[word ?? sign ?? ""] : "");
  }
  const paragraphs = text.split("\n").map((one) => one.trim());
  return paragraphs.filter((one) => one !== "").join("\n\n");
}
