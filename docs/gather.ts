/** Finds files, and compares the comments that mark assumptions with the ledger. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

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

/** The folder of the ledger. Its files name ids and implement none. */
const LEDGER = "src/service/assumptions/";
/** A mark in a comment, or the member of a refusal. */
const NAMED = /(?:\/\/|\*)[^\n]*\bassumed: ([a-z_]+\.\w+)?|\bassumption: "([^"]+)"/g;

/** The differences between the sources and the ledger, one sentence each. */
export function ledgerProblems(records: readonly { id: string }[]): string[] {
  const sources = [...filesIn("src", ".ts"), ...filesIn("src", ".js")]
    .filter((file) => !file.startsWith(LEDGER))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const known = new Set(records.map(({ id }) => id));
  const wrong = sources.flatMap(({ file, text }) =>
    [...text.matchAll(NAMED)]
      .map(([, marked, refused]) => marked ?? refused ?? "")
      .filter((id) => !known.has(id))
      .map((id) => `${file} names the assumption "${id}". Add its record to ${LEDGER}records.json, or correct the id.`),
  );
  const unused = records
    .filter(({ id }) => !sources.some(({ text }) => new RegExp(`assumed: ${id}\\b|"${id}"`).test(text)))
    .map(({ id }) => `The record ${id} names no code. Remove it, or mark the code with "assumed: ${id}".`);
  return [...wrong, ...unused];
}
