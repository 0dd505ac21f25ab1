/**
 * Replaces secrets, email addresses, names and texts of an account. The same text always gets the same replacement. Ids, dates,
 * numbers, statuses and the words of the API stay.
 */
import { dateForm, idKind, isUrl } from "./text-kind.ts";

/** Domains that belong to nobody (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|[.@])(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;
const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/g;
const SECRET_NAME =
  /(?:token|secret|password|passcode|passphrase|credential|signature|(?:api|shared|access|private|signing)_?key|^key)s?$/i;
/** Members with names of people or places, which no list of known words makes safe. */
const PERSON_NAME =
  /^(?:first_name|last_name|company|job_title|phone|phone_number|street_address|city|state|postal_code|assignee)$/;
const NAME = /(?:^|_)name$/;
const FREE_TEXT = /^(?:subject|message|value|text|description|title|reason|note|comment|body|content)$/;
/** Lower-case words without blanks belong to the API. */
const API_WORD = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9_]+)*$/;
const KEPT_KEY = /^[A-Za-z][\w-]*$/;
const NUMBER = /^[-+]?[\d.,\s]*%?$/;
/** A shorter text may be part of any word. */
const PART_LENGTH_MIN = 4;

export const REAL_ORIGIN = "https://real.example";

type Place = "request" | "answer" | "refusal";

export class Anonymizer {
  readonly #vocabulary: ReadonlySet<string>;
  readonly #realOrigin: string;
  readonly #known = new Map<string, string>();
  #parts: string[] = [];
  readonly #counts = new Map<string, number>();

  /**
   * @param vocabulary texts that may stay: the double's own templates, roles and fields
   * @param secrets texts to replace wherever they occur
   */
  constructor(vocabulary: ReadonlySet<string>, realUrl: string, secrets: readonly string[]) {
    this.#vocabulary = vocabulary;
    this.#realOrigin = realUrl.replace(/\/+$/, "");
    for (const secret of secrets) this.#secret(secret);
  }

