/**
 * The lines of a data file. A line is a list of changes in JSON: each is the path of a value, and the value. Null removes what the path
 * leads to.
 */
import { getOrMake } from "../core/maps.ts";
import { parseLeniently } from "../core/text.ts";

/** Values by tenant, kind, collection and id. */
export type Saved = Map<string, unknown>;

const DEPTH = 4;
const BLOCK_CHARACTERS = 1024 * 1024;

type Change = [...path: string[], value: unknown];

/** A whole map as the removal of its earlier values, and a change for each value. */
function* changesOf(path: readonly string[], value: unknown): Iterable<Change> {
  yield [...path, value instanceof Map ? null : (value ?? null)];
  if (value instanceof Map) for (const [name, inner] of value as Saved) yield* changesOf([...path, name], inner);
}

/** The values that `saved` has at these paths now. */
export function lineOf(saved: Saved, paths: Iterable<readonly string[]>): Buffer {
  const valueAt = (path: readonly string[]) =>
    path.reduce<unknown>((node, name) => (node as Saved | undefined)?.get(name), saved);
  return Buffer.from(`${JSON.stringify([...paths].flatMap((path) => [...changesOf(path, valueAt(path))]))}\n`);
}

/** The whole state as lines, each with one value. */
export function* blocksOf(saved: Saved): Iterable<Buffer> {
  let block = "";
  for (const [tenant, kinds] of saved)
    for (const change of changesOf([tenant], kinds)) {
      if (change.at(-1) === null) continue;
      block += `${JSON.stringify([change])}\n`;
      if (block.length < BLOCK_CHARACTERS) continue;
      yield Buffer.from(block);
      block = "";
    }
  yield Buffer.from(block);
}

/** `damaged` is the number of a line that cannot be read. `torn` is that of a last line without its end, whose change counts not. */
export function readLines(bytes: Buffer): { saved: Saved; damaged?: number; torn?: number } {
  const saved: Saved = new Map();
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const end = bytes.indexOf("\n", start);
    const text = bytes.toString("utf8", start, end < 0 ? bytes.length : end);
    const changes = parseLeniently(text);
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

function isChange(change: unknown): change is Change {
  if (!Array.isArray(change) || change.length < 2 || change.length > DEPTH + 1) return false;
  return change.slice(0, -1).every((name) => typeof name === "string");
}

function assign(saved: Saved, path: readonly string[], value: unknown): void {
  const [parents, last] = [path.slice(0, -1), path.at(-1) as string];
  if (value !== null) mapAt(saved, parents).set(last, value);
  else parents.reduce<Saved | undefined>((node, name) => node?.get(name) as Saved | undefined, saved)?.delete(last);
}

/** The map at a path, which is made when it is missing. */
export function mapAt(saved: Saved, path: readonly string[]): Saved {
  return path.reduce((node, name) => getOrMake(node as Map<string, Saved>, name, () => new Map()), saved);
}
