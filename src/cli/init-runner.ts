/** Writes a helper and an example test for a test runner into the current project. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inPackage } from "../engine/core/package-root.ts";
import { writeNewFiles } from "./new-files.ts";

const TEMPLATES = inPackage("examples/runners/");

const COMMANDS = {
  pytest: "pytest tests",
  phpunit: "phpunit tests",
  rspec: "rspec",
  go: "go test ./docdoubletest",
  vitest: "npx vitest run",
  jest: "npx jest",
} as const;

type Runner = keyof typeof COMMANDS;

export const RUNNERS = Object.keys(COMMANDS) as Runner[];

export const isRunner = (name: string): name is Runner => Object.hasOwn(COMMANDS, name);

/** Overwrites nothing. Returns the exit code: 2 when a file exists already, or cannot be written. */
export function initRunner(runner: Runner, { json = false }: { json?: boolean } = {}): 0 | 2 {
  const files = filesOf(runner);
  const code = writeNewFiles(files, "Move or delete these files first.");
  if (code !== 0) return code;
  const names = [...files.keys()];
  const commands = { test: COMMANDS[runner], run: `npx docdouble run --clock auto -- ${COMMANDS[runner]}` };
  const text = [
    `wrote ${names.join(", ")}`,
    "",
    "Run the example:",
    `  ${commands.test}`,
    "It starts docdouble by itself. To use one server for all tests, and to see each call:",
    `  ${commands.run}`,
  ].join("\n");
  process.stdout.write(`${json ? JSON.stringify({ files: names, commands }, null, 2) : text}\n`);
  return 0;
}

/** The texts by name, relative to the working directory. */
function filesOf(runner: Runner): Map<string, string> {
  const templates = new URL(`${runner}/`, TEMPLATES);
  const names = readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(fileURLToPath(templates).length).replaceAll("\\", "/"))
    .sort();
  const files = new Map(names.map((name) => [name, readFileSync(new URL(name, templates), "utf8")]));
  // Jest and Go refuse to run outside a package.
  if (runner === "jest" && !isBelow("package.json")) files.set("package.json", '{ "private": true }\n');
  if (runner === "jest" && isModule()) return commonJs(files);
  // The template has its own, so that `go test ./...` of a project skips the copy in `node_modules`.
  if (runner === "go" && isBelow("go.mod")) files.delete("go.mod");
  return files;
}

/** In a package of ES modules: a folder of CommonJS modules, because Jest 29 finds no test whose name ends in `.cjs`. */
function commonJs(files: ReadonlyMap<string, string>): Map<string, string> {
  const moved = [...files].map(([name, text]): [string, string] => [name.replace(/^test\//, "test/docdouble/"), text]);
  return new Map([["test/docdouble/package.json", '{ "private": true, "type": "commonjs" }\n'], ...moved]);
}

function isModule(): boolean {
  try {
    return (JSON.parse(readFileSync("package.json", "utf8")) as { type?: unknown }).type === "module";
  } catch {
    return false;
  }
}

/** Whether the working directory or a folder above has the file. */
function isBelow(name: string): boolean {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return true;
    if (folder === dirname(folder)) return false;
  }
}
