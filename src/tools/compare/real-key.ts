/**
 * Keeps the real key from the client. Where the service echoes the key, the client reads its own key instead. An answer that holds
 * the key in a form that docdouble cannot replace is withheld.
 */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { makeRoom, own } from "../../engine/core/maps.ts";
import { type CallAnswer, type CallRequest, type HeaderMap, NO_BODY } from "./exchange.ts";

/** A shorter key may be part of any word. */
const PART_LENGTH_MIN = 8;
/** The longest body of an answer, unpacked. */
const UNPACKED_MAX = 256 * 1024 * 1024;
/** How many encodings may lie over each other. */
const LAYERS_MAX = 4;
/** How many bytes docdouble decodes in search of the key, beside the body itself. */
const DECODED_MAX = 2 * 1024 * 1024;
/** A longer run of one encoding is a file. In it, docdouble finds the key only where it stands encoded once. */
const RUN_MAX = 64 * 1024;
/** In a longer body, docdouble looks for the key itself, its hexadecimal and its base64 only. */
const SEARCHED_MAX = 1024 * 1024;
/** Answers repeat names and ids. docdouble remembers so many encoded pieces without the key, up to this length in bytes. */
const CLEAN_MAX = 20_000;
const CLEAN_LENGTH_MAX = 200;
/** Without separators, a shorter key may stand in plain words. */
const JOINED_LENGTH_MIN = 16;

const WITHHELD = "the answer contains the real key in a form that docdouble cannot replace, so docdouble withheld the answer";

type Message = Pick<CallAnswer, "headers" | "body">;

export class RealKey {
  readonly #key: string;
  readonly #shown: string;
  readonly #plain: RegExp;
  readonly #hex: RegExp;
  readonly #cores: RegExp | undefined;
  readonly #coreTexts: readonly string[];
  readonly #needles: readonly string[];
  readonly #joined: string;
  /** Decoded pieces of bodies in which no encoding hides the key. */
  readonly #clean = new Map<string, true>();

  /** @param shown what the client reads instead of the key */
  constructor(key: string, shown: string) {
    this.#key = key;
    this.#shown = shown;
    const isLong = key.length >= PART_LENGTH_MIN;
    const characters = [...key];
    const body = characters.map(spellings).join("");
    this.#plain = new RegExp(isLong ? body : `(?<![\\w-])${body}(?![\\w-])`, "gi");
    const bytes = [...Buffer.from(key)].map((byte) => byte.toString(16).padStart(2, "0"));
    this.#hex = new RegExp(isLong ? bytes.join("(?:[\\s:,;_-]|0x|\\\\+x)*") : "(?!)", "gi");
    const cores = isLong ? base64Cores(key) : [];
    this.#coreTexts = cores;
    this.#cores = cores.length === 0 ? undefined : new RegExp(cores.map(spaced).join("|"), "g");
    const reversed = characters.reverse().join("");
    this.#needles = isLong ? [key, reversed, bytes.join("")].map((one) => one.toLowerCase()) : [];
    const joined = key.toLowerCase().replace(/[^a-z0-9]/g, "");
    this.#joined = joined.length >= JOINED_LENGTH_MIN ? joined : "";
  }

  /** The answer for the client. Status 0 with a reason when the answer must not reach the client. */
  hideInAnswer(answer: CallAnswer): CallAnswer {
    const unpacked = unpack(answer);
    if (typeof unpacked === "string") return withheld(`${unpacked}, so docdouble cannot look for the real key in it`);
    const hidden = this.#hide(unpacked);
    return hidden === undefined ? withheld(WITHHELD) : { ...answer, ...hidden };
  }

  /** Undefined when the webhook must not reach the client. */
  hideInWebhook(request: CallRequest): CallRequest | undefined {
    const target = this.#hideText(request.target);
    const unpacked = unpack(request);
    const hidden = typeof unpacked === "string" ? undefined : this.#hide(unpacked);
    return hidden === undefined || this.#isIn(Buffer.from(target)) ? undefined : { ...request, ...hidden, target };
  }

