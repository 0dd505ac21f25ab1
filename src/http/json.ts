/** Reads JSON that strangers sent: bounded in depth and in the count of members, and free of what no row can keep. */
import { isUtf8 } from "node:buffer";
import { type ApiError, invalid, malformed } from "../core/errors.ts";
import { isDeep, JSON_DEPTH_MAX } from "../core/text.ts";
import { jsonFault } from "./json-fault.ts";
import { fieldName } from "../core/field-path.ts";

/** Of one list, or of one map. */
export const JSON_MEMBERS_MAX = 5000;

/** The value that a JSON text tells. @throws 400. assumed: the texts are not published; these are the wording of the service's framework */
export function parseJson(text: string, bytes: Uint8Array, membersMax: number = JSON_MEMBERS_MAX): unknown {
  if (!isUtf8(bytes)) throw unreadable("invalid utf-8", "the body is not UTF-8");
  if (isDeep(text)) throw unreadable("too deeply nested", `it is nested deeper than ${JSON_DEPTH_MAX} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(jsonFault(text), "the body is not JSON");
  }
  if (text.length > 2 * membersMax || SUSPECT.test(text)) requireSound(value, [], membersMax);
  return value;
}

function unreadable(reason: string, why: string): ApiError {
  return malformed(`JSON parse error - ${reason}`, why);
}

/** Escapes of what is no letter, and numbers that may be too large: only where one is seen, every value is looked at. */
const SUSPECT = /\\u(?:0000|005f|d[89a-f]..)|\de[+]?\d{2}|\d{20}|__proto__/i;

/** @throws 400 naming the first value that cannot be kept */
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

/** assumed: the service takes any name. In JavaScript an assignment to this one changes the object instead, so it would get lost. */
const PROTO_REFUSED = "docdouble cannot keep a member of this name. Choose another name.";

/** Neither a NUL, which no database takes, nor half of a pair of UTF-16, which is no text. */
export function requireText(text: string, path: readonly (string | number)[]): void {
  if (text.includes("\0")) throw wrong(path, "Null characters are not allowed.");
  if (/\p{Surrogate}/u.test(text)) throw wrong(path, "Not a valid string.");
}

function wrong(path: readonly (string | number)[], message: string): ApiError {
  return invalid({ [fieldName([...path])]: [message] });
}
