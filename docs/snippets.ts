/**
 * The commands of the README, and what they print. A `sh` or `js` block that is followed by a `json` or `text` block is run
 * and must print that; `json` is compared as a value, so that it can be shown formatted. A `sh` block of assignments
 * alone holds for all that follow.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface Snippet {
  /** Line of the opening fence, from 1. */
  line: number;
  language: "sh" | "js";
  code: string;
  format: "json" | "text";
  output: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const ASSIGNMENTS = /^(?:\w+=.*\n)+$/;
/** Where the README says the server listens. */
export const README_URL = "http://127.0.0.1:4010";
/** How the README starts it. */
export const README_SERVER = { seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" } as const;

export interface Blocks {
  prelude: string;
  snippets: Snippet[];
  /** YAML blocks that are scenarios. */
  scenarios: string[];
}

export function blocksOf(page: string): Blocks {
  const fences = [...page.matchAll(FENCE)].map((match) => ({
    language: match[1] ?? "",
    code: match[2] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
  const snippets: Snippet[] = [];
  for (const [i, fence] of fences.entries()) {
    const next = fences[i + 1];
    if (!next || (fence.language !== "sh" && fence.language !== "js")) continue;
    if ((next.language !== "json" && next.language !== "text") || page.slice(fence.end, next.start).trim() !== "") continue;
    snippets.push({
      line: page.slice(0, fence.start).split("\n").length,
      language: fence.language,
      code: fence.code,
      format: next.language,
      output: next.code,
    });
  }
  return {
    prelude: fences
      .filter((fence) => fence.language === "sh" && ASSIGNMENTS.test(fence.code))
      .map((fence) => fence.code)
      .join(""),
    snippets,
    scenarios: fences
      .filter((fence) => fence.language === "yaml" && fence.code.startsWith("version:"))
      .map((fence) => fence.code),
  };
}

/** Runs a snippet against the server at `url` and gives what it printed. */
export async function run(snippet: Snippet, prelude: string, url: string): Promise<string> {
  const code = (snippet.language === "sh" ? prelude + snippet.code : snippet.code).replaceAll(README_URL, url);
  const [program, args] =
    snippet.language === "sh"
      ? ["bash", ["-euo", "pipefail", "-c", code]]
      : [process.execPath, ["--input-type=module", "--eval", code]];
  const { stdout } = await promisify(execFile)(program, args, { timeout: 15_000 });
  return `${stdout.replaceAll(url, README_URL).replaceAll("\r", "").trimEnd()}\n`;
}

/** The page with the outputs that its snippets really have. An id that changed is changed in all that follows. */
export async function refresh(page: string, url: string): Promise<string> {
  let text = page;
  for (let i = 0; i < blocksOf(text).snippets.length; i++) {
    const { prelude, snippets } = blocksOf(text);
    const snippet = snippets[i] as Snippet;
    const printed = await run(snippet, prelude, url);
    const output = snippet.format === "json" ? `${JSON.stringify(JSON.parse(printed), null, 2)}\n` : printed;
    const fence = `\`\`\`${snippet.format}\n`;
    const at = text.indexOf(fence, text.indexOf(snippet.code)) + fence.length;
    text = text.slice(0, at) + output + text.slice(at + snippet.output.length);
    const [before, after] = [idOf(snippet), idOf({ ...snippet, output })];
    if (before !== undefined && after !== undefined) text = text.replaceAll(before, after);
  }
  return text;
}

/** The id of the thing that a JSON answer shows. */
export function idOf(snippet: Snippet): string | undefined {
  if (snippet.format !== "json") return undefined;
  try {
    return (JSON.parse(snippet.output) as { id?: string }).id;
  } catch {
    return undefined;
  }
}
