/** Describes JSON syntax errors in the words of Python's reader, which the service passes on. V8's messages change with Node's version. */

class JsonFault extends Error {
  readonly at: number;
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

export function jsonFault(text: string): string {
  const { message, at } = findFault(text);
  if (at < 0) return message;
  const before = text.slice(0, at);
  const lines = before.split("\n");
  return `${message}: line ${lines.length} column ${at - before.lastIndexOf("\n")} (char ${at})`;
}

/** Python's reader takes these words. Django REST framework refuses them with this text, and without a place. */
const NO_NUMBER = /-?Infinity|NaN/y;

function findFault(text: string): JsonFault {
  if (text.startsWith("\ufeff")) return new JsonFault("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0);
  try {
    const end = skipSpace(text, readValue(text, skipSpace(text, 0)));
    return new JsonFault("Extra data", end);
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
}

const NUMBER_OR_WORD = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)/y;

function readValue(text: string, at: number): number {
  if (text[at] === '"') return readText(text, at);
  if (text[at] === "{") return readEntries(text, at, "}", readMember);
  if (text[at] === "[") return readEntries(text, at, "]", readValue);
  NO_NUMBER.lastIndex = at;
  const [word] = NO_NUMBER.exec(text) ?? [];
  if (word !== undefined) throw new JsonFault(`Out of range float values are not JSON compliant: '${word}'`, -1);
  NUMBER_OR_WORD.lastIndex = at;
  if (!NUMBER_OR_WORD.test(text)) throw new JsonFault("Expecting value", at);
  return NUMBER_OR_WORD.lastIndex;
}

function readEntries(text: string, start: number, close: string, readEntry: (text: string, at: number) => number): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipSpace(text, readEntry(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ",") throw new JsonFault("Expecting ',' delimiter", at);
    at = skipSpace(text, at + 1);
  }
}

function readMember(text: string, start: number): number {
  if (text[start] !== '"') throw new JsonFault("Expecting property name enclosed in double quotes", start);
  const at = skipSpace(text, readText(text, start));
  if (text[at] !== ":") throw new JsonFault("Expecting ':' delimiter", at);
  return readValue(text, skipSpace(text, at + 1));
}

function readText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === '"') return at + 1;
    if (letter < " ") throw new JsonFault("Invalid control character at", at);
    if (letter !== "\\") continue;
    const escaped = text[++at];
    if (escaped === "u") {
      if (!/^[0-9a-f]{4}$/i.test(text.slice(at + 1, at + 5))) throw new JsonFault("Invalid \\uXXXX escape", at);
      at += 4;
    } else if (escaped !== undefined && !'"\\/bfnrt'.includes(escaped)) throw new JsonFault("Invalid \\escape", at - 1);
  }
  throw new JsonFault("Unterminated string starting at", start);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}
