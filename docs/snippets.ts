/**
 * Reads the code blocks of pages, and runs them for tests. Every block of a page must have one of these uses:
 *
 * - `sh` and `js` blocks run. A `json` or `text` block after such a block is its expected output. `json` is compared as a value, so that
 *   a page can show it formatted. A `sh` block that only sets variables holds for all later blocks. Whole programs in other languages
 *   run on machines that have the language.
 * - A `yaml` block that begins with `version:`, perhaps after comments, is a scenario.
 * - Variants stand between `<!-- tabs -->` and `<!-- end: tabs -->`, each under a heading. The site shows them as tabs. An output after
 *   the tabs is the expected output of each variant.
 * - A block without a language does not run. A comment `<!-- not run: REASON -->` above it gives the reason.
 *
 * Words after the language change the use of a block:
 *
 * - `file=NAME`: the block is written to the page's folder, for later blocks.
 * - `serves`: the block starts a server, which runs until the page ends or the next server starts. Later blocks call it.
 * - one of `PLACES`: the block runs in that place, with `npm run nightly`.
 * - `same=FILE`: the block is a copy of that file, which another test runs. `npm run docs` copies it. `same=FILE#NAME` copies only the lines
 *   between `// #region NAME` and `// #endregion`.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { installed } from "./installed.ts";
import { environment, isOther, type Language, runIn, type Server, serve } from "./programs.ts";

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
 * Places for blocks that need more than their page. Such a block runs in a new clone of this repository or in an empty project of a user.
 * Or it needs a container engine or the official client of a language.
 */
export const PLACES = ["clone", "project", "engine", "client"] as const;
export type Place = (typeof PLACES)[number];

const FENCE = /^```(\w*)( .*)?\n([\s\S]*?)^```$/gm;
const ASSIGNMENTS = /^(?:\w+=.*\n)+$/;
/** The address of the server in the pages. */
export const README_URL = "http://127.0.0.1:4010";

export interface Blocks {
  prelude: string;
  snippets: Snippet[];
  /** Snippets that run in one of `PLACES`. */
  slow: Snippet[];
  /** YAML blocks that are scenarios. */
  scenarios: string[];
  /** The files for the page's folder, by name. */
  files: Record<string, string>;
  /** Lines of blocks without a use: blocks that do not run and give no reason. */
  unused: number[];
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
/** The comment that gives the reason above a block that does not run. */
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
  const blocks: Blocks = { prelude: "", snippets: [], slow: [], scenarios: [], files: {}, unused: [] };
  const outputs = outputsOf(page, fences);
  const shown = new Set(outputs.values());
  for (const fence of fences.filter((one) => !shown.has(one))) {
    const { language, words, code, line } = fence;
    const file = words.find((one) => one.startsWith("file="))?.slice("file=".length);
    const place = PLACES.find((one) => words.includes(one));
    const same = words.find((one) => one.startsWith("same="));
    const known = words.length - [file, place, same, words.includes("serves") || undefined].filter(Boolean).length === 0;
    if (!known) blocks.unused.push(line);
    else if (same !== undefined) continue;
    else if (file !== undefined) blocks.files[file] = code;
    else if (language === "sh" && words.length === 0 && ASSIGNMENTS.test(code)) blocks.prelude += code;
    else if (language === "yaml" && /^(?:#.*\n)*version:/.test(code)) blocks.scenarios.push(code);
    else if (isProgram(language)) {
      const output = outputs.get(fence);
      (place === undefined ? blocks.snippets : blocks.slow).push({
        ...{ line, language, code, serves: words.includes("serves"), ...(place === undefined ? {} : { place }) },
        ...(output ? { format: output.language as "json" | "text", output: output.code } : { format: "none", output: "" }),
      });
    } else if (language !== "" || !REASON.test(page.slice(0, fence.start))) blocks.unused.push(line);
  }
  return blocks;
}

function isProgram(language: string): language is Language {
  return language === "sh" || language === "js" || isOther(language);
}

/** Maps each program to the block with its output: the next block, or the block after its tabs. No text may stand between them. */
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

/** The page with each block `same=FILE` filled with that file. @throws when the file or its region is missing */
export function withFiles(page: string): string {
  return page.replace(
    /^(```\w+[^\n]* same=(\S+)[^\n]*\n)[\s\S]*?^```$/gm,
    (_, fence: string, file: string) => `${fence}${regionOf(file)}\n\`\`\``,
  );
}

function regionOf(place: string): string {
  const [file = "", name] = place.split("#");
  const text = readFileSync(file, "utf8");
  if (name === undefined) return text.trimEnd();
  const region = new RegExp(`^ *// #region ${name}\\n([\\s\\S]*?)^ *// #endregion`, "m").exec(text)?.[1];
  if (region === undefined)
    throw new Error(`${file} has no region ${name}. Put // #region ${name} and // #endregion around its lines.`);
  const indent = /^ */.exec(region)?.[0] ?? "";
  return region.replace(new RegExp(`^${indent}`, "gm"), "").trimEnd();
}

/** A folder in which the blocks of a page run in order. It holds the page's files, the built package and an `npx` that finds it. */
export interface Workplace {
  readonly folder: string;
  /** Runs a block and returns its output. For a block that serves, starts the server and returns the line with its address. */
  run(snippet: Snippet): Promise<string>;
  /** Stops the server and removes the folder. */
  remove(): Promise<void>;
}

/** Packages of this project that the pages use. */
const PACKAGES = [
  "pandadoc-node-client",
  "pandadoc-signing",
  "pandadoc-editor",
  "playwright-core",
  "@sparticuz/chromium",
  "express",
  "msw",
];

/** Files that replace programs: an `npx` that needs no registry, and a Playwright that uses the browser of the tests. */
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
  const links = [["docdouble", "."], ...PACKAGES.map((name) => [name, installed(name)])] as const;
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

/** Runs the snippets of a page. Returns the page with their real outputs, and replaces each changed id everywhere. */
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

/** The id in a JSON answer. */
export function idOf(snippet: Snippet): string | undefined {
  if (snippet.format !== "json") return undefined;
  try {
    return (JSON.parse(snippet.output) as { id?: string }).id;
  } catch {
    return undefined;
  }
}
