/**
 * The blocks of the pages, and what is done with each. A page is true when nothing in it is left out:
 *
 * - `sh` and `js` blocks are run; one that is followed by a `json` or `text` block must print that. `json` is compared as a value, so
 *   that it can be shown formatted. A `sh` block of assignments alone holds for all that follow. So are whole programs in other
 *   languages, where the machine has them.
 * - `yaml` that begins with `version:` is read as a scenario.
 * - Between `<!-- tabs -->` and `<!-- end: tabs -->` stand variants, each under a heading. The site shows them as tabs. An output
 *   behind them is that of each variant.
 * - A block without a language is not run. A comment `<!-- not run: REASON -->` above it says why.
 *
 * Words behind the language say more:
 *
 * - `file=NAME`: it is written to the page's folder, for the blocks after it.
 * - `serves`: a server, kept until the page ends or the next one starts. What follows talks to it.
 * - one of `PLACES`: it is run elsewhere, by `npm run test:slow`.
 * - `same=FILE`: the block is a copy of that file, which another test runs. `npm run docs` copies it.
 */
import { execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  serves: boolean;
  place?: Place;
}

/**
 * Where blocks are run that need more than their page: a new clone of this repository, an empty project of a user's, a container
 * engine, the official client of their language.
 */
export const PLACES = ["clone", "project", "engine", "client"] as const;
export type Place = (typeof PLACES)[number];

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

const FENCE = /^```(\w*)( .*)?\n([\s\S]*?)^```$/gm;
const ASSIGNMENTS = /^(?:\w+=.*\n)+$/;
/** Where the pages say the server listens. */
export const README_URL = "http://127.0.0.1:4010";

export interface Blocks {
  prelude: string;
  snippets: Snippet[];
  /** Those that are run elsewhere. */
  slow: Snippet[];
  /** YAML blocks that are scenarios. */
  scenarios: string[];
  /** What is written to the page's folder. */
  files: Record<string, string>;
  /** Lines of blocks that nothing is done with, and of those without a language that give no reason. */
  left: number[];
}

interface Fence {
  language: string;
  words: string[];
  code: string;
  start: number;
  end: number;
  line: number;
}

const TABS = /<!-- tabs -->[\s\S]*?<!-- end: tabs -->/g;
/** The end of a page's text before a block that is not run. */
const REASON = /<!-- not run(?: here)?: [^\n]*\w[^\n]*-->\s*$/;

export function blocksOf(page: string): Blocks {
  const fences: Fence[] = [...page.matchAll(FENCE)].map((match) => ({
    language: match[1] ?? "",
    words: (match[2] ?? "").split(" ").filter(Boolean),
    code: match[3] ?? "",
    start: match.index,
    end: match.index + match[0].length,
    line: page.slice(0, match.index).split("\n").length,
  }));
  const blocks: Blocks = { prelude: "", snippets: [], slow: [], scenarios: [], files: {}, left: [] };
  const outputs = outputsOf(page, fences);
  const shown = new Set(outputs.values());
  for (const fence of fences.filter((one) => !shown.has(one))) {
    const { language, words, code, line } = fence;
    const file = words.find((one) => one.startsWith("file="))?.slice("file=".length);
    const place = PLACES.find((one) => words.includes(one));
    const same = words.find((one) => one.startsWith("same="));
    const known = words.length - [file, place, same, words.includes("serves") || undefined].filter(Boolean).length === 0;
    if (!known) blocks.left.push(line);
    else if (same !== undefined) continue;
    else if (file !== undefined) blocks.files[file] = code;
    else if (language === "sh" && words.length === 0 && ASSIGNMENTS.test(code)) blocks.prelude += code;
    else if (language === "yaml" && code.startsWith("version:")) blocks.scenarios.push(code);
    else if (isProgram(language)) {
      const output = outputs.get(fence);
      (place === undefined ? blocks.snippets : blocks.slow).push({
        ...{ line, language, code, serves: words.includes("serves"), ...(place === undefined ? {} : { place }) },
        ...(output ? { format: output.language as "json" | "text", output: output.code } : { format: "none", output: "" }),
      });
    } else if (language !== "" || !REASON.test(page.slice(0, fence.start))) blocks.left.push(line);
  }
  return blocks;
}

function isProgram(language: string): language is Language {
  return language === "sh" || language === "js" || isOther(language);
}

