/** A call of the journal as a curl command. The shell's environment supplies the keys. */
import type { BodyPart, JournalEntry } from "../../engine/journal.ts";
import { shownBody, shownRequestParts, shownUrl } from "../../engine/redacted-call.ts";

const KEYS = new Map([
  ["api-key", "$DOCDOUBLE_API_KEY"],
  ["bearer", "$DOCDOUBLE_TOKEN"],
]);

export function curlOf(one: JournalEntry, publicUrl: string): string {
  // Without it curl reads brackets and braces in the address as ranges.
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
    // --data-binary reads a file when the body begins with @.
    parts.push(`--data-raw ${quoted(shownBody(one))}`);
  }
  return parts.join(" \\\n  ");
}

/**
 * A field uses `--form-string`, because `-F` reads a file when the value begins with @ or <. The journal keeps no bytes of a file, so
 * the command reads a file of that name in its working folder.
 */
function formPart({ name, filename, type, text }: BodyPart): string {
  if (filename === undefined) return `--form-string ${quoted(`${name}=${text ?? ""}`)}`;
  const base = filename.split(/[\\/]/).at(-1) || "file";
  return `-F ${quoted(`${name}=@"./${base.replace(/["\\]/g, "\\$&")}";type=${type.replace(/[;\r\n].*/s, "")}`)}`;
}

/** Quotes a text as one shell word. */
export function quoted(text: string): string {
  // Arguments cannot hold NUL, and terminals interpret other control characters in a pasted command.
  const safe = [...text].map((one) => (isControl(one) ? "?" : one)).join("");
  return `'${safe.replaceAll("'", "'\\''")}'`;
}

/** Line breaks and tabs are harmless within quotes. */
function isControl(one: string): boolean {
  const code = one.codePointAt(0) ?? 0;
  return code === 0x7f || (code < 0x20 && one !== "\n" && one !== "\t" && one !== "\r");
}
