/**
 * Gathers the texts of the program that people read: messages, help, hover texts, and the text of HTML templates. Texts of fewer than four
 * words are labels. Bodies of the service's own errors keep the service's words, so they do not count.
 */
import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";
import { filesIn } from "../gather.ts";

const WORDS_MIN = 4;
/** Counts only words outside of placeholders. */
const OWN_WORDS_MIN = 2;
/** Code, paths, selectors, headers: no prose. */
const CODE_LIKE = /[{}<>=;]|\/\/|^(?:GET|POST|PUT|PATCH|DELETE) \/|^\W*$/;
/** Other languages than English. */
const TRANSLATIONS = /src\/service\/pages\/signing\/(?:languages|state-words|money-words)\.ts$/;
const SERVICE = /src\/service\/(?:domain|model|api)\//;
const PLACEHOLDER = "value";

interface Text {
  place: string;
  text: string;
}

interface Node {
  type?: string;
  value?: unknown;
  key?: { name?: string };
  property?: { name?: string };
  tag?: { name?: string };
  quasi?: Node;
  quasis?: { value: { cooked: string } }[];
  expressions?: unknown[];
}

export function messagesInSources(): Text[] {
  return filesIn("src", ".ts")
    .filter((file) => !TRANSLATIONS.test(file))
    .flatMap((file) => textsIn(file, readFileSync(file, "utf8")));
}

export function textsIn(file: string, source: string): Text[] {
  const found: Text[] = [];
  const see = (text: string) => {
    const plain = text.replaceAll(/\s+/g, " ").trim();
    const words = plain.match(/\p{L}{2,}/gu) ?? [];
    const own = words.filter((word) => word !== PLACEHOLDER);
    if (words.length >= WORDS_MIN && own.length >= OWN_WORDS_MIN) found.push({ place: file, text: plain });
  };
  visit(parseAst(source, { lang: "ts" }), SERVICE.test(file), see);
  return found;
}

function visit(node: unknown, isService: boolean, see: (text: string) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, isService, see);
  else if (node !== null && typeof node === "object") {
    const { type, value, key, property, tag, quasi, quasis } = node as Node;
    if (isService && type === "Property" && key?.name === "detail") return;
    // A list of words, not a sentence.
    if (type === "MemberExpression" && property?.name === "split") return;
    if (type === "Literal" && typeof value === "string" && !CODE_LIKE.test(value)) see(value);
    if (type === "TemplateLiteral" && quasis && !CODE_LIKE.test(joined(quasis))) see(joined(quasis));
    if (type === "TaggedTemplateExpression" && quasi?.quasis) {
      // Other tags hold code.
      if (tag?.name === "html") for (const text of textsOfHtml(joined(quasi.quasis))) see(text);
      visit(quasi.expressions, isService, see);
    } else for (const member of Object.values(node)) if (typeof member === "object") visit(member, isService, see);
  }
}

function joined(quasis: NonNullable<Node["quasis"]>): string {
  return quasis.map((one) => one.value.cooked).join(PLACEHOLDER);
}

/** The texts that a page shows: each block with its inline tags, and attributes that screen readers read. Code becomes a placeholder. */
export function textsOfHtml(page: string): string[] {
  const seen = page
    .replaceAll(/<(style|script|pre)\b[\s\S]*?<\/\1>/g, "<br>")
    .replaceAll(/<(code|kbd)\b[^>]*>[\s\S]*?<\/\1>/g, PLACEHOLDER)
    .replaceAll(/(?<=\w)(?:<\/?(?:a|strong|em|span|b|i)\b[^>]*>)+(?=\w)/g, " ")
    .replaceAll(/<\/?(?:a|strong|em|span|b|i)\b[^>]*>/g, "");
  const attributes = [...page.matchAll(/ (?:title|placeholder|aria-label|alt)="([^"]+)"/g)].map(([, text = ""]) => text);
  return [...seen.split(/<[^>]*>/), ...attributes];
}
