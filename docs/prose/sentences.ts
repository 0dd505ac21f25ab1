/** The sentences of a Markdown page: those of paragraphs and list items. Headings, tables, code blocks and comments hold none. */
import { parse } from "@textlint/markdown-to-ast";
import { split } from "sentence-splitter";

export interface Sentence {
  /** Line of the page, from 1. */
  line: number;
  text: string;
}

interface Node {
  type: string;
  value?: string;
  children?: Node[];
  loc: { start: { line: number } };
}

/** A span of code counts as one word of two syllables. */
export const CODE = "value";

export function sentencesOf(page: string): Sentence[] {
  const found: Sentence[] = [];
  for (const node of paragraphsOf(parse(page) as unknown as Node))
    for (const text of sentencesIn(textOf(node))) found.push({ line: node.loc.start.line, text });
  return found;
}

/** Splits plain text. */
export function sentencesIn(text: string): string[] {
  return (
    split(text.replaceAll(/\s+/g, " ").trim())
      .filter((one) => one.type === "Sentence")
      // The splitter takes a number at the end of a sentence for a version, so split there again.
      .flatMap((one) => one.raw.split(/(?<=\d[.)]*\.) (?=[A-Z])/))
      .map((one) => one.trim())
      .filter((one) => wordsOf(one).length > 0)
  );
}

export function wordsOf(sentence: string): string[] {
  return sentence.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

function paragraphsOf(node: Node): Node[] {
  if (node.type === "Paragraph") return [node];
  if (["Table", "Header", "CodeBlock"].includes(node.type)) return [];
  return (node.children ?? []).flatMap(paragraphsOf);
}

/** The text of a node as a reader sees it: the text of links, and a placeholder for code. */
function textOf(node: Node): string {
  if (node.type === "Code") return CODE;
  if (node.type === "Html" || node.type === "Image") return "";
  if (node.type === "Break") return " ";
  if (node.children) return node.children.map(textOf).join("");
  return node.value ?? "";
}