  #hide({ headers, body }: Message): Message | undefined {
    const shown = Object.entries(headers).map(([name, value]) => [name, this.#hideText(value)] as const);
    if (shown.some(([name, value]) => this.#isIn(Buffer.from(`${name}: ${value}`)))) return undefined;
    const kept = { headers: Object.fromEntries(shown), body };
    if (this.#needles.length > 0 && !this.#isIn(body)) return kept;
    // Latin-1 keeps each byte as one character.
    const text = body.toString("latin1");
    const hidden = this.#hideText(text);
    const bytes = hidden === text ? body : Buffer.from(hidden, "latin1");
    return this.#isIn(bytes) ? undefined : { ...kept, body: bytes };
  }

  #hideText(text: string): string {
    const hex = Buffer.from(this.#shown).toString("hex");
    const replaced = text.replace(this.#plain, () => this.#shown).replace(this.#hex, () => hex);
    return this.#cores === undefined ? replaced : replaced.replace(this.#cores, (core) => core.replace(/\S/g, "A"));
  }

  /** Looks through all usual encodings, also on top of each other. */
  #isIn(bytes: Buffer): boolean {
    if (this.#needles.length === 0) return false;
    let layer = [bytes];
    let left = DECODED_MAX + bytes.length;
    const searched: string[] = [];
    for (let depth = 0; depth <= LAYERS_MAX && layer.length > 0; depth++) {
      const inner: Buffer[] = [];
      for (const one of layer) {
        // Packed and encoded texts are hardly ever shorter than half of the text.
        if (one.length * 2 < this.#key.length) continue;
        const piece = depth === 1 && one.length <= CLEAN_LENGTH_MAX ? one.toString("latin1") : undefined;
        if (piece !== undefined) {
          if (this.#clean.has(piece)) continue;
          searched.push(piece);
        }
        const texts = textsIn(one);
        if (texts.some((text) => this.#isInText(text))) return true;
        left -= one.length;
        if (left > 0 && depth < LAYERS_MAX && one.length <= SEARCHED_MAX)
          inner.push(...texts.flatMap((text) => decodings(text)), ...unpackings(one));
      }
      layer = inner;
    }
    // Beyond the limit, docdouble did not look into each piece.
    if (left > 0) for (const piece of searched) this.#remember(piece);
    return false;
  }

  #remember(piece: string): void {
    makeRoom(this.#clean, CLEAN_MAX);
    this.#clean.set(piece, true);
  }

  #isInText(text: string): boolean {
    const lower = text.toLowerCase();
    if (this.#needles.some((one) => lower.includes(one))) return true;
    if (text.length > SEARCHED_MAX) return this.#coreTexts.some((one) => text.includes(one));
    const joined = /\s|\\/.test(text) ? text.replace(/\s|\\+[nr]?/g, "") : text;
    if (this.#coreTexts.some((one) => joined.includes(one))) return true;
    return this.#joined !== "" && lower.replace(/[^a-z0-9]+/g, "").includes(this.#joined);
  }

  /** Removes the variables that hold the key, for the environment of the command. */
  variables(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const holders = Object.entries(all).filter(([, value = ""]) => value.includes(this.#key) || this.#isIn(Buffer.from(value)));
    return Object.fromEntries(holders.map(([name]) => [name, undefined]));
  }
}

function textsIn(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  // UTF-16 has a zero beside each character.
  return bytes.includes(0) ? [text, text.replaceAll("\0", "")] : [text];
}

function withheld(failure: string): CallAnswer {
  return { status: 0, headers: {}, body: NO_BODY, failure };
}

/** All spellings of one character in JSON, URLs, HTML, quoted-printable and source code, each escaped any number of times. */
function spellings(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const entity = "&(?:amp;)*#";
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, "0"));
  const all = [
    character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"),
    bytes.map((byte) => `%(?:25)*${byte}`).join(""),
    bytes.map((byte) => `=${byte}`).join(""),
    bytes.map((byte) => `\\\\{1,8}x${byte}`).join(""),
    `\\\\{1,8}u\\{?0*${hex}\\}?`,
    `${entity}0*${code};?`,
    `${entity}x0*${hex};?`,
  ];
  // A backslash before a character, as in `\/`, changes nothing. A soft line break of quoted-printable ends with `=`.
  return `(?:\\\\{0,8}(?:${all.join("|")})(?:=\\r?\\n)?)`;
}

/** The characters of base64 that the key alone decides, for each place of the key in a longer text. */
function base64Cores(key: string): string[] {
  const cores = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(key)]);
    const whole = bytes.toString("base64").replace(/=+$/, "");
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    const core = whole.slice(first, last);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [...new Set(cores)];
}

/** Lines of base64 may break anywhere. */
function spaced(core: string): string {
  return [...core]
    .map((one) =>
      one.replace(
        /[+/]/g,
        (sign) => `(?:\\\\?\\${sign}|%(?:25)*${sign === "+" ? "2b" : "2f"}|%(?:25)*${sign === "+" ? "2B" : "2F"})`,
      ),
    )
    .join("(?:\\s|\\\\+[nr])*");
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hyphen: "-",
  lowbar: "_",
  period: ".",
};

function decodings(text: string): Buffer[] {
  const found: Buffer[] = [];
  const add = (decoded: string) => {
    if (decoded !== text) found.push(Buffer.from(decoded, "latin1"));
  };
  if (text.includes("%"))
    add(text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));
  if (text.includes("\\"))
    add(
      text
        .replace(/\\{1,8}u\{?([0-9a-f]{1,6})\}?/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16) & 0xff))
        .replace(/\\{1,8}x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .replace(/\\{1,8}([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8) & 0xff))
        .replace(/\\/g, ""),
    );
  if (text.includes("&"))
    add(
      text
        .replace(/&#x([0-9a-f]{1,6});?/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16) & 0xff))
        .replace(/&#(\d{1,7});?/g, (_, code: string) => String.fromCharCode(Number(code) & 0xff))
        .replace(/&([a-z]+);/gi, (whole, name: string) => NAMED[name.toLowerCase()] ?? whole),
    );
  if (text.includes("="))
    add(
      text.replace(/=\r?\n/g, "").replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  for (const [run] of text.matchAll(/(?:[0-9a-f]{2}(?:[\s:,;_-]|0x|\\+x){0,3}){8,}/gi))
    if (run.length <= RUN_MAX) found.push(Buffer.from(run.replace(/0x|\\+x|[^0-9a-f]/gi, ""), "hex"));
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-](?:[A-Za-z0-9+/_\s-]|\\+[nr]){9,}={0,2}/g)) {
    if (run.length > RUN_MAX) continue;
    const joined = run.replace(/\s|\\+[nr]/g, "");
    // The run may begin with characters that are not part of it.
    for (let shift = 0; shift < 4; shift++) found.push(Buffer.from(joined.slice(shift), "base64"));
  }
  for (const [run] of text.matchAll(/\b\d{2,3}(?:[\s,]+\d{2,3}){7,}\b/g))
    found.push(Buffer.from((run.match(/\d+/g) ?? []).map((one) => Number(one) & 0xff)));
  return found;
}

/** Packed bytes without a header that says so. */
function unpackings(bytes: Buffer): Buffer[] {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isZlib = bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 0)) % 31 === 0;
  const unpackers = isGzip ? [gunzipSync] : isZlib ? [inflateSync] : isText(bytes) ? [] : [brotliDecompressSync, inflateRawSync];
  return [...unpackers.flatMap((one) => tryUnpack(one, bytes) ?? []), ...entriesOf(bytes)];
}

/** The unpacked files of a ZIP archive, such as a DOCX. */
function entriesOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (
    let at = bytes.indexOf("PK\x03\x04", 0, "latin1");
    at >= 0 && at + 30 <= bytes.length;
    at = bytes.indexOf("PK\x03\x04", at + 4, "latin1")
  ) {
    if (bytes.readUInt16LE(at + 8) !== 8) continue;
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const entry = tryUnpack(inflateRawSync, bytes.subarray(start));
    if (entry) found.push(entry);
  }
  return found;
}

function isText(bytes: Buffer): boolean {
  return bytes.subarray(0, 512).every((byte) => byte === 9 || byte === 10 || byte === 13 || byte >= 32);
}

type Unpacker = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

function tryUnpack(unpacker: Unpacker, bytes: Buffer): Buffer | undefined {
  try {
    return unpacker(bytes, { maxOutputLength: UNPACKED_MAX });
  } catch {
    return undefined;
  }
}

const UNPACKERS: Readonly<Record<string, readonly Unpacker[]>> = {
  gzip: [gunzipSync],
  "x-gzip": [gunzipSync],
  deflate: [inflateSync, inflateRawSync],
  br: [brotliDecompressSync],
};

/** The message without `content-encoding`. A text says why its body cannot be read. */
function unpack({ headers, body }: Message): Message | string {
  const encodings = (headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((one) => one.trim());
  const used = encodings.filter((one) => one !== "" && one !== "identity").reverse();
  if (used.length === 0 || body.length === 0) return { headers, body };
  let plain = body;
  for (const name of used) {
    const unpackers = own(UNPACKERS, name);
    const unpacked = unpackers?.map((one) => tryUnpack(one, plain)).find((one) => one !== undefined);
    if (unpacked === undefined) return `the body cannot be unpacked (content-encoding ${headers["content-encoding"]})`;
    plain = unpacked;
  }
  return { headers: without(headers, "content-encoding"), body: plain };
}

function without(headers: HeaderMap, left: string): HeaderMap {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== left));
}
