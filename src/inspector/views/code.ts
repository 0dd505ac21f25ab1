import type { BodyPart, JournalEntry } from "../../engine/journal/journal.ts";
import { shownBody, shownRequestParts, shownUrl } from "../../engine/journal/redacted-call.ts";

const KEYS = new Map([
  ["api-key", "$DOCDOUBLE_API_KEY"],
  ["bearer", "$DOCDOUBLE_TOKEN"],
]);

export function curlOf(one: JournalEntry, publicUrl: string): string {
  // Without `-g`, curl reads brackets and braces in the address as ranges.
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
    // With `--data-binary`, curl would read a file when the body begins with @.
    parts.push(`--data-raw ${quoted(shownBody(one))}`);
  }
  return parts.join(" \\\n  ");
}

/**
 * A field uses `--form-string`, because `-F` reads a file when the value begins with @ or <. The journal keeps no file bytes, so the
 * command reads a file with the same name in the working folder.
 */
function formPart({ name, filename, type, text }: BodyPart): string {
  if (filename === undefined) return `--form-string ${quoted(`${name}=${text ?? ""}`)}`;
  const base = filename.split(/[\\/]/).at(-1) || "file";
  return `-F ${quoted(`${name}=@"./${base.replace(/["\\]/g, "\\$&")}";type=${type.replace(/[;\r\n].*/s, "")}`)}`;
}

export function quoted(text: string): string {
  // Arguments cannot hold NUL, and terminals interpret other control characters in a pasted command. Line breaks and tabs are
  // harmless within quotes.
  const safe = [...text].map((one) => (isControl(one) ? "?" : one)).join("");
  return `'${safe.replaceAll("'", "'\\''")}'`;
}

function isControl(one: string): boolean {
  const code = one.codePointAt(0) ?? 0;
  return code === 0x7f || (code < 0x20 && one !== "\n" && one !== "\t" && one !== "\r");
}

export function firstCreate(url: string, key = "YOUR-KEY"): string {
  const body = `{
    "name": "Offer 42",
    "template_uuid": "TemplateOneSignerxxxxx",
    "recipients": [{
      "email": "pat@client.example", "role": "Client",
      "first_name": "Pat", "last_name": "Lee"
    }]
  }`;
  return `curl -H ${quoted(`Authorization: API-Key ${key}`)} \\\n  -H 'Content-Type: application/json' ${quoted(`${url}/public/v1/documents`)} -d '${body}'`;
}
