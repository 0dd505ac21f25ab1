/**
 * Hides secrets wherever a call is shown. A long secret keeps its last characters, so that two secrets look different. The journal keeps
 * calls unchanged, because request patterns match secrets.
 *
 * A value is secret when the operation's record names its member, or when the member's name says so in any spelling.
 */
import { encodeAddress } from "../core/text.ts";

export interface Secrets {
  key?: string;
  members?: readonly string[];
}

/** A shorter secret is hidden completely, because its tail would be most of it. */
const TELLING_LENGTH = 8;
const TAIL_LENGTH = 4;

/**
 * Ends of secret names, in lower case without punctuation, for `Client_Secret` or `x-api-key`. `tokens` is missing, because
 * services give this name to members without secrets.
 */
const SECRET_NAME =
  /(?:token|jwt|(?:secret|password|passwd|passcode|passphrase|pwd|credential|authorization|sessionid|(?:api|shared|access|secret|private|signing|auth)key)s?)$/;
/** Secret only in forms and queries. In JSON, `code` is an error code, and `key` is the key of a field. */
const SECRET_IN_PAIRS = /^(?:code|key|sig|xamzsignature|xgoogsignature)$/;
const SECRET_IN_HEADERS = /(?:auth|authentication)$/;
const COOKIE_HEADERS = new Set(["cookie", "set-cookie"]);

/** These authorization schemes stay visible. Any other first word may be the secret itself. */
const SCHEMES = new Set(["api-key", "bearer", "basic", "digest", "token", "negotiate"]);

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function isSecretMember(name: string, { members = [] }: Secrets): boolean {
  return SECRET_NAME.test(plain(name)) || members.includes(name);
}

function isSecretPair(name: string, secrets: Secrets): boolean {
  return SECRET_IN_PAIRS.test(plain(name)) || isSecretMember(name, secrets);
}

export function redactHeaders(headers: Record<string, string>, secrets: Secrets = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value, secrets)]));
}

export function redactHeader(name: string, value: string, secrets: Secrets = {}): string {
  const lower = name.toLowerCase();
  if (COOKIE_HEADERS.has(lower)) return "***";
  if (SECRET_NAME.test(plain(lower)) || SECRET_IN_HEADERS.test(plain(lower))) return redact(value);
  return redactText(value, secrets);
}

/** `API-Key abcdef0123` becomes `API-Key ***0123`. */
export function redact(credentials: string): string {
  const space = credentials.indexOf(" ");
  const scheme = space < 0 ? "" : credentials.slice(0, space);
  const isKnown = SCHEMES.has(scheme.toLowerCase());
  const secret = isKnown ? credentials.slice(space + 1) : credentials;
  return `${isKnown ? `${scheme} ` : ""}${masked(secret)}`;
}

/** A query value may hold a URL, with further URLs inside. This limits the depth. */
const NESTED_MAX = 3;

export function redactText(text: string, secrets: Secrets = {}, nested = 0): string {
  if (text === "") return text;
  const members = redactMembers(text, secrets)
    .replace(USER_INFO, "$1***@")
    .replace(PAGE_ADDRESS, (_, start: string, page: string, id: string) => start + (PAGES.has(page) ? masked(id) : id));
  return withoutKey(
    members.replace(PAIR, (pair, start: string, name: string, value: string) => {
      const shown = pairValue(name, value, secrets, nested);
      return shown === value ? pair : `${start}${name}=${shown}`;
    }),
    secrets,
  );
}

const USER_INFO = /(\/\/[^\s/?#"'<>@:]*:)[^\s/?#"'<>@]+@/g;
/** The first segments of addresses whose second segment grants access alone, such as that of a shared link or file. */
const PAGES = new Set(["s", "files"]);
const PAGE_ADDRESS = /((?:^|:\/\/[^\s"'/?#<>\\]+)\/([\w-]+)\/)([\w-]{16,})/g;

/** Hides ids after this first segment of a path too. A service calls it when it loads. */
export function hideIdsBelow(segment: string): void {
  PAGES.add(segment);
}
const PAIR = /(^|[?&;#]|\\u0026)([^=&?#;\s"'<>\\]+)=([^&#\s"'<>\\]*)/g;

export function redactPairs(text: string, secrets: Secrets = {}): string {
  return text
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      return at < 0
        ? withoutKey(pair, secrets)
        : `${pair.slice(0, at)}=${pairValue(pair.slice(0, at), pair.slice(at + 1), secrets, 0)}`;
    })
    .join("&");
}

function pairValue(name: string, value: string, secrets: Secrets, nested: number): string {
  const decoded = decode(value);
  if (isSecretPair(decode(name), secrets)) return masked(decoded);
  if (decoded === value || nested >= NESTED_MAX) return withoutKey(value, secrets);
  const shown = redactText(decoded, secrets, nested + 1);
  return shown === decoded ? value : encodeAddress(shown);
}

export function redactField(name: string, value: string, secrets: Secrets = {}): string {
  return isSecretPair(name, secrets) ? masked(value) : redactText(value, secrets);
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return new URLSearchParams(`=${text.replaceAll("&", "%26")}`).get("") ?? text;
}

function withoutKey(text: string, { key }: Secrets): string {
  return key !== undefined && key.length >= TELLING_LENGTH ? text.replaceAll(key, () => masked(key)) : text;
}

/** A quick test: other texts have no secret members. A secret name ends before a colon, or has \u escapes. */
const MAYBE_SECRET = /(?:token|jwt|secret|pass|pwd|credential|authorization|session|key)[\w\s-]*"\s*:|\\u/i;
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g;

function redactMembers(text: string, secrets: Secrets): string {
  if (!MAYBE_SECRET.test(text) && !secrets.members?.length) return text;
  let shown = "";
  let end = 0;
  let depth = 0;
  let last: string | undefined;
  let isValueSecret = false;
  let secretFrom: number | undefined;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token === ":") {
      isValueSecret = last !== undefined && isSecretMember(last, secrets);
      continue;
    }
    if (token === "{" || token === "[") {
      depth++;
      if (isValueSecret) secretFrom ??= depth;
    } else if (token === "}" || token === "]") {
      if (secretFrom === depth) secretFrom = undefined;
      depth--;
    } else if (token !== ",") {
      const value = token.startsWith('"') ? stringOf(token) : undefined;
      const isName =
        value !== undefined &&
        !isValueSecret &&
        /^\s*:/.test(text.slice(match.index + token.length, match.index + token.length + 20));
      if ((isValueSecret || secretFrom !== undefined) && !isName && token !== "null") {
        shown += `${text.slice(end, match.index)}${JSON.stringify(masked(value ?? token))}`;
        end = match.index + token.length;
      } else if (value !== undefined && token.includes("\\u") && withoutKey(value, secrets) !== value) {
        shown += `${text.slice(end, match.index)}${JSON.stringify(withoutKey(value, secrets))}`;
        end = match.index + token.length;
      }
      last = value;
    }
    isValueSecret = false;
  }
  return shown + text.slice(end);
}

function stringOf(token: string): string {
  if (!token.includes("\\") && token.length > 1 && token.endsWith('"')) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.replace(/^"|"$/g, "");
  }
}

function masked(secret: string): string {
  return secret.length < TELLING_LENGTH ? "***" : `***${secret.slice(-TAIL_LENGTH)}`;
}
