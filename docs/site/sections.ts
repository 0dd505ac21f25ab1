/** The menu of the site: the table of contents in docs/index.md, and the lists in dist/docs/ that docdouble prints. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { filesIn } from "../gather.ts";

/** All words of a search must occur, at least as beginnings of words. */
export const SEARCH = { combineWith: "AND", fuzzy: false, prefix: true } as const;

export interface Section {
  title: string;
  /** Pages without their ending, each with its title. */
  pages: [path: string, title: string][];
}

export function sections(): Section[] {
  const parts = readFileSync("docs/index.md", "utf8").split(/^## /m).slice(1);
  const written = parts.map((part) => ({
    title: part.slice(0, part.indexOf("\n")),
    pages: [...part.matchAll(/^- \[(.+?)\]\((.+?)\.md\)/gm)].map(([, title = "", path = ""]): [string, string] => [path, title]),
  }));
  const printed = filesIn("dist/docs", ".md").map((file): [string, string] => [
    basename(file, ".md"),
    /^# (.+)/.exec(readFileSync(file, "utf8"))?.[1] ?? file,
  ]);
  return [
    { title: "docdouble", pages: [["index", "What docdouble is"]] },
    ...written.filter(({ pages }) => pages.length > 0),
    { title: "Printed lists", pages: printed },
  ];
}
