// Counts how large each part of the project is, and fails when one is above its figure in size.json. Comments and layout count nothing, so
// joined lines make nothing smaller. With --write it lowers the figures to what was counted. It never raises one: raise it by hand, with a
// decision that says for whom.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FIGURES = new URL("./size.json", import.meta.url);
const CODE = /\.(?:ts|tsx|mts|cts|mjs|js|cjs)$/;
/** Comments, texts, names, numbers, operators and other signs, in this order. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|=>|[-+*/%&|^!=<>?.]+|[^\s\w]/gu;

/** Tokens of a program. A text counts one for each 40 characters that it begins. */
function tokensOf(program) {
  let count = 0;
  for (const [token] of program.matchAll(TOKEN)) {
    if (/^\/[/*]/.test(token)) continue;
    count += /^["'`]/.test(token) ? 1 + Math.floor(token.length / 40) : 1;
  }
  return count;
}

/** The parts that a file counts for, each with its amount. */
function sharesOf(file, text) {
  const [top, second, third] = file.split("/");
  if (top === "src" && /\.(?:css|js)$/.test(file)) return { "styles and scripts (lines)": text.split("\n").length - 1 };
  if (file.endsWith(".md") && (top === "docs" || second === undefined))
    return /<!-- (?:Written|Generated) by /i.test(text.slice(0, 400)) ? {} : { "words written": text.split(/\s+/).length };
  if (!CODE.test(file)) return {};
  if (top === "docs") return { "docs programs": tokensOf(text) };
  if (top === "src") return { src: tokensOf(text), ...(third !== undefined && { [`src/${second}`]: tokensOf(text) }) };
  return ["test", "bench", ".ci"].includes(top) ? { [top]: tokensOf(text) } : {};
}

const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8", maxBuffer: 2 ** 26 });
const sizes = {};
for (const file of files.split("\0").filter((name) => name && existsSync(name)))
  for (const [part, size] of Object.entries(sharesOf(file, readFileSync(file, "utf8")))) sizes[part] = (sizes[part] ?? 0) + size;

const most = JSON.parse(readFileSync(FIGURES, "utf8"));
for (const part of Object.keys(most)) {
  if ((sizes[part] ?? 0) <= most[part]) continue;
  console.error(
    `${part} has ${sizes[part]}, and .ci/size.json allows ${most[part]}. Take something away, or say in a decision for whom it grows.`,
  );
  process.exitCode = 1;
}
if (process.argv.includes("--write")) {
  const lowered = Object.fromEntries(Object.entries(most).map(([part, figure]) => [part, Math.min(figure, sizes[part] ?? 0)]));
  writeFileSync(FIGURES, `${JSON.stringify(lowered, null, 2)}\n`);
}
if (process.exitCode === undefined) console.log(`sizes hold: src has ${sizes.src} tokens of ${most.src}`);
