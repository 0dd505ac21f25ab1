export type IdKind = "short" | "uuid" | "hex" | "log" | "reference" | "token";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Undefined for words. */
export function idKind(text: string): IdKind | undefined {
  const { length } = text;
  if (length < 16 || length > 4096 || text.includes(" ")) return undefined;
  if (length === 36 && UUID.test(text)) return "uuid";
  if (length === 22 && /^[A-Za-z0-9]+$/.test(text)) return "short";
  if (length >= 32 && length <= 64 && /^[0-9a-f]+$/.test(text)) return "hex";
  if (length === 23 && /^[A-Z]{5}(?:-[A-Z]{5}){3}$/.test(text)) return "reference";
  // A word of the service, such as authentication_error, has no digit and no capital.
  if (length === 20 && /^[\w-]+$/.test(text) && /\d|[A-Z].*[a-z]|[a-z].*[A-Z]/.test(text)) return "log";
  return /^[\w.~+/=-]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text) && !/[./]{2}|^\/|\.$/.test(text)
    ? "token"
    : undefined;
}

/** Precision and zone of a date. Undefined for any other text. */
export function dateForm(text: string): string | undefined {
  if (text.length < 10 || text.length > 40) return undefined;
  const match = DATE.exec(text);
  if (!match) return undefined;
  if (text.length === 10) return "date";
  const [, fraction = "", zone = ""] = match;
  return `${fraction.length > 0 ? fraction.length - 1 : "no"} digits of a second, ${zone === "" ? "no zone" : zone === "Z" ? "Z" : "offset"}`;
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const ID_NAME = /^(?:id|uuid|key|token|secret)$|_(?:id|uuid|key|token|secret)$|^(?:shared_key|access_token|refresh_token)$/;

export function isIdName(name: string): boolean {
  return ID_NAME.test(name);
}

const ACCOUNT_NAMES = new Set([
  ..."email first_name last_name name title avatar phone phone_number company job_title street_address city state postal_code".split(
    " ",
  ),
  ..."country owner license role_name currency sku description website industry".split(" "),
]);

export function isAccountName(name: string): boolean {
  return ACCOUNT_NAMES.has(name);
}
