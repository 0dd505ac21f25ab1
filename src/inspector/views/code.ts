import type { BodyPart, JournalEntry } from "../../engine/journal/journal.ts";
import { shownBody, shownRequestParts, shownUrl } from "../../engine/journal/redacted-call.ts";
import { parseLeniently } from "../../engine/core/text.ts";

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

export function fetchCodeOf(one: JournalEntry, publicUrl: string): string {
  const { url, scheme, key, type, body } = partsOf(one, publicUrl);
  const headers = [
    ...(key === undefined ? [] : [`authorization: \`${scheme} \${process.env.${key}}\``]),
    ...(body === undefined || type === undefined ? [] : [`"content-type": ${JSON.stringify(type)}`]),
  ];
  const form = one.parts && formCode(shownRequestParts(one));
  const options = [
    ...(one.method === "GET" ? [] : [`method: ${JSON.stringify(one.method)}`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(", ")} }`] : []),
    ...(form === undefined
      ? body === undefined
        ? []
        : [`body: ${bodyCode(body, "JSON.stringify", (text) => JSON.stringify(text))}`]
      : ["body: form"]),
  ];
  const rest = options.length > 0 ? `, {\n  ${options.join(",\n  ")},\n}` : "";
  return `${form ?? ""}const response = await fetch(${JSON.stringify(url)}${rest});\nconsole.log(response.status, await response.text());`;
}

export function pythonOf(one: JournalEntry, publicUrl: string): string {
  const { url, scheme, key, type, body } = partsOf(one, publicUrl);
  const parts = one.parts ? shownRequestParts(one) : [];
  const isJson = body !== undefined && isJsonText(body);
  const headers = [
    ...(key === undefined ? [] : [`"Authorization": f"${scheme} {os.environ['${key}']}"`]),
    ...(body === undefined || type === undefined || isJson ? [] : [`"Content-Type": ${JSON.stringify(type)}`]),
  ];
  const options = [
    ...(headers.length > 0 ? [`headers={${headers.join(", ")}}`] : []),
    ...(body === undefined ? [] : [isJson ? `json=json.loads(${pythonText(body)})` : `data=${pythonText(body)}`]),
    ...parts
      .filter((part) => part.filename !== undefined)
      .map((part) => `files={${JSON.stringify(part.name)}: open(${JSON.stringify(fileOf(part))}, "rb")}`),
    ...(parts.some((part) => part.filename === undefined)
      ? [
          `data={${parts.flatMap((part) => (part.filename === undefined ? [`${JSON.stringify(part.name)}: ${pythonText(part.text ?? "")}`] : [])).join(", ")}}`,
        ]
      : []),
  ];
  const lines = [JSON.stringify(one.method), JSON.stringify(url), ...options].map((line) => `    ${line},`);
  return `import json, os\n\nimport requests\n\nresponse = requests.request(\n${lines.join("\n")}\n)\nprint(response.status_code, response.text)`;
}

function partsOf(one: JournalEntry, publicUrl: string) {
  const scheme = /^\S+/.exec(one.headers.authorization ?? "")?.[0];
  return {
    url: new URL(publicUrl).origin + shownUrl(one),
    scheme,
    key: scheme === undefined ? undefined : KEYS.get(scheme.toLowerCase())?.slice(1),
    type: one.headers["content-type"],
    body: one.parts || one.body === "" ? undefined : shownBody(one),
  };
}

function isJsonText(text: string): boolean {
  return parseLeniently(text) !== undefined;
}

function bodyCode(body: string, encode: string, quote: (text: string) => string): string {
  return isJsonText(body) ? `${encode}(${JSON.stringify(JSON.parse(body), null, 2).replaceAll("\n", "\n  ")})` : quote(body);
}

/** A JSON text is also a Python text: JSON.stringify escapes single surrogates, which no Python file can hold. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

function fileOf({ filename }: BodyPart): string {
  return `./${(filename ?? "").split(/[\\/]/).at(-1) || "file"}`;
}

function formCode(parts: readonly BodyPart[]): string {
  const lines = parts.map((part) =>
    part.filename === undefined
      ? `form.append(${JSON.stringify(part.name)}, ${JSON.stringify(part.text ?? "")});`
      : `form.append(${JSON.stringify(part.name)}, new Blob([await readFile(${JSON.stringify(fileOf(part))})], { type: ${JSON.stringify(part.type)} }), ${JSON.stringify(fileOf(part).slice(2))});`,
  );
  const isRead = parts.some((part) => part.filename !== undefined);
  return `${isRead ? 'import { readFile } from "node:fs/promises";\n\n' : ""}const form = new FormData();\n${lines.join("\n")}\n`;
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
