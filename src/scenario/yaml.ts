/** From text to plain values, whatever the text is: broken, nested without end, or full of aliases. */
import { createRequire } from "node:module";
import type { Document } from "yaml";
import { colonsOf } from "../core/text.ts";
import { type Mistake, ScenarioError } from "./error.ts";

type Yaml = typeof import("yaml");

let loaded: Yaml | undefined;

/** The library, loaded with the first file that is read: a seventh of the code that a server without any would start with. */
export function theYaml(): Yaml {
  // build.mjs puts the file that it ships in the place of this name.
  loaded ??= createRequire(import.meta.url)("yaml") as Yaml;
  return loaded;
}

/** Deeper than any file of ours; much deeper a parser runs out of stack. */
const DEPTH_MAX = 50;
/** How much aliases may multiply. */
const ALIASES_MAX = 100;

export interface Read {
  document: Document;
  raw: unknown;
  /** The mistake at an offset of the text. */
  place(offset: number, message: string): Mistake;
}

/**
 * Reads YAML, or JSON, which is YAML too; `<<` merges. JSON in which nothing is wrong is read as such, which takes a hundredth
 * of the time; where its parts stand is found out when somebody asks. @throws ScenarioError
 */
export function readText(text: string, file: string): Read {
  const raw = plainJson(text);
  if (raw === undefined) return readYaml(text, file);
  let whole: Read | undefined;
  const read = () => {
    whole ??= readYaml(text, file);
    return whole;
  };
  return {
    get document() {
      return read().document;
    },
    raw,
    place: (offset, message) => read().place(offset, message),
  };
}

/** The value of a text that is JSON and means the same in YAML: not nested too deep, and no name twice in one map. */
function plainJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text) || text.includes("__proto__")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // A name that comes twice is one member of the value, and two colons of the text.
  return membersOf(value, 0) === colonsOf(text) ? value : undefined;
}

/** How many members the maps within have; not a number where it is too deep. */
function membersOf(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth >= DEPTH_MAX) return Number.NaN;
  const inner = Object.values(value);
  let members = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) members += membersOf(one, depth + 1);
  return members;
}

function readYaml(text: string, file: string): Read {
  const { Composer, LineCounter, Parser, visit } = theYaml();
  const lines = new LineCounter();
  const place = (offset: number, message: string): Mistake => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, message };
  };
  // Both looks at the text share one reading of it, which is most of the work.
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = deepest(tokens);
  if (tooDeep !== undefined) throw new ScenarioError([place(tooDeep, `nested deeper than ${DEPTH_MAX} levels`)]);
  const composer = new Composer({ prettyErrors: false, uniqueKeys: true, merge: true });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (!document) throw new ScenarioError([place(0, "a file must be a map of names; it is empty")]);
  const broken = document.errors.map((error) => place(error.pos[0], error.message));
  if (second) broken.push(place(second.range[0], "one file is one document"));
  const circular: Mistake[] = [];
  let firstAlias: number | undefined;
  if (broken.length === 0)
    visit(document, {
      Alias(_, alias, path) {
        const offset = alias.range?.[0] ?? 0;
        firstAlias ??= offset;
        const meant = alias.resolve(document);
        if (!meant) circular.push(place(offset, `there is no &${alias.source} before *${alias.source}`));
        else if (path.some((node) => node === meant))
          circular.push(place(offset, `*${alias.source} stands inside of what it stands for`));
      },
    });
  if (broken.length + circular.length > 0) throw new ScenarioError([...broken, ...circular]);
  try {
    return { document: document as unknown as Document, raw: document.toJS({ maxAliasCount: ALIASES_MAX }), place };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new ScenarioError([place(firstAlias ?? 0, `aliases repeat too much: ${error.message}`)]);
  }
}

interface Token {
  offset?: number;
  value?: unknown;
  key?: unknown;
  items?: unknown;
}

/** Where the text nests too deep, found without going deep itself. */
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
