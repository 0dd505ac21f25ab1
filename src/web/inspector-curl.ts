/** A call of the journal as a command that makes it again. Keys are named and not shown: they are in the shell's environment. */
import { shownParts } from "../engine/body-parts.ts";
import type { Exchange } from "../engine/journal.ts";
import { redactText } from "../engine/redact.ts";

const KEYS: Readonly<Record<string, string>> = { "api-key": "$DOCDOUBLE_API_KEY", bearer: "$DOCDOUBLE_TOKEN" };

export function curlOf(one: Exchange, publicUrl: string): string {
  const parts = ["curl -i"];
  if (one.method !== "GET") parts.push(`-X ${one.method}`);
  parts.push(quoted(new URL(publicUrl).origin + redactText(one.url, one.caller?.key)));
  const scheme = /^\S+/.exec(one.headers.authorization ?? "")?.[0];
  const key = scheme === undefined ? undefined : KEYS[scheme.toLowerCase()];
  if (key !== undefined) parts.push(`-H "Authorization: ${scheme} ${key}"`);
  if (one.parts) parts.push(...shownParts(one.parts, one.caller?.key).map((part) => `-F ${quoted(formPart(part))}`));
  else if (one.body !== "") {
    const type = one.headers["content-type"];
    if (type !== undefined) parts.push(`-H ${quoted(`content-type: ${type}`)}`);
    parts.push(`--data-binary ${quoted(redactText(one.body, one.caller?.key))}`);
  }
  return parts.join(" \\\n  ");
}

function formPart({ name, filename, type, text }: NonNullable<Exchange["parts"]>[number]): string {
  return filename === undefined ? `${name}=${text ?? ""}` : `${name}=@${filename};type=${type}`;
}

/** One word for a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
