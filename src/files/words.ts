/** What a file is written from. */
import { type Block, parseMarkdown } from "../core/blocks.ts";

/** A block, or a Markdown text: long texts are read where files are written, and not in the server. */
export type Words = Block | { kind: "markdown"; text: string };

export function toBlocks(words: readonly Words[]): Block[] {
  return words.flatMap((one) => (one.kind === "markdown" ? parseMarkdown(one.text) : [one]));
}
