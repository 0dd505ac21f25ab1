/** Gathers the comments of the sources that mark assumptions, and compares them with the ledger. */
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
