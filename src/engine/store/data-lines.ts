/**
 * The lines of a data file. A line is a list of changes in JSON: each is the path of a value, and the value, which is null where it was
 * removed.
 */
import { records } from "./store.ts";

/** Values by tenant, kind, collection and id. */
export type Saved = Record<string, Record<string, Record<string, Record<string, unknown>>>>;

type Tree = Record<string, unknown>;

const DEPTH = 4;
const BLOCK_CHARACTERS = 1024 * 1024;

/** The values that `saved` has at these paths now. */
export function lineOf(saved: Saved, paths: Iterable<readonly string[]>): Buffer {
  const valueAt = (path: readonly string[]) => path.reduce<unknown>((node, name) => (node as Tree | undefined)?.[name], saved);
  return Buffer.from(`${JSON.stringify([...paths].map((path) => [...path, valueAt(path)]))}\n`);
}

/** The whole state as lines, each with one value. */
export function* blocksOf(saved: Saved): Iterable<Buffer> {
  let block = "";
  for (const [tenant, kinds] of Object.entries(saved))
    for (const [kind, collections] of Object.entries(kinds))
      for (const [collection, values] of Object.entries(collections))
        for (const [id, value] of Object.entries(values)) {
          block += `${JSON.stringify([[tenant, kind, collection, id, value]])}\n`;
          if (block.length < BLOCK_CHARACTERS) continue;
          yield Buffer.from(block);
          block = "";
        }
  yield Buffer.from(block);
}

/** `damaged` is the number of a line that cannot be read. `torn` is that of a last line without its end, whose change counts not. */
export function readLines(bytes: Buffer): { saved: Saved; damaged?: number; torn?: number } {
  const saved: Saved = records();
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const end = bytes.indexOf("\n", start);
    const text = bytes.toString("utf8", start, end < 0 ? bytes.length : end);
    const changes = parsed(text);
    if (changes === undefined) {
      // Only a process that ended in the middle of a write leaves a line without its end.
      const isTorn = end < 0 && (number > 1 || '[["'.startsWith(text.slice(0, 3)));
      return isTorn ? { saved, torn: number } : { saved, damaged: number };
    }
    if (!Array.isArray(changes) || !changes.every(isChange)) return { saved, damaged: number };
    for (const change of changes) assign(saved, change.slice(0, -1) as string[], change.at(-1));
    start = end < 0 ? bytes.length : end + 1;
  }
  return { saved };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isChange(change: unknown): change is unknown[] {
  if (!Array.isArray(change) || change.length < 2 || change.length > DEPTH + 1) return false;
  return change.slice(0, -1).every((name) => typeof name === "string");
}

function assign(saved: Tree, path: readonly string[], value: unknown): void {
  let node = saved;
  for (const name of path.slice(0, -1)) {
    const next = node[name] as Tree | undefined;
    if (next === undefined && value === null) return;
    // A record without a prototype, because an id may be __proto__.
    node[name] = next && Object.getPrototypeOf(next) === null ? next : records(next);
    node = node[name] as Tree;
  }
  const last = path.at(-1) as string;
  if (value === null) delete node[last];
  else node[last] = value;
}