  value(value: unknown, place: Place, name = ""): unknown {
    if (typeof value === "string") return this.text(value, place, name);
    if (Array.isArray(value)) return value.map((one) => this.value(one, place, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [this.#key(key), this.value(one, place, key)]));
  }

  #key(key: string): string {
    return this.#vocabulary.has(key) || KEPT_KEY.test(key) ? (this.#known.get(key) ?? key) : this.text(key, "request", "name");
  }

  text(text: string, place: Place, name: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (text === "" || NUMBER.test(text) || dateForm(text) !== undefined)
      return PERSON_NAME.test(name) && text !== "" ? this.#fresh("Text", text) : text;
    const kind = idKind(text);
    if ((kind !== undefined || text.length > 12) && SECRET_NAME.test(name)) return this.#secret(text);
    if (kind === "hex" || (kind === "token" && !API_WORD.test(text))) return this.#secret(text);
    if (kind !== undefined) return text;
    if (isUrl(text)) return this.#url(text);
    if (/^[[{]/.test(text)) {
      const nested = this.#nested(text, place);
      if (nested !== undefined) return nested;
    }
    if (isEmail(text)) return this.#email(text);
    if (!PERSON_NAME.test(name) && this.#vocabulary.has(text)) return text;
    if (place === "refusal" || /^(?:type|code|detail|info_message|error|rel)$/.test(name)) return this.#parted(text);
    if (
      !PERSON_NAME.test(name) &&
      !NAME.test(name) &&
      !FREE_TEXT.test(name) &&
      (API_WORD.test(text) || /^[A-Z]{2,10}$/.test(text))
    )
      return text;
    const parted = this.#parted(text);
    // Only punctuation, or the mark of trial documents, remains around known texts.
    if (parted !== text && /^[\W\d_]*$/.test(this.#without(text).replace("[DEV]", ""))) return parted;
    return this.#fresh(PERSON_NAME.test(name) || NAME.test(name) ? "Name" : "Text", text);
  }

  target(target: string): string {
    const at = target.indexOf("?");
    const path = (at < 0 ? target : target.slice(0, at))
      .split("/")
      .map((one) => this.#known.get(one) ?? (idKind(one) === "hex" ? this.#secret(one) : one));
    if (at < 0) return path.join("/");
    const pairs = target
      .slice(at + 1)
      .split("&")
      .map((pair) => {
        const equals = pair.indexOf("=");
        if (equals < 0) return pair;
        const [name, value] = [pair.slice(0, equals), decoded(pair.slice(equals + 1))];
        const shown = this.text(value, "request", name);
        return shown === value ? pair : `${name}=${encodeURIComponent(shown)}`;
      });
    return `${path.join("/")}?${pairs.join("&")}`;
  }

  #nested(text: string, place: Place): string | undefined {
    try {
      return JSON.stringify(this.value(JSON.parse(text), place));
    } catch {
      return undefined;
    }
  }

  #url(text: string): string {
    if (text.startsWith(this.#realOrigin)) return REAL_ORIGIN + this.target(text.slice(this.#realOrigin.length));
    const url = new URL(text);
    const isVendor = /(?:^|\.)pandadoc\.com$/.test(url.hostname);
    const path = url.pathname
      .split("/")
      .map((one) => (idKind(one) === undefined ? (isVendor ? one : this.#fresh("path", one)) : this.#secret(one)));
    const origin =
      isVendor || RESERVED.test(url.hostname) || url.hostname.startsWith("127.")
        ? url.origin
        : `https://${this.#fresh("host", url.host)}.example`;
    return this.#remember(text, origin + path.join("/"));
  }

  #email(text: string): string {
    if (RESERVED.test(text)) return text;
    return this.#remember(
      text,
      this.#known.get(text.toLowerCase()) ?? this.#remember(text.toLowerCase(), `person${this.#next("person")}@example.com`),
    );
  }

  #secret(text: string): string {
    return this.#known.get(text) ?? this.#remember(text, `secret-${String(this.#next("secret")).padStart(10, "0")}`);
  }

  #fresh(word: string, text: string): string {
    if (text === "") return "";
    const spaced = /^[a-z]/.test(word) ? word : `${word} `;
    return this.#known.get(text) ?? this.#remember(text, `${spaced}${this.#next(word)}`);
  }

  #next(word: string): number {
    const count = (this.#counts.get(word) ?? 0) + 1;
    this.#counts.set(word, count);
    return count;
  }

  #remember(text: string, replacement: string): string {
    this.#known.set(text, replacement);
    if (text.length >= PART_LENGTH_MIN) {
      this.#parts.push(text);
      this.#parts.sort((a, b) => b.length - a.length);
    }
    return replacement;
  }

  #parted(text: string): string {
    let shown = text;
    for (const part of this.#parts) if (shown.includes(part)) shown = shown.replaceAll(part, () => this.#known.get(part) ?? "");
    return shown.replaceAll(EMAIL, (one) => this.#email(one)).replaceAll(/\b[0-9a-f]{32,}\b/g, (one) => this.#secret(one));
  }

  #without(text: string): string {
    let rest = text;
    for (const part of this.#parts) rest = rest.replaceAll(part, "");
    return rest;
  }
}

function isEmail(text: string): boolean {
  EMAIL.lastIndex = 0;
  return EMAIL.exec(text)?.[0] === text;
}

function decoded(text: string): string {
  return new URLSearchParams(`=${text}`).get("") ?? text;
}

/** Names the first secret or personal value; undefined for a clean text. */
export function findSecret(text: string): string | undefined {
  for (const [address] of text.matchAll(EMAIL)) if (!RESERVED.test(address)) return `the email address ${address}`;
  const key = /\b[0-9a-f]{40,}\b/.exec(text.replace(/"sha256":"[0-9a-f]{64}"/g, ""));
  if (key) return `a key or token (${key[0].slice(0, 4)}…)`;
  const named =
    /"(?:authorization|[\w-]*(?:token|secret|password|api_?key|shared_?key))":"(?!secret-|\{|"|Text |key"|none"|unknown")([^"]{8,})"/i.exec(
      text,
    );
  if (named) return `a secret in ${named[0].slice(0, named[0].indexOf(":"))}`;
  return undefined;
}
