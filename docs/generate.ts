/**
 * `npm run docs` writes the generated pages. With `--check` it writes nothing, and fails when a page is out of date. With `--run` it first
 * runs the commands of README, tutorial and scenarios on the built package, and writes their output. In a page that people also write, it
 * replaces only the text between markers.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { pages } from "./pages.ts";
import { refresh } from "./snippets.ts";

const check = process.argv.includes("--check");
if (process.argv.includes("--run"))
  for (const page of ["README.md", "docs/tutorial.md", "docs/scenarios.md"]) writeFileSync(page, await refresh(read(page)));

const stale: string[] = [];
for (const [file, text] of Object.entries(pages(read))) keep(file, text);
if (stale.length === 0) process.stdout.write("docs: unchanged\n");
else process.stdout.write(`${stale.map((file) => `${file}: ${check ? "out of date" : "written"}`).join("\n")}\n`);
if (check && stale.length > 0) {
  process.stdout.write("Run npm run docs and commit what it writes.\n");
  process.exitCode = 1;
}

function keep(file: string, text: string): void {
  if (read(file) === text) return;
  stale.push(file);
  if (!check) writeFileSync(file, text);
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
