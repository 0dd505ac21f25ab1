/** Looks for secrets in a line of a cassette that somebody else may have written. */
import { parseJson } from "./exchange.ts";

/** Domains that belong to nobody (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|[.@])(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;
const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/g;
const NAMED =
  /(?:token|secret|password|passcode|passphrase|authorization|api_?key|shared_?key|private_?key|signing_?key|cookie)$/i;
/** What docdouble writes for a secret, and words that stand for none. */
const REPLACED =
  /^(?:secret-\d{10}|(?:Text|Name) \d+|key|none|unknown|(?:api-key|bearer|basic|e-token|other)(?: (?:secret-\d{10}|unknown))?)?$/i;
const REPLACED_NUMBER = /^-?(?:\d|9\d*(?:\.\d+)?)$/;
const HEX = /(?<![0-9a-z])[0-9a-f]{40,}(?![0-9a-z])/i;
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/;
/** Base64 and similar codes with small letters, capitals and digits. Ids of the service are shorter. */
const CODE = /(?<![\w+-])[\w+-]{28,}={0,2}(?![\w+-])/g;
const OWN_CODE = /secret-\d{10}|Id0{8}|log-0{8}/;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Names the first secret or personal value; undefined for a clean line. */
export function findSecret(line: string): string | undefined {
  return inText(line.replace(/"sha256":"[0-9a-f]{64}"/g, "")) ?? inValue(parseJson(line, Number.POSITIVE_INFINITY), "", 0);
}

/** Deeper members are not read, because the reader refuses such an entry. */
const DEPTH_MAX = 120;

function inValue(value: unknown, name: string, depth: number): string | undefined {
  if (depth > DEPTH_MAX) return undefined;
  if (typeof value === "number")
    return NAMED.test(name) && !REPLACED_NUMBER.test(String(value)) ? `a secret in "${name}"` : undefined;
  if (typeof value === "string") return inString(value, name, depth);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [inner, one] of Array.isArray(value) ? value.map((item) => [name, item] as const) : Object.entries(value)) {
    const found = inValue(one, inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inString(text: string, name: string, depth: number): string | undefined {
  if (NAMED.test(name) && !REPLACED.test(text)) return `a secret in "${name}"`;
  const nested = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const inside = nested === undefined ? undefined : inValue(nested, "", depth + 1);
  if (inside !== undefined) return inside;
  for (const [, key = "", value = ""] of text.matchAll(/(?:^|[?&;\s])([\w-]+)=([^&;\s]+)/g))
    if (NAMED.test(key) && !REPLACED.test(value)) return `a secret in "${key}"`;
  return text.includes("%") ? inText(unescaped(text)) : undefined;
}

function inText(text: string): string | undefined {
  for (const [address] of text.matchAll(EMAIL)) if (!RESERVED.test(address)) return `the email address ${address}`;
  const hex = HEX.exec(text);
  if (hex) return `a key or token (${hex[0].slice(0, 4)}…)`;
  const jwt = JWT.exec(text);
  if (jwt) return `a key or token (${jwt[0].slice(0, 4)}…)`;
  for (const [code] of text.matchAll(CODE)) {
    const isMixed = /[a-z]/.test(code) && /[A-Z]/.test(code) && /\d/.test(code);
    if (isMixed && !UUID.test(code) && !OWN_CODE.test(code)) return `a key or token (${code.slice(0, 4)}…)`;
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"));
}
