/**
 * Replaces everything of an account in recorded traffic. A text stays only where the service lists it, where the double's fixtures have it,
 * or where a double that knows the cassette alone says it at the same member. The same text always gets the same replacement, and types
 * and forms stay.
 */
import { REAL_ORIGIN } from "./cassette.ts";
import { parseJson } from "./exchange.ts";
import { Replacements } from "./replacements.ts";
import { dateForm, isUrl } from "./text-kind.ts";
import { isDateName, isListed, isMember, isSecretName, isSegment, patternOf, takesNumber } from "./words.ts";

const EMAIL = /^[\w.!#$%&'*+/=?^{|}~-]+@[\w-]+(?:\.[\w-]+)+$/;
/** Domains that belong to nobody (RFC 2606, RFC 6761). */
const RESERVED_DOMAIN = /[.@](?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;
/** Members with names of people or places. No word is safe there. */
const PERSON_NAME =
  /^(?:first_name|last_name|company|job_title|phone|phone_number|street_address|city|state|postal_code|assignee|address|country)$/;
const NAME = /(?:^|_)name$/;
const NUMBER = /^[-+]?[\d.,\s()/-]*\d[\d.,\s()/-]*%?$/;
/** A longer number may be a phone number, an account or an amount. */
const KEPT_DIGITS_MAX = 4;
const VENDOR_HOST = /^(?:api|app|api-eu|app-eu)\.pandadoc\.com$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface CleanerOptions {
  /** Texts of the double's fixtures, which may stay. */
  fixtures: ReadonlySet<string>;
  realUrl: string;
  /** Milliseconds by which all dates of the service move. */
  moved_ms: number;
  /** Whether a double that was told only the cassette says this text at a member of this name, or has a member of this name. */
  says: (name: string, text?: string) => boolean;
}

export class Cleaner {
  readonly #options: CleanerOptions;
  readonly #realOrigin: string;
  readonly #ownDomains: ReadonlySet<string>;
  readonly #make = new Replacements();
  readonly #known = new Map<string, string>();

  constructor(options: CleanerOptions) {
    this.#options = options;
    this.#realOrigin = options.realUrl.replace(/\/+$/, "");
    const addresses = [...options.fixtures].filter((one) => EMAIL.test(one));
    this.#ownDomains = new Set(addresses.map((one) => one.slice(one.indexOf("@") + 1).toLowerCase()));
  }

  /** @param name the member that has the value */
  value(value: unknown, name = ""): unknown {
    if (typeof value === "string") return this.text(value, name);
    if (typeof value === "number") return this.#number(value, name);
    if (Array.isArray(value)) return value.map((one) => this.value(one, name));
    if (typeof value !== "object" || value === null) return value;
    const taken = new Set<string>();
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => [unused(this.name(inner), taken), this.value(one, inner)]),
    );
  }

  name(name: string): string {
    const { fixtures, says } = this.#options;
    return isMember(name) || isSegment(name) || fixtures.has(name) || says(name) ? name : this.#free(name, "member_");
  }

  text(text: string, name = ""): string {
    const { says } = this.#options;
    const isPerson = PERSON_NAME.test(name);
    if (text === "" || (!isPerson && says(name, text))) return text;
    if (isSecretName(name)) return this.secret(text);
    if (isListed(name, text) || /^(?:true|false)$/.test(text) || ((!isPerson || /\d/.test(text)) && this.#isOfFixtures(text)))
      return text;
    const composed = this.#composed(text);
    if (composed !== text && says(name, composed)) return composed;
    return this.#known.get(text) ?? this.#inForm(text, name);
  }

  #inForm(text: string, name: string): string {
    if (dateForm(text) !== undefined)
      return this.#remember(
        text,
        isDateName(name) ? this.#make.movedDate(text, this.#options.moved_ms) : this.#make.otherDate(text),
      );
    const id = this.#make.id(text);
    if (id !== undefined) return this.#remember(text, id);
    if (NUMBER.test(text))
      return takesNumber(name) && digitsIn(text) <= KEPT_DIGITS_MAX ? text : this.#remember(text, this.#make.digits(text));
    if (text.startsWith(this.#realOrigin)) return REAL_ORIGIN + this.path(text.slice(this.#realOrigin.length));
    if (isUrl(text)) return this.#remember(text, this.#url(text));
    const nested = /^\s*[[{"]/.test(text) ? parseJson(text) : undefined;
    if (typeof nested === "object" && nested !== null) return JSON.stringify(this.value(nested));
    if (EMAIL.test(text)) return this.#email(text);
    const pattern = patternOf(name);
    const form = pattern?.test(text) ? this.#make.formOf(text) : "";
    if (pattern?.test(form) && form !== text) return this.#remember(text, form);
    // The service takes some words in lower case only.
    const isPersonal = PERSON_NAME.test(name) || NAME.test(name);
    return this.#free(text, isPersonal ? "Name" : /^[a-z][a-z0-9_-]*$/.test(text) ? "text" : "Text");
  }

  /** The query of an address, or a form in a body. */
  pairs(text: string): string {
    return text
      .split("&")
      .map((pair) => {
        const spaced = pair.replaceAll("+", " ");
        const equals = spaced.indexOf("=");
        const name = decoded(equals < 0 ? spaced : spaced.slice(0, equals));
        const [, prefix = "", rest = name] = /^(metadata_)(.+)$/s.exec(name) ?? [];
        const shownName = pair === "" ? "" : encode(prefix + this.name(rest));
        if (equals < 0) return shownName;
        const value = decoded(spaced.slice(equals + 1));
        const isKept = value.split(",").every((one) => isListed(name, one) || (name === "fields" && isMember(one)));
        return `${shownName}=${isKept ? pair.slice(equals + 1) : encode(this.text(value, name))}`;
      })
      .join("&");
  }

  path(target: string): string {
    const [path = "", query] = split(target.split("#", 1)[0] ?? "");
    const shown = path
      .split("/")
      .map((segment) => (isSegment(segment) || segment === "" ? segment : encode(this.text(decoded(segment)))));
    return shown.join("/") + (query === undefined ? "" : `?${this.pairs(query)}`);
  }

  secret(text: string): string {
    return this.#known.get(text) ?? this.#remember(text, this.#make.secret());
  }

  /** The text with the replacement of each known text in it, as the double composes it. */
  #composed(text: string): string {
    const parts = [...this.#known.keys()].filter((one) => one !== text && text.includes(one));
    if (parts.length === 0) return text;
    const longestFirst = parts.sort((a, b) => b.length - a.length).map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "gu");
    return text.replace(whole, (part) => this.#known.get(part) ?? part);
  }

  #isOfFixtures(text: string): boolean {
    const { fixtures } = this.#options;
    if (!text.includes("@")) return fixtures.has(text);
    // An address that somebody can own never stays.
    return RESERVED_DOMAIN.test(text) && fixtures.has(text.toLowerCase());
  }

  #number(value: number, name: string): number {
    const text = String(value);
    const isPrivate = isSecretName(name) || PERSON_NAME.test(name);
    const isCount = (takesNumber(name) || COUNT_NAME.test(name)) && digitsIn(text) <= KEPT_DIGITS_MAX;
    if (!isPrivate && (isListed(name, text) || isCount || this.#options.says(name, text))) return value;
    const known = Number(this.#known.get(text) ?? Number.NaN);
    if (!Number.isNaN(known)) return known;
    const shown = this.#make.number(value);
    this.#remember(text, String(shown));
    return shown;
  }

  #url(text: string): string {
    const url = new URL(text);
    const path = this.path(url.pathname + (url.search === "?" ? "" : url.search));
    if (VENDOR_HOST.test(url.hostname) && url.port === "") return `${url.protocol}//${url.hostname}${path}`;
    // The kind of the address decides whether the service accepts it.
    if (LOOPBACK_HOST.test(url.hostname)) return `${url.protocol}//127.0.0.1${path}`;
    const host = this.#known.get(url.host) ?? this.#remember(url.host, `${this.#make.word("host")}.example`);
    return `${url.protocol}//${host}${path}`;
  }

  #email(text: string): string {
    const lower = text.toLowerCase();
    const domain = lower.slice(lower.indexOf("@") + 1);
    // The service asks whether two members have one domain.
    const isOwn = RESERVED_DOMAIN.test(lower) && this.#ownDomains.has(domain);
    return this.#remember(
      text,
      this.#known.get(lower) ?? this.#remember(lower, this.#make.email(isOwn ? domain : "example.com")),
    );
  }

  #free(text: string, word: string): string {
    return this.#known.get(text) ?? this.#remember(text, this.#make.word(word));
  }

  #remember(text: string, replacement: string): string {
    this.#known.set(text, replacement);
    return replacement;
  }
}

/** Members with counts and amounts, also where the service describes no members. */
const COUNT_NAME = /(?:^|_)(?:count|rate|amount|total|page|index|size|version)$/;

function unused(name: string, taken: Set<string>): string {
  let shown = name;
  for (let i = 2; taken.has(shown); i++) shown = `${name}_${i}`;
  taken.add(shown);
  return shown;
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, "").length;
}

function split(target: string): [string, string | undefined] {
  const at = target.indexOf("?");
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encode(text: string): string {
  // Half of a character has no encoding.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}
