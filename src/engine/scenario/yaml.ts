import { createRequire } from "node:module";
import type { Document as YamlTree } from "yaml";
import { isDeep, parseLeniently } from "../core/text.ts";
import { type Diagnostic, ScenarioError } from "./error.ts";

type Yaml = typeof import("yaml");

let loaded: Yaml | undefined;

export function yamlLibrary(): Yaml {
  // build.mjs replaces this module name by the shipped file. The library is a seventh of the code that a start would load.
  loaded ??= createRequire(import.meta.url)("yaml") as Yaml;
  return loaded;
}

/** Much deeper nesting overflows the parser's stack. */
const DEPTH_MAX = 100;
const LENGTH_MAX = 32 * 1024 * 1024;
/** Of YAML while other calls of a server wait: the parser needs some 0.1 s for it. */
const SHARED_LENGTH_MAX = 128 * 1024;
/** Counts the values that aliases repeat. */
const ALIASES_MAX = 1000;

export type Path = (string | number)[];

export interface Read {
  raw: unknown;
  /** The place of the value at `path`, or of the name `key` in it. A missing value takes the place of its nearest parent. */
  place(message: string, path: Path, key?: string): Diagnostic;
}

/**
 * Reads JSON, or YAML, in which `<<` merges. Only YAML, and the place of a mistake, need the slow parser.
 *
 * @param isShared whether other calls of a server wait meanwhile
 * @throws ScenarioError
 */
export function readText(text: string, file: string, isShared = false): Read {
  const refuse = (message: string, at = 0) => {
    const lines = text.slice(0, at).split("\n");
    return new ScenarioError([{ file, line: lines.length, column: (lines.at(-1) as string).length + 1, message }]);
  };
  if (text.length > LENGTH_MAX) throw refuse("The file has more than 32 MiB. Split it with include.");
  if (isDeep(text, DEPTH_MAX)) throw refuse(`The file is nested deeper than ${DEPTH_MAX} levels.`);
  const { index: unsafe } = /["']?__proto__["']?\s*:/.exec(text) ?? {};
  if (unsafe !== undefined) throw refuse("A member cannot be named __proto__. Choose another name.", unsafe);
  const parsed = /^\s*[{[]/.test(text) ? parseLeniently(text) : undefined;
  const isLong = isShared && text.length > SHARED_LENGTH_MAX;
  // A name that stands twice adds a colon to the text, and none to the value. The reader of YAML refuses it with its place.
  const json = isLong || colonsIn(text) === colonsIn(JSON.stringify(parsed) ?? "") ? parsed : undefined;
  if (json === undefined && isLong) throw refuse("The YAML has more than 128 KiB. Write it as JSON.");
  if (json === undefined) return readYaml(text, file);
  let yaml: Read | undefined;
  return {
    raw: json,
    place(...asked) {
      if (isLong) return { file, line: 1, column: 1, message: asked[0] };
      yaml ??= readYaml(text, file);
      return yaml.place(...asked);
    },
  };
}

function colonsIn(text: string): number {
  return text.match(/:|\\u003a/gi)?.length ?? 0;
}

/** @throws ScenarioError */
function readYaml(text: string, file: string): Read {
  const { LineCounter, parseDocument } = yamlLibrary();
  const lineCounter = new LineCounter();
  const at = (offset: number, message: string): Diagnostic => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line, column: col, message };
  };
  try {
    const tree = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true, merge: true });
    const found = tree.errors.map(({ message, pos }) => at(pos[0], message));
    // One slip makes several errors in its line. The first one is nearest to it.
    const broken = found.filter((one, i) => found.findIndex((other) => other.line === one.line) === i);
    if (broken.length > 0) throw new ScenarioError(broken);
    const raw: unknown = tree.toJS({ maxAliasCount: ALIASES_MAX });
    if (text.includes("&") && isCircular(raw)) throw new ReferenceError("An alias is inside the value that it repeats");
    return { raw, place: (message, path, key) => at(offsetOf(tree, path, key), message) };
  } catch (error) {
    if (error instanceof RangeError) throw new ScenarioError([at(0, "The file is nested too deep.")]);
    if (!(error instanceof ReferenceError)) throw error;
    // An alias that is unknown, inside its own value, or repeats too much.
    const alias = /\*?([^\s:*]+)$/.exec(error.message)?.[1];
    throw new ScenarioError([at(Math.max(0, text.indexOf(`*${alias}`)), error.message)]);
  }
}

function isCircular(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}

function offsetOf(tree: YamlTree, path: Path, key?: string): number {
  const { isMap, isScalar } = yamlLibrary();
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? tree.contents : tree.getIn(path.slice(0, length), true);
    if (key !== undefined && length === path.length && isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const range = (node as { range?: [number, number, number] } | null)?.range;
    if (range) return range[0];
  }
  return 0;
}
