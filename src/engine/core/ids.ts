/**
 * The only source of randomness: a generator (xoshiro128**) of ids in the service's forms. The same seed gives the same ids, so runs are
 * repeatable. Only `unguessable` has no seed.
 */
import { randomBytes } from "node:crypto";

/** The service's 22-character ids have letters and digits without look-alikes. assumed: ids.short_alphabet. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const CHARACTERS_PER_DRAW = 5;
const DIGITS = Buffer.from("0123456789abcdef");
const HYPHEN = "-".charCodeAt(0);
/** Ids are written here character by character, because a string that grows by characters stays a chain of pieces in memory. */
const TEXT = Buffer.allocUnsafe(64);
/** The random bits of an id. */
const BITS = Buffer.allocUnsafe(32);
const WORDS = new DataView(BITS.buffer, BITS.byteOffset, BITS.byteLength);

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

  /** 22 characters that start with a letter: most ids, and shared keys. */
  short(): string {
    TEXT[0] = LETTERS.charCodeAt(this.next() % LETTERS.length);
    this.#fill(ALPHABET, 22, 1);
    return TEXT.toString("latin1", 0, 22);
  }

  /** A version 4 UUID: ids of webhook subscriptions and events, for example. */
  uuid(): string {
    WORDS.setUint32(0, this.next());
    WORDS.setUint32(4, (this.next() & 0xffff0fff) | 0x4000);
    WORDS.setUint32(8, (this.next() & 0x3fffffff) | 0x80000000);
    WORDS.setUint32(12, this.next());
    for (let i = 0, end = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) TEXT[end++] = HYPHEN;
      const byte = BITS[i] as number;
      TEXT[end++] = DIGITS[byte >> 4] as number;
      TEXT[end++] = DIGITS[byte & 15] as number;
    }
    return TEXT.toString("latin1", 0, 36);
  }

  /** @param length in digits, at most 64 */
  hex(length: number): string {
    for (let at = 0; at * 2 < length; at += 4) WORDS.setUint32(at, this.next());
    return BITS.toString("hex", 0, Math.ceil(length / 2)).slice(0, length);
  }

  /** A reference number: `ABCDE-FGHIJ-KLMNO-PQRST`. */
  refNumber(): string {
    this.#fill(CAPITALS, 5, 0);
    this.#fill(CAPITALS, 11, 6);
    this.#fill(CAPITALS, 17, 12);
    this.#fill(CAPITALS, 23, 18);
    TEXT[5] = TEXT[11] = TEXT[17] = HYPHEN;
    return TEXT.toString("latin1", 0, 23);
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
