import { createRequire } from "node:module";
import type { Document as YamlTree } from "yaml";
import { type Diagnostic, ScenarioError } from "./error.ts";
import { plainSyntax } from "./plain-syntax.ts";

type Yaml = typeof import("yaml");

let loaded: Yaml | undefined;

export function yamlLibrary(): Yaml {
  // build.mjs replaces this module name by the shipped file. The library is a seventh of the code that a start would load.
  loaded ??= createRequire(import.meta.url)("yaml") as Yaml;
  return loaded;
}

/** Much deeper nesting overflows the parser's stack. */
const DEPTH_MAX = 50;
const MIB = 1024 * 1024;
/** In characters. JSON parses about ten times as fast as other YAML. */
const JSON_LENGTH_MAX = 32 * MIB;
const YAML_LENGTH_MAX = 4 * MIB;
/** Parsing time depends on separators more than on letters. */
const SIGNS_MAX = 300_000;
/** While a server answers other calls. The YAML library needs 0.1 s for them. */
const SHARED_SIGNS_MAX = 10_000;
/** Values count after each alias is expanded. */
const ALIASES_MAX = 1000;
const VALUES_MAX = 500_000;

export interface Read {
  tree: YamlTree;
  raw: unknown;
  place(offset: number, message: string): Diagnostic;
}

/**
 * Reads YAML, or JSON, which is YAML too. `<<` merges. Valid JSON takes a fast path, which is a hundred times faster. Positions are
 * computed on demand.
 * @param isShared whether a server reads it, whose other calls wait meanwhile. Then YAML has a lower limit, and long JSON has no positions
 * @throws ScenarioError
 */
export function readText(text: string, file: string, isShared = false): Read {
  if (text.length > JSON_LENGTH_MAX) throw tooLong(text, file, JSON_LENGTH_MAX);
  const raw = plainJson(text);
  if (raw === undefined && text.length > YAML_LENGTH_MAX) throw tooLong(text, file, YAML_LENGTH_MAX);
  if (raw === undefined) refuseDense(text, file, isShared);
  if (raw === undefined) return readYaml(text, file);
  if (isShared && signOver(text, SHARED_SIGNS_MAX) !== undefined)
    return { tree: new (yamlLibrary().Document)(), raw, place: (_, message) => ({ file, line: 1, column: 1, message }) };
  let whole: Read | undefined;
  const read = () => {
    whole ??= readYaml(text, file);
    return whole;
  };
  return {
    get tree() {
      return read().tree;
    },
    raw,
    place: (offset, message) => read().place(offset, message),
  };
}

function tooLong(text: string, file: string, lengthMax: number): ScenarioError {
  const size = `${(text.length / MIB).toFixed(1)} MiB`;
  const message = `The file has ${size}. A YAML file may have ${YAML_LENGTH_MAX / MIB} MiB, a JSON file ${JSON_LENGTH_MAX / MIB} MiB. Split it with include.`;
  const lines = text.slice(0, lengthMax).split("\n");
  return new ScenarioError([{ file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message }]);
}

function refuseDense(text: string, file: string, isShared: boolean): void {
  const most = isShared ? SHARED_SIGNS_MAX : SIGNS_MAX;
  const at = signOver(text, most);
  if (at === undefined) return;
  const lines = text.slice(0, at).split("\n");
  const message = `The file has more than ${most.toLocaleString("en")} separators of values. Write it as JSON${isShared ? "" : ", or split it with include"}.`;
  throw new ScenarioError([{ file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message }]);
}

/** The place of the first separator beyond `most`. */
function signOver(text: string, most: number): number | undefined {
  let signs = 0;
  for (let i = 0; i < text.length; i++) if (SIGNS.has(text.charCodeAt(i)) && ++signs > most) return i;
  return undefined;
}

const SIGNS = new Set([...",:[{-?&*"].map((sign) => sign.charCodeAt(0)));

/** The value of JSON that means the same in YAML: no deep nesting, no duplicate names. Undefined for other texts. */
function plainJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text) || text.includes("__proto__")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // A duplicate name adds colons to the text, but none to the value.
  const escaped = text.match(/\\u003a/gi)?.length ?? 0;
  return colonsOf(value, 0) === colonsIn(text) + escaped ? value : undefined;
}

/** The colons of a value's JSON: one for each member, and those in names and texts. NaN for deep values. */
function colonsOf(value: unknown, depth: number): number {
  if (typeof value === "string") return colonsIn(value);
  if (typeof value !== "object" || value === null) return 0;
  if (depth >= DEPTH_MAX) return Number.NaN;
  let colons = 0;
  if (Array.isArray(value)) for (const item of value) colons += colonsOf(item, depth + 1);
  else for (const name in value) colons += 1 + colonsIn(name) + colonsOf((value as Record<string, unknown>)[name], depth + 1);
  return colons;
}

