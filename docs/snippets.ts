/**
 * The blocks of the pages, and what is done with each. A page is true when nothing in it is left out:
 *
 * - `sh` and `js` blocks are run; one that is followed by a `json` or `text` block must print that. `json` is compared as a value, so
 *   that it can be shown formatted. A `sh` block of assignments alone holds for all that follow. So are whole programs in other
 *   languages, where the machine has them.
 * - `js file=NAME` is written to the page's folder, for the blocks after it.
 * - `yaml` that begins with `version:` is read as a scenario.
 * - `<!-- not run: reason -->` before a block excuses it.
 */
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

export interface Snippet {
  /** Line of the opening fence, from 1. */
  line: number;
  language: Language;
  code: string;
  format: "json" | "text" | "none";
  output: string;
}

export type Language = "sh" | "js" | keyof typeof OTHERS;

/** Languages that a machine may lack: the file that a block is written to, and what runs it. */
export const OTHERS = {
  python: ["story.py", "python3"],
  java: ["Story.java", "java", "-XX:TieredStopAtLevel=1", "-Xshare:auto"],
  php: ["story.php", "php"],
  ruby: ["story.rb", "ruby"],
  go: ["story.go", "go", "run"],
} as const;

export function isOther(language: string): language is keyof typeof OTHERS {
  return Object.hasOwn(OTHERS, language);
}

/** The program that the machine lacks for a language; undefined when it can be run. */
export function missing(language: Language): string | undefined {
  if (!isOther(language)) return undefined;
  const [, program] = OTHERS[language];
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program))) ? undefined : program;
}

const FENCE = /^```(\w*)(?: file=(\S+))?\n([\s\S]*?)^```$/gm;
const ASSIGNMENTS = /^(?:\w+=.*\n)+$/;
const EXCUSE = /<!-- not run: ([^>]+) -->\s*$/;
/** Where the pages say the server listens. */
export const README_URL = "http://127.0.0.1:4010";
/** How the README starts it. */
export const README_SERVER = { seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" } as const;

export interface Blocks {
  prelude: string;
  snippets: Snippet[];
  /** YAML blocks that are scenarios. */
  scenarios: string[];
  /** What is written to the page's folder. */
  files: Record<string, string>;
  /** Why a block is not run, by its line. */
  excused: Record<number, string>;
  /** Lines of blocks that nothing is done with. */
  left: number[];
}

export function blocksOf(page: string): Blocks {
  const fences = [...page.matchAll(FENCE)].map((match) => ({
    language: match[1] ?? "",
    file: match[2],
    code: match[3] ?? "",
    start: match.index,
    end: match.index + match[0].length,
    line: page.slice(0, match.index).split("\n").length,
  }));
  const blocks: Blocks = { prelude: "", snippets: [], scenarios: [], files: {}, excused: {}, left: [] };
  for (let i = 0; i < fences.length; i++) {
    const fence = fences[i] as (typeof fences)[number];
    const { language, code, line, file } = fence;
    const excuse = EXCUSE.exec(page.slice(0, fence.start))?.[1];
    if (excuse !== undefined) blocks.excused[line] = excuse;
    else if (file !== undefined) blocks.files[file] = code;
    else if (language === "sh" && ASSIGNMENTS.test(code)) blocks.prelude += code;
    else if (language === "yaml" && code.startsWith("version:")) blocks.scenarios.push(code);
    else if (language === "sh" || language === "js" || isOther(language)) {
      const next = fences[i + 1];
      const shows = (next?.language === "json" || next?.language === "text") && page.slice(fence.end, next.start).trim() === "";
      if (next && shows) {
        i++;
        blocks.snippets.push({ line, language, code, format: next.language as "json" | "text", output: next.code });
      } else blocks.snippets.push({ line, language, code, format: "none", output: "" });
      // What has no language is there to be looked at.
    } else if (language !== "") blocks.left.push(line);
  }
  return blocks;
}

export interface Workplace {
  folder: string;
  remove(): void;
}

/** A folder in which a page's blocks are run: the page's files, the package as it is built, and an `npx` that knows it. */
export function workplace(files: Record<string, string>): Workplace {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-docs-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules/docdouble"));
  symlinkSync(resolve("node_modules/pandadoc-node-client"), join(folder, "node_modules/pandadoc-node-client"));
  mkdirSync(join(folder, "bin"));
  const npx = join(folder, "bin/npx");
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = docdouble ] && shift && exec "${process.execPath}" "${resolve("dist/cli.cjs")}" "$@"\nexit 127\n`,
  );
  chmodSync(npx, 0o755);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a snippet against the server at `url` and gives what it printed. */
export async function run(snippet: Snippet, prelude: string, url: string, { folder }: Workplace): Promise<string> {
  const code = (snippet.language === "sh" ? prelude + snippet.code : snippet.code).replaceAll(README_URL, url);
  const [program, args] = commandOf(snippet.language, code, folder);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, url, root: resolve(".") };
  // What a test runner sets would make a child a test of its own.
  for (const name of ["NODE_OPTIONS", "VITEST", "NODE_TEST_CONTEXT", "DOCDOUBLE_URL"]) delete env[name];
  const { stdout } = await promisify(execFile)(program, args, { timeout: 20_000, cwd: folder, env });
  return `${stdout.replaceAll(url, README_URL).replaceAll("\r", "").trimEnd()}\n`;
}

function commandOf(language: Language, code: string, folder: string): [program: string, args: string[]] {
  if (language === "sh") return ["bash", ["-euo", "pipefail", "-c", code]];
  if (language === "js") return [process.execPath, ["--input-type=module", "--eval", code]];
  const [file, program, ...args] = OTHERS[language];
  writeFileSync(join(folder, file), code);
  return [program, [...args, file]];
}

/** The page with the outputs that its snippets really have. An id that changed is changed in all that follows. */
export async function refresh(page: string, url: string): Promise<string> {
  const place = workplace(blocksOf(page).files);
  let text = page;
  for (let i = 0; i < blocksOf(text).snippets.length; i++) {
    const { prelude, snippets } = blocksOf(text);
    const snippet = snippets[i] as Snippet;
    const printed = await run(snippet, prelude, url, place);
    if (snippet.format === "none") continue;
    const output = snippet.format === "json" ? `${JSON.stringify(JSON.parse(printed), null, 2)}\n` : printed;
    const fence = `\`\`\`${snippet.format}\n`;
    const at = text.indexOf(fence, text.indexOf(snippet.code)) + fence.length;
    text = text.slice(0, at) + output + text.slice(at + snippet.output.length);
    const [before, after] = [idOf(snippet), idOf({ ...snippet, output })];
    if (before !== undefined && after !== undefined) text = text.replaceAll(before, after);
  }
  place.remove();
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
