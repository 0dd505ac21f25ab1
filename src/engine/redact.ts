/**
 * What opens doors, taken out of what is shown: of each secret its last letters stay, so that two can be told apart. The
 * journal itself keeps what came as it came, as requests are matched by it.
 */

const CREDENTIAL_HEADER = /^(?:proxy-)?authorization$|(?:^|-)(?:api-?key|token|secret|password)$/;
const COOKIE_HEADERS = new Set(["cookie", "set-cookie"]);
/** Of a secret shorter than this nothing is shown, as its tail would be most of it. */
const TELLING_LENGTH = 8;

/** Names of members of JSON, and of pairs of a form or a query, whose values open doors. */
const SECRETS = "access_token|refresh_token|client_secret|shared_key|passcode|password|api_?key";
const SECRET_MEMBER = new RegExp(`("(?:${SECRETS})"\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)"`, "g");
/** What an answer that makes an API key calls it. */
const KEY_MEMBER = /("key"\s*:\s*")([0-9a-f]{40})"/g;
// A code is one in a form; in JSON it is what an error is called.
const SECRET_PAIR = new RegExp(`((?:^|[&?])(?:${SECRETS}|code)=)([^&#\\s]*)`, "g");

/** Headers as they may be shown: credentials by their tail, cookies not at all. */
export function redactHeaders(headers: Record<string, string>): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    shown[name] = CREDENTIAL_HEADER.test(name) ? redact(value) : COOKIE_HEADERS.has(name) ? "***" : value;
  return shown;
}

/** One header's value as it may be shown. */
export function redactHeader(name: string, value: string): string {
  return redactHeaders({ [name.toLowerCase()]: value })[name.toLowerCase()] as string;
}

/** `API-Key abcdef0123` as `API-Key ***0123`: the scheme and the last four characters. */
export function redact(credentials: string): string {
  const [first = "", ...rest] = credentials.split(" ");
  const secret = rest.join(" ") || first;
  return rest.length > 0 ? `${first} ***${tailOf(secret)}` : `***${tailOf(secret)}`;
}

/** A body or an address as it may be shown. What of it is secret goes by its name, or is `known` to be. */
export function redactText(text: string, known?: string): string {
  const shown = text
    .replace(SECRET_MEMBER, (_, name: string, secret: string) => `${name}***${tailOf(secret)}"`)
    .replace(KEY_MEMBER, (_, name: string, secret: string) => `${name}***${tailOf(secret)}"`)
    .replace(SECRET_PAIR, (_, name: string, secret: string) => `${name}***${tailOf(secret)}`);
  // A key that somebody has put where it does not belong.
  return known !== undefined && known.length >= TELLING_LENGTH ? shown.replaceAll(known, `***${tailOf(known)}`) : shown;
}

/** The value of a query parameter as it may be shown. */
export function redactPair(name: string, value: string, known?: string): string {
  return redactText(`${name}=${value}`, known).slice(name.length + 1);
}

const SECRET_FIELD = new RegExp(`^(?:${SECRETS}|code)$`);

/** The value of a form's field as it may be shown: that of a secret by its tail. */
export function redactField(name: string, value: string, known?: string): string {
  return SECRET_FIELD.test(name.toLowerCase()) ? `***${tailOf(value)}` : redactText(value, known);
}

function tailOf(secret: string): string {
  return secret.length < TELLING_LENGTH ? "" : secret.slice(-4);
}
