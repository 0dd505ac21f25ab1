/**
 * Gathers the words of the service for `compare --record`: names of members, single words, and texts with `…` for each variable part. They
 * are the names and literals of the sources that make answers, so a cassette keeps nothing else of an account.
 */
import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";
import { filesIn } from "./gather.ts";
import { visit } from "./reasons.ts";

const FOLDERS = ["src/service", "src/engine/core", "src/engine/http"];
/** A template with fewer letters matches any text. */
const LETTERS_MIN = 8;

interface Node {
  type: string;
  [member: string]: unknown;
}

export function serviceWords(): string {
  const found = { members: new Set<string>(), words: new Set<string>(), texts: new Set<string>() };
  for (const file of FOLDERS.flatMap((folder) => filesIn(folder, ".ts")))
    visit(parseAst(readFileSync(file, "utf8"), { lang: "ts" }), (node) => gather(node as Node, found));
  const { members, words, texts } = found;
  const sorted = (all: Set<string>) => [...all].sort();
  const hasLetters = (text: string) => text.replace(/\P{L}/gu, "").length >= LETTERS_MIN;
  return `${JSON.stringify(
    {
      members: sorted(members),
      words: sorted(words).filter((one) => /^[\w.+/-]{2,60}$/.test(one)),
      texts: sorted(texts).filter(hasLetters),
    },
    null,
    1,
  )}\n`;
}

function gather(node: Node, { members, words, texts }: Record<"members" | "words" | "texts", Set<string>>): void {
  const key = node.key as { name?: string; value?: unknown } | undefined;
  if (node.type === "Property" && node.computed !== true && key) members.add(key.name ?? String(key.value));
  if (node.type === "Literal" && typeof node.value === "string")
    (node.value.trim().includes(" ") ? texts : words).add(node.value);
  if (node.type === "TemplateLiteral")
    texts.add((node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…"));
}
