/** Finds links of pages to files or headings that do not exist, pages without a place in the menu, and packages without a reason. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesIn } from "./gather.ts";
import { sections } from "./site/sections.ts";

const DECISIONS = "docs/decisions/README.md";
const TOP = ["README.md", "AGENTS.md", "CHANGELOG.md", "SECURITY.md", "SKILL.md", "llms.txt"];

export function pageProblems(): string[] {
  const pages = [...TOP, ...filesIn("docs", ".md")];
  const placed = sections().flatMap((section) => section.pages.map(([path]) => `docs/${path}.md`));
  return [
    ...pages.flatMap(problemsOf),
    ...filesIn("docs", ".md")
      .filter((page) => !placed.includes(page) && !page.startsWith("docs/decisions/"))
      .map((page) => `${page} has no place in docs/index.md.`),
    ...placed
      .filter((page) => !existsSync(page) && !existsSync(`dist/${page}`))
      .map((page) => `docs/index.md names ${page}, which does not exist.`),
    ...unexplained().map((name) => `The package ${name} has no line in ${DECISIONS}.`),
  ];
}

/** Packages that the page of decisions does not name. */
function unexplained(): string[] {
  const text = readFileSync(DECISIONS, "utf8");
  const names = ["", "docs/", "test/system/"].flatMap((folder) =>
    Object.keys(JSON.parse(readFileSync(`${folder}package.json`, "utf8")).devDependencies),
  );
  return names.filter((name) => !text.includes(`\`${name}\``));
}

function problemsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, target = "", anchor]) => {
    const path = target === "" ? page : join(dirname(page), target);
    const exists = existsSync(path) && (anchor === undefined || anchorsOf(proseOf(path)).includes(anchor));
    return exists ? [] : [`${page} links to ${target}${anchor === undefined ? "" : `#${anchor}`}, which does not exist.`];
  });
}

/** A page without its blocks. */
function proseOf(file: string): string {
  return readFileSync(file, "utf8").replace(/^```[\s\S]*?^```$/gm, "");
}

/** The anchors that the code host gives to headings. */
function anchorsOf(prose: string): string[] {
  const seen = new Map<string, number>();
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
}
