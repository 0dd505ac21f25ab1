/**
 * Reads the code blocks of pages, and runs them for tests. Every block of a page must have one of these uses:
 *
 * - `sh`, `js` and `python` blocks run. A `json` or `text` block directly after such a block is its expected output. A `sh` block that only
 *   sets variables holds for all later blocks.
 * - A `yaml` block that begins with `version:`, perhaps after comments, is a scenario.
 * - A block below a comment `<!-- not run: REASON -->` does not run.
 *
 * Two words after the language change the use of a block. `file=NAME` writes it to the page's folder, for later blocks. `serves` starts a
 * server, which runs until the page ends or the next server starts. Later blocks call it.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { installed } from "../../docs/installed.ts";
import { environment, isLanguage, type Language, runIn, type Server, serve } from "./page-programs.ts";

export interface Snippet {
  /** Line of the opening fence, from 1. */
  line: number;
  language: Language;
  code: string;
  format: "json" | "text" | "none";
  output: string;
  serves: boolean;
}

const FENCE = /^```(\w*)( .*)?\n([\s\S]*?)^```$/gm;
const ASSIGNMENTS = /^(?:\w+=.*\n)+$/;
const REASON = /<!-- not run: [^\n]*\w[^\n]*-->\s*$/;
/** The address of the server in the pages. */
export const README_URL = "http://127.0.0.1:4010";

export interface Blocks {
  prelude: string;
  snippets: Snippet[];
  /** YAML blocks that are scenarios. */
  scenarios: string[];
  /** The files for the page's folder, by name. */
  files: Record<string, string>;
  /** Lines of blocks without a use: blocks that do not run and give no reason. */
  unused: number[];
}

export function blocksOf(page: string): Blocks {
  const blocks: Blocks = { prelude: "", snippets: [], scenarios: [], files: {}, unused: [] };
  let end = -1;
  for (const { 0: fence, 1: language = "", 2: words = "", 3: code = "", index } of page.matchAll(FENCE)) {
    const last = blocks.snippets.at(-1);
    const isOutput = end >= 0 && /^(?:json|text)$/.test(language) && page.slice(end, index).trim() === "";
    const file = /^ file=(\S+)$/.exec(words)?.[1];
    const line = page.slice(0, index).split("\n").length;
    end = -1;
    if (isOutput && last) Object.assign(last, { format: language, output: code });
    else if (REASON.test(page.slice(0, index))) continue;
    else if (file !== undefined) blocks.files[file] = code;
    else if (language === "yaml" && /^(?:#.*\n)*version:/.test(code)) blocks.scenarios.push(code);
    else if (language === "sh" && words === "" && ASSIGNMENTS.test(code)) blocks.prelude += code;
    else if (isLanguage(language) && /^(?: serves)?$/.test(words)) {
      blocks.snippets.push({ line, language, code, format: "none", output: "", serves: words !== "" });
      end = index + fence.length;
    } else blocks.unused.push(line);
  }
  return blocks;
}

/** A folder in which the blocks of a page run in order. It holds the page's files, the built package and an `npx` that finds it. */
export interface Workplace {
  /** Runs a block and returns its output. For a block that serves, starts the server and returns the line with its address. */
  run(snippet: Snippet): Promise<string>;
  /** Stops the server and removes the folder. */
  remove(): Promise<void>;
}

/** Packages of this project that the pages use. */
const PACKAGES = ["pandadoc-node-client", "playwright-core", "@sparticuz/chromium", "express", "msw"];

/** Programs that need no registry, and a Playwright that uses the browser of the tests. */
const STAND_INS: Record<string, string> = {
  "bin/npx": `#!/bin/sh
[ "$1" = docdouble ] && shift && exec "${process.execPath}" "${resolve("dist/cli.cjs")}" "$@"
exit 127
`,
  "bin/npm": `#!/bin/sh
[ "$1" = ci ] && exit 0
[ "$1" = start ] && exec npx docdouble
exit 127
`,
  "node_modules/playwright/index.mjs": `import packaged from "@sparticuz/chromium";
import { chromium as core } from "playwright-core";
const executablePath = process.env.CHROMIUM_PATH ?? (await packaged.executablePath());
export const chromium = { launch: () => core.launch({ executablePath, args: ["--no-sandbox"] }) };
`,
  "node_modules/playwright/package.json": `{"exports": "./index.mjs"}\n`,
};

export function workplace({ files, prelude }: Blocks): Workplace {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-docs-"));
  for (const name of PACKAGES) link(installed(name), join(folder, "node_modules", name));
  link(".", join(folder, "node_modules/docdouble"));
  for (const name of ["scenarios", "examples", "recordings"]) link(name, join(folder, name));
  // The guides share a client.
  if (files["client.mjs"] === undefined) link("docs/do/client.mjs", join(folder, "client.mjs"));
  for (const [name, text] of Object.entries({ ...STAND_INS, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const name of ["bin/npx", "bin/npm"]) chmodSync(join(folder, name), 0o755);
  let server: Server | undefined;
  const env = environment({ PATH: `${join(folder, "bin")}:${process.env.PATH}` });
  return {
    async run({ language, code, serves }) {
      const whole = language === "sh" ? prelude + code : code;
      if (serves) {
        await server?.stop();
        server = await serve(whole, folder, env);
        return `docdouble listening on ${README_URL}\n`;
      }
      const url = server?.url ?? README_URL;
      const printed = await runIn(
        folder,
        language,
        whole.replaceAll(README_URL, url),
        server ? { ...env, DOCDOUBLE_URL: url } : env,
      );
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

/** The id in a JSON answer. */
export function idOf(snippet: Snippet): string | undefined {
  if (snippet.format !== "json") return undefined;
  try {
    return (JSON.parse(snippet.output) as { id?: string }).id;
  } catch {
    return undefined;
  }
}
