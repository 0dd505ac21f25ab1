/** Gathers the texts that readers of the code meet: comments, and titles of tests. */
import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { filesIn, testTitles } from "../gather.ts";
import { CODE } from "./sentences.ts";

const FOLDERS = ["src", "test", "bench", "docs", "fixtures", "examples", ".ci"];
const FILES = ["build.mjs", "vitest.config.ts", "test/fuzz/vitest.config.ts", "test/system/vitest.config.ts"];
const ENDINGS = [".ts", ".mts", ".mjs", ".cjs", ".js"];
/** Written by programs, not by us. */
const GENERATED = /node_modules|\.vitepress\/(?:cache|dist)|src\/library\/file-types\.ts$/;
/** Comments that programs read. */
const DIRECTIVE = /^(?:biome-ignore|@ts-|proves:|v8 ignore|assumed:|[#@]__PURE__|\/ <reference)/;

/** Code up to the next tag. */
const EXAMPLE = /@example[\s\S]*?(?=\n@|(?![\s\S]))/g;

interface Text {
  place: string;
  text: string;
}

export function textsOfCode(): Text[] {
  const files = [...FILES, ...FOLDERS.flatMap((folder) => ENDINGS.flatMap((ending) => filesIn(folder, ending)))];
  const comments = files.filter((file) => !GENERATED.test(file)).flatMap((file) => commentsIn(file, readFileSync(file, "utf8")));
  return [...comments, ...testTitles().map(({ file, title }) => ({ place: file, text: plain(title) }))];
}

/** Each paragraph and list item of the comments. Line comments on consecutive lines are one comment. */
export function commentsIn(file: string, source: string): Text[] {
  const found: { line: number; end: number; isLine: boolean; text: string }[] = [];
  for (const { type, value, start } of parseSync(file, source).comments) {
    const text =
      type === "Line"
        ? value.trim()
        : value
            .replace(/^\*/, "")
            .replaceAll(/^ *\* ?/gm, "")
            .replace(EXAMPLE, "");
    if (DIRECTIVE.test(text.trim())) continue;
    const line = source.slice(0, start).split("\n").length;
    const last = found.at(-1);
    if (type === "Line" && last?.isLine && last.end === line - 1) {
      last.text += ` ${text}`;
      last.end = line;
    } else found.push({ line, end: line, isLine: type === "Line", text });
  }
  return found.flatMap(({ line, text }) =>
    text
      .split(/\n\s*\n|\n(?=\s*(?:[-*|] |\d+\. |@))/)
      .map((part) => ({ place: `${file}:${line}`, text: plain(part) }))
      .filter((one) => one.text !== ""),
  );
}

/** Without tags, spans of code and values of a table of tests. */
function plain(text: string): string {
  return text
    .replaceAll(/`[^`]*`|\{@\w+ [^}]*\}|\$\{[^}]*\}|%[sdijo#]|\$\w+/g, CODE)
    .replaceAll(/@(?:param \w+|\w+)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
