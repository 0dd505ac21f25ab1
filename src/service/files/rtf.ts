import type { Block } from "./blocks.ts";
import { own } from "../../engine/core/maps.ts";
import { requireAtMost } from "./limits.ts";

export function isRtf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "{\\rtf";
}

const HIDDEN = new Set(
  "fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore listtable listoverridetable rsidtbl generator header headerl headerr headerf footer footerl footerr footerf footnote annotation fldinst bkmkstart bkmkend shppict nonshppict mmathPr xmlnstbl latentstyles listtext pntext".split(
    " ",
  ),
);

const LETTERS: Readonly<Record<string, string>> = {
  tab: "\t",
  line: "\n",
  emdash: "\u2014",
  endash: "\u2013",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201c",
  rdblquote: "\u201d",
  bullet: "\u2022",
  "~": "\u00a0",
  _: "\u2011",
  "-": "",
  "{": "{",
  "}": "}",
  "\\": "\\",
};

interface State {
  isHidden: boolean;
  substitutes: number;
  inTable: boolean;
  isItem: boolean;
  level: number;
}

const TOKEN = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;

const GROUPS_MAX = 1000;

/** @throws FileError beyond a limit */
export function readRtf(bytes: Uint8Array): Block[] {
  return new Reader(Buffer.from(bytes).toString("latin1")).read();
}

class Reader {
  readonly #text: string;
  readonly #blocks: Block[] = [];
  #state: State = { isHidden: false, substitutes: 1, inTable: false, isItem: false, level: 0 };
  readonly #outer: State[] = [];
  #decoder: { decode(bytes: Uint8Array): string } = new TextDecoder("windows-1252");
  /** Bytes to decode together: a character may take several. */
  #bytes: number[] = [];
  #skip = 0;
  #words = "";
  #cells: string[] = [];
  #rows: string[][] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): Block[] {
    for (const [, word, number, hex, symbol, brace, plain] of this.#text.matchAll(TOKEN)) {
      if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
      else {
        this.#flushBytes();
        if (brace !== undefined) this.#brace(brace);
        else if (plain !== undefined) this.#plain(plain);
        else if (symbol !== undefined) this.#symbol(symbol);
        else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number));
      }
    }
    this.#flushBytes();
    this.#paragraph();
    this.#table();
    return this.#blocks;
  }

  #brace(brace: string): void {
    this.#skip = 0;
    if (brace === "{") {
      this.#outer.push({ ...this.#state });
      requireAtMost(this.#outer.length, GROUPS_MAX, "groups within each other");
    } else this.#state = this.#outer.pop() ?? this.#state;
  }

  #byte(byte: number): void {
    if (this.#skip > 0) this.#skip--;
    else if (!this.#state.isHidden) this.#bytes.push(byte);
  }

  #flushBytes(): void {
    if (this.#bytes.length === 0) return;
    this.#words += this.#decoder.decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
  }

  #plain(text: string): void {
    const rest = text.slice(this.#skip);
    this.#skip = Math.max(0, this.#skip - text.length);
    if (!this.#state.isHidden) this.#words += rest;
  }

  #symbol(symbol: string): void {
    if (symbol === "*") this.#state.isHidden = true;
    else if (symbol === "\n" || symbol === "\r") this.#word("par", undefined);
    else if (!this.#state.isHidden) this.#words += LETTERS[symbol] ?? "";
  }

  #word(word: string, number: number | undefined): void {
    if (HIDDEN.has(word)) this.#state.isHidden = true;
    if (word === "ansicpg") this.#decoder = decoderOf(number ?? 1252);
    if (word === "uc") this.#state.substitutes = number ?? 1;
    if (this.#state.isHidden) return;
    switch (word) {
      case "u":
        this.#words += String.fromCharCode((number ?? 63) & 0xffff);
        this.#skip = this.#state.substitutes;
        return;
      case "par":
      case "sect":
      case "page":
        if (this.#state.inTable) this.#words += "\n";
        else this.#paragraph();
        return;
      case "pard":
        Object.assign(this.#state, { inTable: false, isItem: false, level: 0 });
        return;
      case "intbl":
        this.#state.inTable = true;
        return;
      case "ls":
        this.#state.isItem = true;
        return;
      case "outlinelevel":
        this.#state.level = Math.min(6, (number ?? 0) + 1);
        return;
      case "cell":
        this.#cells.push(this.#words.trim());
        this.#words = "";
        return;
      case "row":
        if (this.#cells.length > 0) this.#rows.push(this.#cells);
        this.#cells = [];
        return;
      default:
        this.#words += own(LETTERS, word) ?? "";
    }
  }

  #paragraph(): void {
    const text = this.#words.trim();
    this.#words = "";
    if (text === "") return;
    this.#table();
    const { level, isItem } = this.#state;
    if (level > 0) this.#blocks.push({ kind: "heading", level: level as 1, text });
    else if (isItem) this.#blocks.push({ kind: "item", text, ordered: false });
    else this.#blocks.push({ kind: "paragraph", text });
  }

  #table(): void {
    if (this.#rows.length > 0) this.#blocks.push({ kind: "table", rows: this.#rows });
    this.#rows = [];
  }
}

function decoderOf(codePage: number): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(codePage === 65001 ? "utf-8" : codePage === 932 ? "shift_jis" : `windows-${codePage}`);
  } catch {
    return new TextDecoder("windows-1252");
  }
}
