/** A call of the journal as a command that makes it again. Keys are named and not shown: they are in the shell's environment. */
import type { BodyPart, JournalEntry } from "../../engine/journal.ts";
import { shownBody, shownRequestParts, shownUrl } from "../../engine/redacted-call.ts";

const KEYS = new Map([
  ["api-key", "$DOCDOUBLE_API_KEY"],
  ["bearer", "$DOCDOUBLE_TOKEN"],
]);

export function curlOf(one: JournalEntry, publicUrl: string): string {
  // Brackets and braces in the address are characters, not ranges.
  const parts = ["curl -i -g"];
  if (one.method !== "GET") parts.push(`-X ${quoted(one.method)}`);
  parts.push(quoted(new URL(publicUrl).origin + shownUrl(one)));
  const scheme = /^\S+/.exec(one.headers.authorization ?? "")?.[0];
  const key = scheme === undefined ? undefined : KEYS.get(scheme.toLowerCase());
  if (key !== undefined) parts.push(`-H "Authorization: ${scheme} ${key}"`);
  const type = one.headers["content-type"];
  if (one.parts) parts.push(...shownRequestParts(one).map(formPart));
  else if (one.body !== "") {
    if (type !== undefined) parts.push(`-H ${quoted(`content-type: ${type}`)}`);
    // --data-binary reads a file where the body begins with @.
    parts.push(`--data-raw ${quoted(shownBody(one))}`);
  }
  return parts.join(" \\\n  ");
}

/**
 * A field is `--form-string`, as `-F` reads a file where the value begins with @ or <. A file is named without its folder, as the
 * journal keeps no bytes of it: the command reads the file of that name in the folder where it runs.
 */
function formPart({ name, filename, type, text }: BodyPart): string {
  if (filename === undefined) return `--form-string ${quoted(`${name}=${text ?? ""}`)}`;
  const base = filename.split(/[\\/]/).at(-1) || "file";
  return `-F ${quoted(`${name}=@"./${base.replace(/["\\]/g, "\\$&")}";type=${type.replace(/[;\r\n].*/s, "")}`)}`;
}

/** One word for a shell, whatever is in it. */
export function quoted(text: string): string {
  // No argument holds a NUL, and a terminal would obey other control characters when the command is pasted.
  const safe = [...text].map((one) => (isControl(one) ? "?" : one)).join("");
  return `'${safe.replaceAll("'", "'\\''")}'`;
}

/** Line breaks and tabs are harmless within quotes. */
function isControl(one: string): boolean {
  const code = one.codePointAt(0) ?? 0;
  return code === 0x7f || (code < 0x20 && one !== "\n" && one !== "\t" && one !== "\r");
}
