/** American spelling, by cspell. docs/prose/words.txt holds names and words that its dictionaries lack. */
import { execFile } from "node:child_process";
import { resolve } from "node:path";

const ARGS = ["lint", "--no-progress", "--no-summary", "--no-color", "--config", "docs/prose/cspell.json"];
const PRINTED = /^(\S+?):(\d+)(?::\d+)? - (.*)$/;

interface Problem {
  place: string;
  text: string;
}

/** The misspelled words of files. */
export async function misspelled(files: readonly string[]): Promise<Problem[]> {
  return (await run(files)).map((line) => {
    const [, file, at, text = line] = PRINTED.exec(line) ?? [];
    return { place: file === undefined ? "cspell" : `${file}:${at}`, text };
  });
}

/** The misspelled words of texts in sources. */
export async function misspelledTexts(texts: readonly Problem[]): Promise<Problem[]> {
  const lines = texts.map(({ text }) => text.replaceAll(/\s+/g, " "));
  return (await run(["stdin://texts.txt"], lines.join("\n"))).map((line) => {
    const [, , at, text = line] = PRINTED.exec(line) ?? [];
    return { place: texts[Number(at) - 1]?.place ?? "cspell", text };
  });
}

/** @returns the lines that cspell prints */
async function run(files: readonly string[], input = ""): Promise<string[]> {
  const printed = await new Promise<string>((done) => {
    const cspell = execFile(
      process.execPath,
      [resolve("node_modules/cspell/bin.mjs"), ...ARGS, ...files],
      { maxBuffer: 1e8 },
      (_, stdout, stderr) => done(`${stdout}${stderr}`),
    );
    cspell.stdin?.end(input);
  });
  return printed.split("\n").filter((line) => line.trim() !== "");
}
