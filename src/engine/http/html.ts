import { createHash } from "node:crypto";
import { html as escaped, raw } from "hono/html";

/** A String object: `String(page)` gives its text. */
export type Html = ReturnType<typeof raw>;

export type Part = Html | string | number | null | undefined | false | readonly Part[];

export { raw };

/** Escapes values, joins lists, and renders null and false as nothing. An address that would run a script becomes `#`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const checked = parts.map((part, i) =>
    typeof part === "string" && ADDRESS_BEFORE.test(strings[i] as string) ? safeAddress(part) : part,
  );
  // `escaped` returns a promise only when a part is a promise.
  return escaped(strings, ...checked) as Html;
}

const ADDRESS_BEFORE = /\s(?:href|src|action|formaction|data)="$/;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SAFE_SCHEME = /^(?:https?|mailto|tel)$/i;

/** Browsers skip control characters and spaces before and within a scheme. */
function safeAddress(address: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers skip
  const scheme = SCHEME.exec(address.replace(/[\u0000-\u0020]/g, ""))?.[1];
  return scheme === undefined || SAFE_SCHEME.test(scheme) || /^data:image\//i.test(address) ? address : "#";
}

/** JSON for a script element: no tag in it can end the element. */
function scriptJson(value: unknown): Html {
  return raw(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
}

export function pageBytes(page: Html): Uint8Array {
  return new TextEncoder().encode(page);
}

/** The text of styles or of a script. */
export type Asset = Html & { readonly [ofFiles]: true };
declare const ofFiles: unique symbol;

/** Only `assets.ts` files call it, with the texts of files, so that types and lint see every line. */
export function asset(...texts: string[]): Asset {
  return raw(texts.join("")) as Asset;
}

export function hashSource(text: Asset): string {
  return `'sha256-${createHash("sha256").update(String(text)).digest("base64")}'`;
}

interface WholePage {
  title: string;
  style: Asset;
  body: Part;
  /** What the scripts read in the element `#state`. */
  data?: unknown;
  script?: Asset;
  /** A script that may import. */
  module?: Asset;
  state?: string;
  /** The Content-Security-Policy of a page that no server sends. */
  policy?: string;
}

export function htmlPage({ title, style, body, data, script, module, state, policy }: WholePage): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${policy && html`<meta http-equiv="Content-Security-Policy" content="${policy}">`}
<title>${title}</title>
<style>${style}</style>
</head>
<body${state === undefined ? null : html` data-state="${state}"`}>
${body}
${data !== undefined && html`<script type="application/json" id="state">${scriptJson(data)}</script>`}
${script && html`<script>${script}</script>`}${module && html`<script type="module">${module}</script>`}
</body>
</html>`;
}
