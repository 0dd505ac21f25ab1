/** Turns the pages of docs/ into pages of the site. Links to files outside of docs/ lead to copies. Marks for tests are removed. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { filesIn } from "../gather.ts";

const DOCS = "docs";
/** Pages of the site whose source is outside of docs/. */
const ELSEWHERE: Readonly<Record<string, string>> = { "README.md": "index.md", "CHANGELOG.md": "changelog.md" };
/** Characters. Colors make a long file four times as large, and nobody reads such a file as a page. */
const COLORED_MAX = 20_000;
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "ts",
  mjs: "js",
  md: "md",
  yaml: "yaml",
  yml: "yaml",
  json: "json",
};

/** Every page of the site, by its path: the pages of docs/, and a copy of each file that they link to. */
export function sitePages(): Record<string, string> {
  const pages: Record<string, string> = { "decisions/index.md": decisionsPage() };
  const waiting: string[] = [];
  const own = filesIn(DOCS, ".md")
    .map((file) => posix.relative(DOCS, file))
    .filter((name) => !name.startsWith("."));
  const sources: [page: string, file: string][] = [
    ...own.map((name): [string, string] => [name, posix.join(DOCS, name)]),
    ["changelog.md", "CHANGELOG.md"],
  ];
  for (const [page, file] of sources)
    pages[page] = rewritten(withoutPlaceholders(readFileSync(file, "utf8")), file, page, waiting);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) pages[copyOf(path)] ??= copyPage(path, waiting);
  return pages;
}

/** While the account on GitHub is unknown, text whose link names its placeholder `OWNER` is plain text. */
export function withoutPlaceholders(text: string): string {
  const target = /^\[([^\]]+)\]: https:\/\/github\.com\/OWNER\/.*\n?/gm;
  const names = [...text.matchAll(target)].map(([, name = ""]) => name);
  return names.reduce((whole, name) => whole.replaceAll(`[${name}]`, name), text.replaceAll(target, ""));
}

/** The path of the page that copies a file or folder. It has no dots, because VitePress would take an ending for a file type. */
function copyOf(path: string): string {
  return `files/${path.replace(/\/$/, "").replaceAll(".", "-")}.md`;
}

/** The list of all decisions, under their titles. */
function decisionsPage(): string {
  const links = readdirSync(join(DOCS, "decisions"))
    .sort()
    .map((name) => {
      const [, title = name] = /^# (.+)$/m.exec(readFileSync(join(DOCS, "decisions", name), "utf8")) ?? [];
      return `- [${title}](/decisions/${name.replace(/\.md$/, "")})`;
    });
  return `# Decisions\n\nEach page explains one choice: what we weighed, what we measured, and what it costs.\n\n${links.join("\n")}\n`;
}

function copyPage(path: string, waiting: string[]): string {
  const title = `# ${path}\n\n`;
  if (statSync(path).isDirectory()) {
    const entries = readdirSync(path).filter((name) => statSync(join(path, name)).isFile());
    waiting.push(...entries.map((name) => posix.join(path, name)));
    const links = entries.map((name) => `- [${name}](/${copyOf(posix.join(path, name)).replace(/\.md$/, "")})`);
    return `---\nsearch: false\n---\n\n${title}The files of this folder:\n\n${links.join("\n")}\n`;
  }
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".md")) return `---\nsearch: false\n---\n\n${rewritten(text, path, copyOf(path), waiting)}`;
  const language = text.length > COLORED_MAX ? "txt" : (LANGUAGES[path.split(".").at(-1) ?? ""] ?? "sh");
  return `---\nsearch: false\n---\n\n${title}\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`;
}

/** @param file the path of the page's source in the repository */
export function rewritten(text: string, file: string, page: string, waiting: string[]): string {
  const parts = withTabs(text).split(/(^```[\s\S]*?^```$)/m);
  return parts.map((part) => (part.startsWith("```") ? withoutWords(part) : prose(part, file, page, waiting))).join("");
}

/**
 * Variants between `<!-- tabs -->` and `<!-- end: tabs -->` become tabs. Each has a heading and one block of code.
 *
 * @throws when a variant has more, which a tab cannot show
 */
function withTabs(text: string): string {
  return text.replaceAll(/<!-- tabs -->\n([\s\S]*?)<!-- end: tabs -->/g, (_, variants: string) => {
    const rest = variants.replaceAll(/^#+ [^\n]+\n+```[\s\S]*?^```$/gm, "").trim();
    if (rest !== "") throw new Error(`tabs take a heading and one block each; found: ${rest.slice(0, 100)}`);
    const blocks = variants.replaceAll(/^#+ ([^\n]+)\n+```([^\n]*)/gm, "```$2 [$1]").trim();
    return `::: code-group\n\n${blocks}\n\n:::`;
  });
}

/** Removes the words after a language, which are for tests. The title of a tab stays. */
function withoutWords(block: string): string {
  return block.replace(/^```(\w*)([^\n]*)/, (_, language: string, words: string) => {
    const title = /\[[^\]]+\]/.exec(words)?.[0];
    return `\`\`\`${language}${title === undefined ? "" : ` ${title}`}`;
  });
}

function prose(text: string, file: string, page: string, waiting: string[]): string {
  return text.replaceAll(/<!--[\s\S]*?-->\n?/g, "").replaceAll(/\]\(([^)\s]+)\)/g, (whole, target: string) => {
    if (/^(?:[a-z]+:|#|\/)/.test(target)) return whole;
    const [path = "", anchor] = target.split("#");
    const found = posix.normalize(posix.join(dirname(file), path));
    const end = anchor === undefined ? "" : `#${anchor}`;
    if (found in ELSEWHERE) return `](/${(ELSEWHERE[found] ?? "").replace(/(?:index)?\.md$/, "")}${end})`;
    if (found === `${DOCS}/${page}`) return `](${end})`;
    if (found.replace(/\/$/, "") === `${DOCS}/decisions`) return "](/decisions/)";
    const isPage = found.startsWith(`${DOCS}/`) && found.endsWith(".md");
    if (isPage) return `](/${found.slice(DOCS.length + 1).replace(/(?:(?<=^|\/)index)?\.md$/, "")}${end})`;
    // VitePress serves this folder at its root.
    if (found.startsWith(`${DOCS}/public/`)) return `](/${found.slice(`${DOCS}/public/`.length)})`;
    if (!existsSync(found)) throw new Error(`${file} links to ${target}, which does not exist`);
    waiting.push(found);
    return `](/${copyOf(found).replace(/\.md$/, "")})`;
  });
}