/** The block that shows what a program prints: the next one, or the one behind its tabs. Nothing stands between them. */
function outputsOf(page: string, fences: readonly Fence[]): Map<Fence, Fence> {
  const tabs = [...page.matchAll(TABS)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const found = new Map<Fence, Fence>();
  for (const fence of fences.filter(({ language }) => isProgram(language))) {
    const end = tabs.find((one) => one.start < fence.start && fence.start < one.end)?.end ?? fence.end;
    const next = fences.find(({ start }) => start >= end);
    if (next && /^(?:json|text)$/.test(next.language) && page.slice(end, next.start).trim() === "") found.set(fence, next);
  }
  return found;
}

/** The page with each block `same=FILE` filled with that file. @throws when the file is missing */
export function withFiles(page: string): string {
  return page.replace(
    /^(```\w+[^\n]* same=(\S+)[^\n]*\n)[\s\S]*?^```$/gm,
    (_, fence: string, file: string) => `${fence}${readFileSync(file, "utf8").trimEnd()}\n\`\`\``,
  );
}

/** A folder in which a page's blocks are run, one after the other: the page's files, the package as it is built, and an `npx` that knows it. */
export interface Workplace {
  readonly folder: string;
  /** Runs a block and gives what it printed. One that serves is started, and gives its line. */
  run(snippet: Snippet): Promise<string>;
  /** Ends what serves, and takes the folder away. */
  remove(): Promise<void>;
}

/** What the pages take from the packages of this project. */
const PACKAGES = [
  "pandadoc-node-client",
  "pandadoc-signing",
  "pandadoc-editor",
  "playwright-core",
  "@sparticuz/chromium",
  "express",
  "msw",
];

/** What else they take: `npx` without a registry, and Playwright with the browser of the tests. */
const STAND_INS: Record<string, string> = {
  "bin/npx": `#!/bin/sh
[ "$1" = docdouble ] && shift && exec "${process.execPath}" "${resolve("dist/cli.cjs")}" "$@"
exit 127
`,
  "node_modules/playwright/index.mjs": `import packaged from "@sparticuz/chromium";
import { chromium as core } from "playwright-core";
const executablePath = process.env.CHROMIUM_PATH ?? (await packaged.executablePath());
export const chromium = { launch: () => core.launch({ executablePath, args: ["--no-sandbox"] }) };
`,
  "node_modules/playwright/package.json": `{"exports": "./index.mjs"}\n`,
};

/** `settings` are environment variables for all blocks. */
export function workplace({ files, prelude }: Blocks, settings: Record<string, string> = {}): Workplace {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-docs-"));
  const links = [["docdouble", "."], ...PACKAGES.map((name) => [name, `node_modules/${name}`])] as const;
  for (const [name, target] of links) link(target as string, join(folder, "node_modules", name as string));
  for (const name of ["scenarios", "examples", "recordings"]) link(name, join(folder, name));
  // The guides share a client.
  if (files["client.mjs"] === undefined) link("docs/guides/client.mjs", join(folder, "client.mjs"));
  for (const [name, text] of Object.entries({ ...STAND_INS, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  chmodSync(join(folder, "bin/npx"), 0o755);
  let server: Server | undefined;
  const env = environment({ PATH: `${join(folder, "bin")}:${process.env.PATH}`, ...settings });
  return {
    folder,
    async run(snippet) {
      if (snippet.serves) {
        await server?.stop();
        server = await serve(prelude + snippet.code, folder, env);
        return `docdouble listening on ${README_URL}\n`;
      }
      const url = server?.url ?? README_URL;
      const code = (snippet.language === "sh" ? prelude + snippet.code : snippet.code).replaceAll(README_URL, url);
      const printed = await runIn(folder, snippet.language, code, server ? { ...env, DOCDOUBLE_URL: url } : env);
      return printed.replaceAll(url, README_URL);
    },
    async remove() {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(resolve(target), path);
}

/** This process's environment for another, without what a test runner sets, which would make a child a test of its own. */
export function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, DOCDOUBLE_PORT: "0", ...more };
  for (const name of ["NODE_OPTIONS", "VITEST", "NODE_TEST_CONTEXT", "DOCDOUBLE_URL", "PORT"]) delete env[name];
  return env;
}

const TIMEOUT_MS = 55_000;
/** Bytes. */
const MOST_PRINTED = 64 * 1024 * 1024;

/** Runs a program to its end and gives what it printed. @throws when it fails */
export async function runIn(folder: string, language: Language, code: string, env: NodeJS.ProcessEnv, timeout = TIMEOUT_MS) {
  const [program, args] = commandOf(language, code, folder);
  const { stdout } = await promisify(execFile)(program, args, { timeout, cwd: folder, env, maxBuffer: MOST_PRINTED });
  return `${stdout.replaceAll("\r", "").trimEnd()}\n`;
}

export interface Server {
  url: string;
  /** Ends it and all that it started. */
  stop(): Promise<void>;
}

/** Starts what serves, and waits until it says where. @throws when it ends before */
export async function serve(code: string, folder: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const [program, args] = commandOf("sh", code, folder);
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  let said = "";
  const url = await new Promise<string>((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const listening = /docdouble listening on (http:\S+)/.exec(said)?.[1];
        if (listening !== undefined) found(listening);
      });
    child.once("error", failed);
    void ended.then(() => failed(new Error(`it ended before it listened: ${said}`)));
  });
  return {
    url,
    async stop() {
      try {
        // The shell, what it called and what that called.
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      } catch {
        // All of them are gone; we have only not heard of it yet.
      }
      await ended;
    },
  };
}

function commandOf(language: Language, code: string, folder: string): [program: string, args: string[]] {
  if (language === "sh") return ["bash", ["-euo", "pipefail", "-c", code]];
  if (language === "js") return [process.execPath, ["--input-type=module", "--eval", code]];
  const [file, program, ...args] = OTHERS[language];
  writeFileSync(join(folder, file), code);
  return [program, [...args, file]];
}

/** The page with the outputs that its snippets really have. An id that changed is changed in all that follows. */
export async function refresh(page: string): Promise<string> {
  const place = workplace(blocksOf(page));
  let text = page;
  for (let i = 0; i < blocksOf(text).snippets.length; i++) {
    const snippet = blocksOf(text).snippets[i] as Snippet;
    const printed = await place.run(snippet);
    if (snippet.format === "none") continue;
    const output = snippet.format === "json" ? `${JSON.stringify(JSON.parse(printed), null, 2)}\n` : printed;
    const fence = `\`\`\`${snippet.format}\n`;
    const at = text.indexOf(fence, text.indexOf(snippet.code)) + fence.length;
    text = text.slice(0, at) + output + text.slice(at + snippet.output.length);
    const [before, after] = [idOf(snippet), idOf({ ...snippet, output })];
    if (before !== undefined && after !== undefined) text = text.replaceAll(before, after);
  }
  await place.remove();
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
