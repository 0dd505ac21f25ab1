import { type Block, parseMarkdown } from "../../engine/core/blocks.ts";

/** A block, or Markdown, which the file process parses so that long texts do not hold the server. */
export type Words = Block | { kind: "markdown"; text: string };

export function toBlocks(words: readonly Words[]): Block[] {
  return words.flatMap((one) => (one.kind === "markdown" ? parseMarkdown(one.text) : [one]));
}
