/**
 * The only source of randomness: a generator (xoshiro128**) of ids in the service's forms. The same seed gives the same ids, so runs are
 * repeatable. Only `unguessable` has no seed.
 */
import { randomBytes } from "node:crypto";

/** The service's 22-character ids have letters and digits without look-alikes. assumed: ids.short_alphabet. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const HEX_CODES = [..."0123456789abcdef"].map((digit) => digit.charCodeAt(0));
const TEXT = Buffer.allocUnsafe(64);
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Shared by all UUIDs, for speed. The hyphens stay, and digits replace the zeros. */
const UUID = Buffer.from("00000000-0000-0000-0000-000000000000");
const UUID_PLACES = [...UUID.keys()].filter((place) => UUID[place] !== "-".charCodeAt(0));
const CHARACTERS_PER_DRAW = 5;
const HYPHEN = "-".charCodeAt(0);

/** 256 random bits in hexadecimal, for secrets. */
export function unguessable(): string {
  return randomBytes(32).toString("hex");
}

export type IdState = [number, number, number, number];

export class Ids {
  #state: IdState;

  constructor(seed: string | number) {
    this.#state = hash128(String(seed));
  }

  get state(): IdState {
    return [...this.#state];
  }

  set state(state: IdState) {
    this.#state = [...state];
  }

  next(): number {
    const s = this.#state;
    const result = Math.imul(rotate(Math.imul(s[1], 5), 7), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11);
    return result;
  }

  between(min: number, max: number): number {
    return min + (this.next() % (max - min + 1));
  }

  /** A seed of another generator: 53 bits, so that two seeds hardly ever agree. */
  seed(): number {
    return this.next() * 2 ** 21 + (this.next() >>> 11);
  }

  /** 22 characters that start with a letter: ids of documents, templates, recipients, contacts, members and shared keys. */
  short(): string {
    TEXT[0] = LETTERS.charCodeAt(this.next() % LETTERS.length);
    return this.#draw(ALPHABET, 22, 1);
  }

  /** A version 4 UUID: ids of fields, webhook subscriptions, events, quotes and sections. */
  uuid(): string {
    let at = 0;
    for (let word = 0; word < 4; word++) {
      let number = this.next();
      if (word === 1) number = (number & 0xffff0fff) | 0x4000;
      if (word === 2) number = (number & 0x3fffffff) | 0x80000000;
      for (let shift = 28; shift >= 0; shift -= 4)
        UUID[UUID_PLACES[at++] as number] = HEX_CODES[(number >>> shift) & 15] as number;
    }
    return UUID.toString("latin1");
  }

  hex(length: number): string {
    const text = Buffer.allocUnsafe(length);
    let end = 0;
    while (end < length) {
      const number = this.next();
      for (let shift = 28; shift >= 0 && end < length; shift -= 4) text[end++] = HEX_CODES[(number >>> shift) & 15] as number;
    }
    return text.toString("latin1");
  }

  logId(): string {
    return this.#draw(BASE64URL, 20);
  }

  /** A document's reference number: `ABCDE-FGHIJ-KLMNO-PQRST`. */
  refNumber(): string {
    this.#fill(CAPITALS, 5, 0);
    this.#fill(CAPITALS, 11, 6);
    this.#fill(CAPITALS, 17, 12);
    this.#fill(CAPITALS, 23, 18);
    TEXT[5] = TEXT[11] = TEXT[17] = HYPHEN;
    return TEXT.toString("latin1", 0, 23);
  }

  /** A buffer holds the text, because a string that grows by single characters stays a chain of pieces in memory. */
  #draw(alphabet: string, length: number, from = 0): string {
    this.#fill(alphabet, length, from);
    return TEXT.toString("latin1", 0, length);
  }

  #fill(alphabet: string, length: number, from: number): void {
    let end = from;
    while (end < length) {
      let number = this.next();
      for (let i = 0; i < CHARACTERS_PER_DRAW && end < length; i++) {
        TEXT[end++] = alphabet.charCodeAt(number % alphabet.length);
        number = Math.floor(number / alphabet.length);
      }
    }
  }
}

function rotate(x: number, k: number): number {
  return (x << k) | (x >>> (32 - k));
}

function hash128(text: string): IdState {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ k, 597399067);
    b = c ^ Math.imul(b ^ k, 2869860233);
    c = d ^ Math.imul(c ^ k, 951274213);
    d = a ^ Math.imul(d ^ k, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  a ^= b ^ c ^ d;
  return [a >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}
