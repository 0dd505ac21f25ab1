/**
 * Replaces everything of an account in recorded traffic. Only the words of the service and of the double's fixtures stay, and only where
 * they can stand. The same text always gets the same replacement, and types and forms stay.
 */
import { parseRoute } from "../../engine/core/operation.ts";
import { REAL_ORIGIN } from "./cassette.ts";
import { parseJson } from "./exchange.ts";
import {
  entryOf,
  isChosenByService,
  isDate,
  isListed,
  isSentText,
  memberOf,
  patternOf,
  type Place,
  takes,
  WEBHOOK,
} from "./place.ts";
import { Replacements } from "./replacements.ts";
import { dateForm, isUrl } from "./text-kind.ts";
import { isListedWord, isRouteWord, isServiceMember, isServiceWord, serviceText } from "./vocabulary.ts";

const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+$/;
/** Domains that belong to nobody (RFC 2606, RFC 6761). */
export const RESERVED_DOMAIN: RegExp = /[.@](?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;
const SECRET_NAME =
  /(?:token|secret|password|passcode|passphrase|pin|credentials?|authorization|signature|cookie|otp|(?:api|shared|access|private|signing)[_-]?key|^key|^code)s?$/i;
/** Members with names of people or places. No word is safe there. */
const PERSON_NAME =
  /^(?:first_name|last_name|company|job_title|phone|phone_number|street_address|city|state|postal_code|assignee|address|country)$/;
const NAME = /(?:^|_)name$/;
const NUMBER = /^[-+]?[\d.,\s()/-]*\d[\d.,\s()/-]*%?$/;
/** A longer number may be a phone number, an account or an amount. */
const KEPT_DIGITS_MAX = 4;
/** A shorter text may be part of any word. */
const PART_LENGTH_MIN = 4;
/** Only signs remain around known texts. The service marks the names of trial documents. */
const ONLY_SIGNS = /^[\p{P}\p{S}\s]*$/u;
const TRIAL_MARK = "[DEV]";
const VENDOR_HOST = /^(?:api|app|api-eu|app-eu)\.pandadoc\.com$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Any text: no schema says what it may be. */
const ANYTHING: Place = { name: "", side: "request", schemas: [], secrets: [] };

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

export interface CleanerOptions {
  /** Texts of the double's fixtures, which may stay. */
  fixtures: ReadonlySet<string>;
  realUrl: string;
  /** Texts to replace wherever they occur. */
  secrets: readonly string[];
  /** Milliseconds by which all dates of the service move. */
  moved_ms: number;
}

export class Cleaner {
  readonly #options: CleanerOptions;
  readonly #realOrigin: string;
  readonly #ownDomains: ReadonlySet<string>;
  readonly #make = new Replacements();
  readonly #known = new Map<string, string>();
  #parts: string[] = [];

  constructor(options: CleanerOptions) {
    this.#options = options;
    this.#realOrigin = options.realUrl.replace(/\/+$/, "");
    const addresses = [...options.fixtures].filter((one) => EMAIL.test(one));
    this.#ownDomains = new Set(addresses.map((one) => one.slice(one.indexOf("@") + 1).toLowerCase()));
    for (const secret of options.secrets) this.secret(secret);
  }

  /** All replacements so far. */
  get replacements(): readonly string[] {
    return this.#make.made;
  }

  value(value: unknown, place: Place): unknown {
    if (typeof value === "string") return this.text(value, place);
    if (typeof value === "number") return this.#number(value, place);
    if (Array.isArray(value)) return value.map((one) => this.value(one, entryOf(place)));
    if (typeof value !== "object" || value === null) return value;
    const names = new Set<string>();
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const inner = this.#isKeptName(name) ? memberOf(place, name) : { ...memberOf(place, name), name: "" };
        const shown = unused(this.name(name), names);
        // A member of this name would set the prototype.
        return [shown, this.value(one, SECRET_NAME.test(name) ? { ...inner, secrets: [inner.name] } : inner)];
      }),
    );
  }

  /** The body of a refusal. It may have the members of the request, with messages as values. */
  refusal(value: unknown): unknown {
    return this.value(value, { ...WEBHOOK, name: "detail", isFault: true });
  }

  name(name: string): string {
    if (this.#isKeptName(name)) return name;
    // A path such as `recipients[0].email`.
    if (/[.[\]/]/.test(name) && this.#known.get(name) === undefined && !EMAIL.test(name))
      return name.replace(/[^.[\]/]+/g, (step) =>
        this.#isKeptName(step) || /^\d{1,3}$/.test(step) ? step : this.#free(step, "member"),
      );
    return this.#free(name, "member");
  }

  #isKeptName(name: string): boolean {
    return isServiceMember(name) || this.#options.fixtures.has(name);
  }

  text(text: string, place: Place): string {
    if (text === "" || isListed(place, text)) return text;
    if (place.isFault && text.includes(" ") && isServiceWord(text)) return text;
    const isSecret = place.secrets.includes(place.name) || SECRET_NAME.test(place.name);
    if (isSecret) return this.#isStatusLike(text, place) ? text : this.secret(text);
    const isPersonal = PERSON_NAME.test(place.name);
    if (!isPersonal && (place.isFault || isChosenByService(place) || CODED_NAME.test(place.name))) {
      if (isServiceWord(text) || (CODED_NAME.test(place.name) && isListedWord(text))) return text;
      if (NUMBER.test(text) && digitsIn(text) <= KEPT_DIGITS_MAX && !isSentText(place)) return text;
    }
    if (place.isAmount && NUMBER.test(text) && digitsIn(text) <= KEPT_DIGITS_MAX) return text;
    // A name of a person may be any word, but not a number or an address.
    if ((!isPersonal || /[\d@]/.test(text)) && this.#isOfFixtures(text)) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (dateForm(text) !== undefined) return this.#remember(text, this.#date(text, place));
    if (place.side === "request" && /^(?:true|false)$/.test(text) && takes(place, "boolean")) return text;
    const id = this.#make.id(text);
    if (id !== undefined) return this.#remember(text, id);
    if (NUMBER.test(text))
      return takes(place, "number", "integer") && digitsIn(text) <= KEPT_DIGITS_MAX ? text : this.#digits(text);
    if (this.#realOrigin !== "" && text.startsWith(this.#realOrigin))
      return REAL_ORIGIN + this.path(text.slice(this.#realOrigin.length));
    if (isUrl(text)) return this.#remember(text, this.#url(text));
    const nested = /^\s*[[{"]/.test(text) ? this.#nested(text, place) : undefined;
    if (nested !== undefined) return nested;
    if (EMAIL.test(text)) return this.#email(text);
    if (/^[A-Z]{3}$/.test(text) && /currency$/.test(place.name) && isServiceWord(text)) return text;
    const isMessage = place.isFault || (place.side === "answer" && (isChosenByService(place) || MESSAGES.test(place.name)));
    const parts = isMessage ? serviceText(text) : undefined;
    if (parts !== undefined) return parts.map((part, i) => (i % 2 === 0 ? part : this.#hole(part))).join("");
    // The service numbers a second thing of one name.
    const [, base, suffix] = /^(.+)(_\d{1,2})$/s.exec(text) ?? [];
    if (base !== undefined && (this.#isOfFixtures(base) || this.#known.has(base))) return this.text(base, place) + suffix;
    const parted = this.#parted(text);
    if (parted !== undefined) return parted;
    const pattern = patternOf(place);
    const form = pattern?.test(text) ? this.#make.formOf(text) : "";
    if (pattern?.test(form) && form !== text) return this.#remember(text, form);
    return this.#free(text, isPersonal || NAME.test(place.name) ? "Name" : "Text");
  }

  /** Texts of a request's query and of a form in a body. */
  pairs(text: string, body: Place): string {
    return text
      .split("&")
      .map((pair) => {
        const equals = pair.indexOf("=");
        const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
        const [, prefix = "", rest = name] = /^(metadata_)(.+)$/s.exec(name) ?? [];
        const shownName = pair === "" ? "" : encode(prefix + (isServiceMember(name) ? name : this.name(rest)));
        if (equals < 0) return shownName;
        const inner = memberOf(body, name);
        const value = decoded(pair.slice(equals + 1));
        const place = { ...inner, schemas: [...inner.schemas, ...entryOf(inner).schemas] };
        const isKept = value.split(",").every((one) => isListed(place, one) || (name === "fields" && isServiceMember(one)));
        return `${shownName}=${isKept ? pair.slice(equals + 1) : encode(this.text(value, place))}`;
      })
      .join("&");
  }

  /** @param route the operation's path, whose fixed segments stay */
  path(target: string, route?: string, query: Place = ANYTHING): string {
    const [path, rest] = split(target.split("#", 1)[0] ?? "");
    const fixed = route === undefined ? undefined : parseRoute(`GET ${route}`).path.split("/");
    const shown = path.split("/").map((segment, i) => {
      const text = decodedSegment(segment);
      const isFixed = fixed?.[i] === undefined ? isRouteWord(text) : fixed[i] === text;
      return segment === "" || (isFixed && segment === text) ? segment : encode(this.text(text, ANYTHING));
    });
    return shown.join("/") + (rest === undefined ? "" : `?${this.pairs(rest, query)}`);
  }

  /** For a fresh text of an account, which has no place. */
  free(text: string): string {
    return this.text(text, ANYTHING);
  }

  #isOfFixtures(text: string): boolean {
    const { fixtures } = this.#options;
    if (!text.includes("@")) return fixtures.has(text);
    // An address that somebody can own never stays.
    return RESERVED_DOMAIN.test(text) && fixtures.has(text.toLowerCase());
  }

  /** `code` names secrets of OAuth, and kinds of refusals. */
  #isStatusLike(text: string, { name, side }: Place): boolean {
    return name === "code" && side === "answer" && isServiceWord(text);
  }

  #date(text: string, place: Place): string {
    return isDate(place) ? this.#make.movedDate(text, this.#options.moved_ms) : this.#make.otherDate(text);
  }

  #digits(text: string): string {
    return this.#known.get(text) ?? this.#remember(text, this.#make.digits(text));
  }

  #number(value: number, place: Place): number {
    const text = String(value);
    const isSecret = place.secrets.includes(place.name) || SECRET_NAME.test(place.name) || PERSON_NAME.test(place.name);
    const isListedNumber = place.schemas.some((one) => one.const === value || one.enum?.includes(value));
    const isCount = takes(place, "number", "integer") || (place.side === "answer" && COUNT_NAME.test(place.name));
    if (isListedNumber || (isCount && !isSecret && digitsIn(text) <= KEPT_DIGITS_MAX)) return value;
    const known = Number(this.#known.get(text) ?? Number.NaN);
    if (!Number.isNaN(known)) return known;
    const shown = this.#make.number(value);
    this.#remember(text, String(shown));
    return shown;
  }

  #nested(text: string, place: Place): string | undefined {
    const value = parseJson(text);
    if (typeof value !== "object" || value === null) return undefined;
    return JSON.stringify(this.value(value, place.name === "request_body" ? WEBHOOK : { ...place, name: "" }));
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

  secret(text: string): string {
    return this.#known.get(text) ?? this.#remember(text, this.#make.secret());
  }

  #free(text: string, word: "Name" | "Text" | "member"): string {
    // The service takes some words in lower case only.
    const isLower = word === "Text" && /^[a-z][a-z0-9_-]*$/.test(text);
    const shown = word === "member" ? "member_" : isLower ? "text" : word;
    return this.#known.get(text) ?? this.#remember(text, this.#make.word(shown));
  }

  #remember(text: string, replacement: string): string {
    this.#known.set(text, replacement);
    if (text.length >= PART_LENGTH_MIN) {
      const at = this.#parts.findIndex((one) => one.length < text.length);
      this.#parts.splice(at < 0 ? this.#parts.length : at, 0, text);
    }
    return replacement;
  }

  /** The variable part of a message of the service. */
  #hole(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined && !isSmall(text, known)) return known;
    return text.replace(/[^\s,;:"'()[\]{}]+/g, (word) => this.#wordOfHole(word));
  }

  #wordOfHole(word: string): string {
    const known = this.#known.get(word);
    if (/^\d{1,3}$/.test(word)) return known === undefined || isSmall(word, known) ? word : known;
    if (isServiceWord(word) || isServiceMember(word) || this.#isOfFixtures(word)) return word;
    return known ?? this.text(word, ANYTHING);
  }

  /** A text that consists of known texts and signs, such as a full name. */
  #parted(text: string): string | undefined {
    let rest = text.replace(TRIAL_MARK, "");
    const found: string[] = [];
    for (const part of this.#parts) {
      if (!rest.includes(part)) continue;
      rest = rest.replaceAll(part, "\0");
      found.push(part);
    }
    if (found.length === 0 || !ONLY_SIGNS.test(rest.replaceAll("\0", ""))) return undefined;
    // In one pass, so that no part is found inside a replacement.
    const pattern = new RegExp(found.map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
    return text.replace(pattern, (part) => this.#known.get(part) ?? "");
  }
}

/** Members whose words come from a list, which not every schema states. */
const CODED_NAME = /(?:^|_)(?:type|scope|format|method|provider)$/;
/** Members with counts and amounts, also where the service describes no members. */
const COUNT_NAME = /(?:^|_)(?:count|rate|amount|total|page|index|size|version)$/;
/** Members with messages of the service. */
const MESSAGES = /^(?:detail|message|info_message|error|error_description|type|description)$/;

/** A limit or a count, although the account has the same number somewhere. Three digits may be a code, and a secret may have fewer. */
function isSmall(text: string, known: string): boolean {
  return /^\d{1,2}$/.test(text) && !known.startsWith("secret-");
}

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
  return decodedSegment(text.replaceAll("+", " "));
}

function decodedSegment(text: string): string {
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
