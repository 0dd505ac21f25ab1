/**
 * A multipart body in the journal: fields as text, files by name, type, size and digest. Equal uploads compare equal, because this form
 * leaves out the boundary.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { isDeep, parseLeniently } from "../core/text.ts";
import type { BodyPart } from "./journal.ts";
import { redactField, redactText, type Secrets } from "./redact.ts";

interface SentPart {
  name: string;
  filename: string | undefined;
  type: string;
  bytes: Buffer;
}

export const FIELDS_BYTES_MAX = 2 * 1024 * 1024;
export const LABEL_MAX = 255;

export function describeParts(parts: readonly SentPart[]): BodyPart[] {
  let room = FIELDS_BYTES_MAX;
  return parts.map(({ name, filename, type, bytes }) => {
    const part: BodyPart = { name: label(name), type: label(type), bytes: bytes.length, sha256: digestOf(bytes) };
    if (filename !== undefined) part.filename = label(filename);
    else if (bytes.length <= room && isUtf8(bytes)) {
      part.text = bytes.toString("utf8");
      room -= bytes.length;
    }
    return part;
  });
}

export function digestOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function label(text: string): string {
  return text.length > LABEL_MAX ? `${text.slice(0, LABEL_MAX)}…` : text;
}

/**
 * Joins the parts by name, in lower case as the service reads names. A field is its text or its parsed JSON, and a file is its
 * description. A repeated name has a list. `parse` returns undefined for a text that is not JSON.
 */
export function partsByName(
  parts: readonly BodyPart[],
  parse: (text: string, index: number) => unknown = parseLeniently,
): Record<string, unknown> {
  const found = new Map<string, unknown[]>();
  for (const [i, part] of parts.entries()) {
    const name = part.name.toLowerCase();
    const values = found.get(name) ?? [];
    values.push(shortOf(part, (text) => parse(text, i)));
    found.set(name, values);
  }
  // `Object.fromEntries` is safe for a part named `__proto__`. Assignment is not.
  return Object.fromEntries([...found].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function shortOf({ filename, type, bytes, sha256, text }: BodyPart, parse: (text: string) => unknown): unknown {
  if (text === undefined) return { ...(filename === undefined ? {} : { filename }), type, bytes, sha256 };
  return /^\s*[{[]/.test(text) && !isDeep(text) ? (parse(text) ?? text) : text;
}

export function shownParts(parts: readonly BodyPart[], secrets: Secrets): BodyPart[] {
  return parts.map((part) => ({
    ...part,
    name: redactText(part.name, secrets),
    ...(part.filename === undefined ? {} : { filename: redactText(part.filename, secrets) }),
    ...(part.text === undefined ? {} : { text: redactField(part.name, part.text, secrets) }),
  }));
}
