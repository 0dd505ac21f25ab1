/**
 * Keeps the real key from the client. Where the service echoes the key, the client reads its own key instead. An answer that still holds
 * the key is withheld.
 */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { own } from "../../engine/core/maps.ts";
import { type CallAnswer, type CallRequest, NO_BODY } from "./exchange.ts";

/** A shorter key may be part of any word. */
const PART_LENGTH_MIN = 8;
/** The longest body of an answer, unpacked. */
const UNPACKED_MAX = 256 * 1024 * 1024;
/** How many escapes may lie over each other, such as those of JSON inside of JSON. */
const LAYERS_MAX = 3;

const WITHHELD = "the answer contains the real key in a form that docdouble cannot replace, so docdouble withheld the answer";

type Message = Pick<CallAnswer, "headers" | "body">;

export class RealKey {
  readonly #forms: readonly (readonly [RegExp, string])[];

  /** @param shown what the client reads instead of the key */
  constructor(key: string, shown: string) {
    const hex = (text: string) => Buffer.from(text).toString("hex");
    if (key.length < PART_LENGTH_MIN) {
      this.#forms = [[new RegExp(`(?<![\\w-])${literal(key)}(?![\\w-])`, "g"), shown]];
      return;
    }
    const json = JSON.stringify(key).slice(1, -1);
    const texts = new Set([key, json, json.replaceAll("/", "\\/"), encodeURIComponent(key)]);
    this.#forms = [
      ...[...texts].map((text) => [new RegExp(literal(text), "gi"), shown] as const),
      [new RegExp(hex(key), "gi"), hex(shown)],
      ...base64Cores(key).map((core) => [new RegExp(literal(core), "g"), "A".repeat(core.length)] as const),
    ];
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
    const target = this.#replace(request.target);
    const unpacked = unpack(request);
    const hidden = typeof unpacked === "string" ? undefined : this.#hide(unpacked);
    return hidden === undefined || this.isIn(target) ? undefined : { ...request, ...hidden, target };
  }

  #hide({ headers, body }: Message): Message | undefined {
    const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#replace(value)]));
    // Latin-1 keeps each byte as one character.
    const text = body.toString("latin1");
    const hidden = this.#replace(text);
    if (this.isIn(hidden) || Object.values(shown).some((value) => this.isIn(value))) return undefined;
    return { headers: shown, body: hidden === text ? body : Buffer.from(hidden, "latin1") };
  }

  #replace(text: string): string {
    return this.#forms.reduce((all, [form, shown]) => all.replace(form, () => shown), text);
  }

  /** Whether the text holds the key once its escapes are read. */
  isIn(text: string): boolean {
    let plain = text;
    for (let layer = 0; layer <= LAYERS_MAX; layer++) {
      if (this.#replace(plain) !== plain) return true;
      const read = withoutEscapes(plain);
      if (read === plain) return false;
      plain = read;
    }
    return false;
  }

  /** Removes the variables that hold the key, for the environment of the command. */
  variables(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const holders = Object.entries(all).filter(([, value = ""]) => this.isIn(value));
    return Object.fromEntries(holders.map(([name]) => [name, undefined]));
  }
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

function withheld(failure: string): CallAnswer {
  return { status: 0, headers: {}, body: NO_BODY, failure };
}

/** The characters of base64 that the key alone decides, for each place of the key in a longer text. */
function base64Cores(key: string): string[] {
  const cores = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(key)]);
    const whole = bytes.toString("base64").replace(/=+$/, "");
    const core = whole.slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [...new Set(cores)];
}

/** Reads the escapes of URLs, of JSON and code, and of HTML. */
function withoutEscapes(text: string): string {
  return text
    .replace(/(?:%|\\+u00|\\+x)([0-9a-f]{2})/gi, (_, hex: string) => character(Number.parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_, hex: string) => character(Number.parseInt(hex, 16)))
    .replace(/&#(\d{1,7});?/g, (_, code: string) => character(Number(code)));
}

const character = (code: number) => String.fromCharCode(code & 0xff);

type Unpacker = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const UNPACKERS: Readonly<Record<string, readonly Unpacker[]>> = {
  gzip: [gunzipSync],
  "x-gzip": [gunzipSync],
  deflate: [inflateSync, inflateRawSync],
  br: [brotliDecompressSync],
};

/** The message without `content-encoding`. A text says why its body cannot be read. */
function unpack({ headers, body }: Message): Message | string {
  const { "content-encoding": encoding = "", ...rest } = headers;
  const used = encoding.split(",").map((one) => one.trim().toLowerCase());
  let plain = body;
  for (const name of used.filter((one) => one !== "" && one !== "identity").reverse()) {
    if (plain.length === 0) break;
    const unpacked = own(UNPACKERS, name)?.flatMap((one) => tryUnpack(one, plain) ?? [])[0];
    if (unpacked === undefined) return `the body cannot be unpacked (content-encoding ${encoding})`;
    plain = unpacked;
  }
  return plain === body ? { headers, body } : { headers: rest, body: plain };
}

function tryUnpack(unpacker: Unpacker, bytes: Buffer): Buffer | undefined {
  try {
    return unpacker(bytes, { maxOutputLength: UNPACKED_MAX });
  } catch {
    return undefined;
  }
}
