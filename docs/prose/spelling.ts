/** Spelling of the pages, by cspell. docs/prose/words.txt holds names and words that its dictionaries lack. */
import { execFile } from "node:child_process";
import { resolve } from "node:path";

export async function misspelt(files: readonly string[]): Promise<{ place: string; text: string }[]> {
  const args = ["lint", "--no-progress", "--no-summary", "--no-color", "--config", "docs/prose/cspell.json", ...files];
  const printed = await new Promise<string>((done) => {
    execFile(process.execPath, [resolve("node_modules/cspell/bin.mjs"), ...args], { maxBuffer: 1e8 }, (_, stdout, stderr) =>
      done(`${stdout}${stderr}`),
    );
  });
  return printed
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, place = "cspell", text = line] = /^(\S+?:\d+)(?::\d+)? - (.*)$/.exec(line) ?? [];
      return { place, text };
    });
}
