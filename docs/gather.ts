/** Gathers the material of generated pages: comments of the sources, and titles and marks of the tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A comment `assumed: area.subject`, which marks the code that implements an assumption. */
export interface AssumptionMark {
  file: string;
  /** The declaration around or below the comment. Unlike a line number, it stays when lines move. */
  anchor: string;
  /** Undefined when the comment names no id. */
  id: string | undefined;
  text: string;
}

export interface TestTitle {
  file: string;
  title: string;
  /** The lines from this title to the next one. */
  source: string;
  /** Ids of the specification rules that the test claims to prove. */
  proves: string[];
}

/** Files below `folder` whose names end with `ending`, sorted. The files of installed packages do not count. */
export function filesIn(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(path, ending);
      return entry.isFile() && entry.name.endsWith(ending) ? [path] : [];
    })
    .sort();
}

const DECLARATION =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/;
const OPERATION_ID = /^\s{4}id: "(\w+)"/;

/** The folder of the ledger. Its files name ids and implement none. */
const LEDGER = "src/service/assumptions/";

/** Every `assumed:` comment of the sources. */
export function assumptionMarks(): AssumptionMark[] {
  return sources().flatMap(({ file, source }) => marksOf(file, source));
}

function sources(): { file: string; source: string }[] {
  return [...filesIn("src", ".ts"), ...filesIn("src", ".js")]
    .filter((file) => !file.startsWith(LEDGER))
    .map((file) => ({ file, source: readFileSync(file, "utf8") }));
}

export function marksOf(file: string, source: string): AssumptionMark[] {
  const lines = source.split("\n");
  const found: AssumptionMark[] = [];
  let anchor = "head of the file";
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    anchor = DECLARATION.exec(line)?.[1] ?? OPERATION_ID.exec(line)?.[1] ?? anchor;
    const comment = commentAt(lines, i);
    if (!comment) continue;
    // A comment that begins in the first column belongs to the declaration below it.
    const below = /^\S/.test(line) ? DECLARATION.exec(lines[comment.end + 1] ?? "")?.[1] : undefined;
    for (const text of comment.text.split(/\bassumed: /).slice(1))
      found.push({ file, anchor: below ?? anchor, id: /^[a-z_]+\.\w+/.exec(text)?.[0], text });
    i = comment.end;
  }
  return found;
}

/** The differences between the comments and the ledger, one sentence each. */
export function ledgerProblems(records: readonly { id: string }[], marks = assumptionMarks(), all = sources()): string[] {
  const known = new Set(records.map((one) => one.id));
  const unknown = marks
    .filter(({ id }) => id === undefined || !known.has(id))
    .map(({ file, anchor, id, text }) => {
      const named = id === undefined ? `"${text.slice(0, 40)}" without an id` : `the unknown id ${id}`;
      return `${file}: the comment at ${anchor} assumes ${named}. Add a record to src/service/assumptions/ledger/ and write "assumed: area.subject".`;
    });
  const misnamed = all.flatMap(({ file, source }) =>
    [...source.matchAll(/\bassumption: "([^"]+)"/g)]
      .filter(([, id]) => !known.has(id ?? ""))
      .map(
        ([, id]) =>
          `${file}: a refusal names the unknown assumption ${id}. Use the id of a record in src/service/assumptions/ledger/.`,
      ),
  );
  const marked = new Set(marks.map(({ id }) => id));
  const unused = records
    .filter(({ id }) => !marked.has(id) && !all.some(({ source }) => source.includes(`"${id}"`)))
    .map(({ id }) => `The record ${id} names no code. Remove it, or mark the code with "assumed: ${id}".`);
  return [...unknown, ...misnamed, ...unused];
}

/** The comment that begins in line `start`, joined to one line of text. */
function commentAt(lines: readonly string[], start: number): { text: string; end: number } | undefined {
  const first = (lines[start] ?? "").trim();
  let end = start;
  if (first.startsWith("/*")) {
    while (end < lines.length - 1 && !lines[end]?.includes("*/")) end++;
  } else if (first.startsWith("//")) {
    while (lines[end + 1]?.trim().startsWith("//")) end++;
  } else return undefined;
  const text = lines
    .slice(start, end + 1)
    .map((line) =>
      line
        .trim()
        .replace(/^(\/\*\*?|\*\/|\*|\/\/)\s?/, "")
        .replace(/\s*\*\/$/, ""),
    )
    .join(" ");
  return { text: text.trim(), end };
}

// The formatter may put the title on the next line. A table may come before it: `it.each(…)(`, or the end of a table, `])(`.
const TITLE =
  /^\s*(?:(?:it|test|describe)(?:\.\w+)*(?:\((?:(?:[^"'`\n]*|\[[^\n]*\](?: as const)?)\)\()?\s*)|\](?: as const)?\)\(\s*)(["'`])((?:\\.|(?!\1).)*)\1/;
const PROVES = /\/\/ proves: (.+)$/;

/** Titles of tests, and the marks above or inside these tests. */
export function testTitles(folder = "test"): TestTitle[] {
  return filesIn(folder, ".test.ts").flatMap((file) => titlesOf(file, readFileSync(file, "utf8")));
}

export function titlesOf(file: string, source: string): TestTitle[] {
  const lines = source.split("\n");
  const titles: TestTitle[] = [];
  let above: string[] = [];
  for (const [i, line] of lines.entries()) {
    const marks = PROVES.exec(line)?.[1]?.match(/spec:[\w-]+/g) ?? [];
    const match = TITLE.exec(/\($/.test(line) ? `${line}${lines[i + 1] ?? ""}` : line);
    if (match) {
      titles.push({ file, title: (match[2] ?? "").replace(/\\(.)/g, "$1"), source: "", proves: above });
      above = [];
    }
    const current = titles.at(-1);
    if (current) current.source += `${line}\n`;
    if (marks.length === 0) continue;
    // A mark above a test stands before its call or before another mark. Any other mark belongs to the current test.
    const next = lines.slice(i + 1).find((one) => !PROVES.test(one)) ?? "";
    if (TITLE.test(next) || /^\s*(?:it|test|describe)\b/.test(next) || !current) above.push(...marks);
    else current.proves.push(...marks);
  }
  return titles;
}
