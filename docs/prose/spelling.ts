/** American spelling, by cspell. docs/prose/words.txt holds names and words that its dictionaries lack. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { installed } from "../installed.ts";

const ARGS = ["lint", "--no-progress", "--no-summary", "--no-color", "--config", "docs/prose/cspell.json"];
const PRINTED = /^(\S+?):(\d+)(?::\d+)? - (.*)$/;

interface Problem {
  place: string;
  text: string;
}

/** Texts of sources, which cspell reads as one file with a line for each text. */
const TEXTS = "stdin://texts.txt";

/** The misspelled words of files, and of texts in sources. One run of cspell checks both, because it loads its dictionaries for seconds. */
export async function misspelled(files: readonly string[], texts: readonly Problem[]): Promise<Problem[]> {
  const lines = texts.map(({ text }) => text.replaceAll(/\s+/g, " "));
  return (await run([...files, TEXTS], lines.join("\n"))).map((line) => {
    const [, file, at, text = line] = PRINTED.exec(line) ?? [];
    if (file === undefined) return { place: "cspell", text };
    return { place: file.endsWith("texts.txt") ? (texts[Number(at) - 1]?.place ?? "cspell") : `${file}:${at}`, text };
  });
}

/** @returns the lines that cspell prints */
async function run(files: readonly string[], input: string): Promise<string[]> {
  const printed = await new Promise<string>((done) => {
    const cspell = execFile(
      process.execPath,
      [join(installed("cspell"), "bin.mjs"), ...ARGS, ...files],
      { maxBuffer: 1e8 },
      (_, stdout, stderr) => done(`${stdout}${stderr}`),
    );
    cspell.stdin?.end(input);
  });
  return printed.split("\n").filter((line) => line.trim() !== "");
}
