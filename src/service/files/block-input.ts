import { type Block, parseMarkdown } from "./blocks.ts";

/** A block, or Markdown, which the file process parses so that long texts do not hold the server. */
export type Words = Block | { kind: "markdown"; text: string };

/** The words of a text file. Its name stands above them. */
export function wordsOf({ title, text }: { title: string; text: string }): Words[] {
  return [
    { kind: "heading", level: 1, text: title },
    { kind: "markdown", text },
  ];
}

export function toBlocks(words: readonly Words[]): Block[] {
  return words.flatMap((one) => (one.kind === "markdown" ? parseMarkdown(one.text) : [one]));
}