function colonsIn(text: string): number {
  let colons = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) colons++;
  return colons;
}

function readYaml(text: string, file: string): Read {
  const { Composer, LineCounter, Parser } = yamlLibrary();
  const lines = new LineCounter();
  const place = (offset: number, message: string): Diagnostic => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, message };
  };
  // Both checks share one token list, because lexing is most of the work.
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = deepest(tokens);
  if (tooDeep !== undefined) throw new ScenarioError([place(tooDeep, `nested deeper than ${DEPTH_MAX} levels`)]);
  const composer = new Composer({ prettyErrors: false, uniqueKeys: true, merge: true });
  const [tree, second] = [...composer.compose(tokens, true, text.length)];
  if (!tree) throw new ScenarioError([place(0, "a file must be a map of names; it is empty")]);
  const found = tree.errors.map(({ message, pos }) => place(pos[0], plainSyntax(message)));
  // One slip makes several errors in its line. The first one is nearest to it.
  const broken = found.filter((one, i) => found.findIndex((other) => other.line === one.line) === i);
  if (second) broken.push(place(second.range[0], "one file is one document"));
  if (broken.length > 0) throw new ScenarioError(broken);
  const wrong = aliasMistakes(tree as unknown as YamlTree, place);
  if (wrong.length > 0) throw new ScenarioError(wrong);
  // The checks above already bound aliases.
  return { tree: tree as unknown as YamlTree, raw: tree.toJS({ maxAliasCount: -1 }), place };
}

/**
 * Aliases may be unknown, recursive, too many, or too large when expanded. One walk in text order meets each anchor before its
 * aliases.
 */
function aliasMistakes(tree: YamlTree, place: (offset: number, message: string) => Diagnostic): Diagnostic[] {
  const { isAlias, isCollection, isPair } = yamlLibrary();
  const mistakes: Diagnostic[] = [];
  /** Undefined while the walk is inside the anchor's value. */
  const sizes = new Map<string, number | undefined>();
  let aliases = 0;
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) {
      const offset = node.range?.[0] ?? 0;
      if (++aliases > ALIASES_MAX) {
        if (aliases === ALIASES_MAX + 1) mistakes.push(place(offset, `There are more than ${ALIASES_MAX} aliases in the file.`));
        return 0;
      }
      const size = sizes.get(node.source);
      if (size !== undefined) return size;
      mistakes.push(
        place(
          offset,
          sizes.has(node.source)
            ? `*${node.source} is inside the value that it repeats`
            : `there is no &${node.source} before *${node.source}`,
        ),
      );
      return 0;
    }
    if (isPair(node)) {
      const name = node.key as { value?: unknown; range?: [number, number, number] } | null;
      if (name?.value === "__proto__")
        mistakes.push(place(name.range?.[0] ?? 0, "A member cannot be named __proto__. Choose another name."));
      return sizeOf(node.key) + sizeOf(node.value);
    }
    const { anchor, range } = (node ?? {}) as { anchor?: string; range?: [number, number, number] };
    if (anchor !== undefined) sizes.set(anchor, undefined);
    let size = 1;
    if (isCollection(node)) for (const item of node.items) size += sizeOf(item);
    if (size > VALUES_MAX) {
      mistakes.push(
        place(range?.[0] ?? 0, `The file has more than ${VALUES_MAX.toLocaleString("en")} values once its aliases are expanded.`),
      );
      size = 0;
    }
    if (anchor !== undefined) sizes.set(anchor, size);
    return size;
  };
  sizeOf(tree.contents);
  return mistakes;
}

interface Token {
  offset?: number;
  value?: unknown;
  key?: unknown;
  items?: unknown;
}

/** The offset of the first token that nests too deep. Keeps its own stack. */
function deepest(tokens: readonly unknown[]): number | undefined {
  const waiting = tokens.map((token) => ({ token: token as Token, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { token, depth } = next;
    const isCollection = Array.isArray(token.items);
    if (isCollection && depth > DEPTH_MAX) return token.offset ?? 0;
    const parts = isCollection ? (token.items as Token[]).flatMap((item) => [item.key, item.value]) : [token.value];
    for (const part of parts)
      if (typeof part === "object" && part !== null)
        waiting.push({ token: part as Token, depth: depth + (isCollection ? 1 : 0) });
  }
  return undefined;
}
