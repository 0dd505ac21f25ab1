/** HTML as text. The `html` tag escapes every value that is not HTML already. */
import { createHash } from "node:crypto";

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

export type Part = Html | string | number | null | undefined | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  return escapeHtml(String(part));
}

/** Escapes values, joins lists, and renders null and false as nothing. An address that would run a script becomes `#`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.reduce((text, string, i) => {
      const part = parts[i - 1] ?? null;
      return (
        text +
        render(ADDRESS_BEFORE.test(strings[i - 1] as string) && typeof part === "string" ? safeAddress(part) : part) +
        string
      );
    }),
  );
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

/** Marks a text as HTML, CSS or script. The text must not contain user input. */
export function raw(text: string): Html {
  return new Html(text);
}

/** JSON for a script element: no tag in it can end the element. */
export function scriptJson(value: unknown): Html {
  return new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
}

export function pageBytes(page: Html): Uint8Array {
  return new TextEncoder().encode(page.text);
}

/** A policy source that allows exactly this text. */
export function hashSource(text: Html): string {
  return `'sha256-${createHash("sha256").update(text.text).digest("base64")}'`;
}
