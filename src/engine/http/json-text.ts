import { isUtf8 } from "node:buffer";
import { type ApiError, invalid, malformed } from "../core/errors.ts";
import { isDeep, JSON_DEPTH_MAX } from "../core/text.ts";
import { jsonFault } from "./json-syntax-message.ts";
import { fieldName } from "../core/field-path.ts";
import { textOf } from "./bodies.ts";

export const JSON_MEMBERS_MAX = 5000;

/** Parses a JSON text at most once. assumed: http.json_texts. */
export class JsonText {
  readonly text: string;
  readonly #isUtf8: () => boolean;
  #parsed: { value: unknown; fault?: "deep" | "syntax" } | undefined;

  constructor(sent: Uint8Array | string) {
    this.text = typeof sent === "string" ? sent : textOf(sent);
    this.#isUtf8 = () => typeof sent === "string" || isUtf8(sent);
  }

  get value(): unknown {
    return this.#parse().value;
  }

  /** The value, if rows can store it. @throws 400 */
  require(membersMax: number = JSON_MEMBERS_MAX): unknown {
    if (!this.#isUtf8()) throw unreadable("invalid utf-8", "the body is not UTF-8");
    const { value, fault } = this.#parse();
    if (fault === "deep") throw unreadable("too deeply nested", `it is nested deeper than ${JSON_DEPTH_MAX} levels`);
    if (fault === "syntax") throw unreadable(jsonFault(this.text), "the body is not JSON");
    if (this.text.length > 2 * membersMax || SUSPECT.test(this.text)) requireSound(value, [], membersMax);
    return value;
  }

  #parse(): { value: unknown; fault?: "deep" | "syntax" } {
    this.#parsed ??= parse(this.text);
    return this.#parsed;
  }
}

function parse(text: string): { value: unknown; fault?: "deep" | "syntax" } {
  if (isDeep(text)) return { value: undefined, fault: "deep" };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: undefined, fault: "syntax" };
  }
}

function unreadable(reason: string, why: string): ApiError {
  return malformed(`JSON parse error - ${reason}`, why);
}

/** Finds texts that may hold NUL, lone surrogates, `__proto__` or infinite numbers. Other texts skip the check of each value. */
const SUSPECT = /\\u(?:0000|005f|d[89a-f]..)|\de[+]?\d{2}|\d{20}|__proto__/i;

function requireSound(value: unknown, path: (string | number)[], membersMax: number): void {
  if (typeof value === "string") requireText(value, path);
  if (typeof value === "number" && !Number.isFinite(value)) throw wrong(path, "A valid number is required.");
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length > membersMax) throw wrong(path, `Ensure this field has no more than ${membersMax} elements.`);
  for (const [key, inner] of entries) {
    if (!isList) requireText(key, path);
    if (key === "__proto__") throw wrong([...path, key], PROTO_REFUSED);
    path.push(isList ? Number(key) : key);
    requireSound(inner, path, membersMax);
    path.pop();
  }
}

/** assumed: http.proto_member. */
const PROTO_REFUSED = "docdouble cannot keep a member of this name. Choose another name.";

export function requireText(text: string, path: readonly (string | number)[]): void {
  if (text.includes("\0")) throw wrong(path, "Null characters are not allowed.");
  if (/\p{Surrogate}/u.test(text)) throw wrong(path, "Not a valid string.");
}

function wrong(path: readonly (string | number)[], message: string): ApiError {
  return invalid({ [fieldName([...path])]: [message] });
}
