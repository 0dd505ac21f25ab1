/** Turns the pages of docs/ and the printed lists of dist/docs/ into pages of the site. A link to a file of the repository becomes text. */
import { readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { filesIn } from "../gather.ts";

const FOLDERS = ["docs", "dist/docs"];
const ENDING = /(?:(?<=^|\/)index)?\.md$/;

/** Every page of the site, by its path. */
export function sitePages(): Record<string, string> {
  return Object.fromEntries(
    FOLDERS.flatMap((folder) =>
      filesIn(folder, ".md")
        .filter((file) => !file.startsWith("docs/decisions/"))
        .map((file) => [posix.relative(folder, file), rewritten(readFileSync(file, "utf8"), file)]),
    ),
  );
}

/** @param file the path of the page in the repository */
function rewritten(text: string, file: string): string {
  const parts = text.split(/(^```[\s\S]*?^```$)/m);
  return parts.map((part) => (part.startsWith("```") ? withoutWords(part) : prose(part, file))).join("");
}

/** Removes the words after a language, which are for tests. */
function withoutWords(block: string): string {
  return block.replace(/^```(\w*)[^\n]*/, "```$1");
}

function prose(text: string, file: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->\n?/g, "").replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, shown, target: string) => {
    if (/^(?:[a-z]+:|#|\/)/.test(target)) return whole;
    const [path = "", anchor] = target.split("#");
    const found = posix.normalize(posix.join(dirname(file), path));
    const end = anchor === undefined ? "" : `#${anchor}`;
    if (found === "README.md") return `[${shown}](/${end})`;
    const folder = FOLDERS.find(
      (one) => found.startsWith(`${one}/`) && found.endsWith(".md") && !found.startsWith("docs/decisions/"),
    );
    return folder === undefined ? shown : `[${shown}](/${posix.relative(folder, found).replace(ENDING, "")}${end})`;
  });
}
