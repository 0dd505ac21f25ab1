/**
 * Regular expressions that callers and files bring. RE2 matches them in time linear in the text, so none can hang the server.
 * Literals, prefixes and suffixes need no engine: string functions match them.
 */
import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

type Engine = typeof import("re2js").RE2JS;

let loaded: Engine | undefined;

/** The engine, loaded on first use: most servers never see a regular expression. */
function theEngine(): Engine {
  // build.mjs puts the file that it ships in the place of this name.
  loaded ??= (createRequire(import.meta.url)("re2js") as typeof import("re2js")).RE2JS;
  return loaded;
}

/** Longest source of a pattern, in characters. */
export const PATTERN_LENGTH_MAX = 500;
/** Highest repeat count, also of repeats within repeats. RE2 has the same bound. */
const REPEAT_MAX = 1000;
/** Source length times the repeat count of a group: beyond it compiling alone takes long. */
const GROUP_REPEAT_MAX = 20_000;
/** Most instructions of a compiled pattern. Each character of a text costs at most one step per instruction. */
const PROGRAM_MAX = 3000;

/** A pattern that cannot be used. The message names the pattern, the place and the reason. */
export class PatternError extends Error {}

/** A search that would take too long. */
export class PatternWorkError extends Error {}

export interface Pattern {
  /** Whether the text fits. @throws PatternWorkError when all tests of this pattern together took too many steps */
  test(text: string): boolean;
}

export interface PatternOptions {
  /** The whole text must fit, not a part of it. */
  whole?: boolean;
  /** `.` also stands for a line break. */
  dotAll?: boolean;
  /** Steps that all tests of this pattern may take: characters times instructions. Default: unbounded. */
  work_max?: number;
}

/** Characters of a value that the pattern of a rule sees. */
export const RULE_TEXT_MAX = 4096;
/** Steps of one search through the journal: about a second. */
export const SEARCH_WORK_MAX = 1_000_000_000;

/** @throws PatternError */
export function compilePattern(source: string, options: PatternOptions = {}): Pattern {
  const { whole = false, dotAll = false, work_max = Number.POSITIVE_INFINITY } = options;
  const plain = plainPattern(source, whole, dotAll);
  if (plain) return plain;
  const { size } = automaton(source, dotAll);
  let left = work_max;
  return {
    test(text) {
      left -= text.length * size;
      if (left < 0)
        throw new PatternWorkError(`Searching with the regular expression ${shown(source)} takes too long. Narrow the search.`);
      return automaton(source, dotAll).test(text, whole);
    },
  };
}

/** What is wrong with a pattern; undefined when it can be used. */
export function patternProblem(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

const ANCHORED_LITERAL = /^(\^)?((?:[^\\^$.*+?()[\]{}|]|\\[^\w\s])*)(\$)?$/;
const WHOLE_LITERAL = /^\^?(\.\*)?((?:[^\\^$.*+?()[\]{}|]|\\[^\w\s])*)(\.\*)?\$?$/;

/** The test of a literal with anchors, or with `.*` at its ends; undefined for all other patterns. */
function plainPattern(source: string, isWhole: boolean, dotAll: boolean): Pattern | undefined {
  if (source.length > PATTERN_LENGTH_MAX) return undefined;
  const found = (isWhole ? WHOLE_LITERAL : ANCHORED_LITERAL).exec(source);
  if (!found) return undefined;
  const literal = (found[2] as string).replace(/\\(.)/gs, "$1");
  const [isStart, isEnd] = [1, 3].map((part) => (found[part] === undefined) === isWhole);
  if (isStart && isEnd) return { test: (text) => text === literal };
  const fits = (text: string) => (isStart ? text.startsWith(literal) : isEnd ? text.endsWith(literal) : text.includes(literal));
  if (!isWhole || dotAll) return { test: fits };
  // `.` does not stand for a line break.
  return { test: (text) => (text.includes("\n") ? automaton(source, dotAll).test(text, true) : fits(text)) };
}

/** Compiled patterns kept, the least recently compiled first. */
const KEPT_MAX = 1000;
const kept = new Map<string, Automaton>();

function automaton(source: string, dotAll: boolean): Automaton {
  const key = `${dotAll}${source}`;
  let known = kept.get(key);
  if (!known) {
    known = new Automaton(source, dotAll);
    const [oldest] = kept.size >= KEPT_MAX ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(key, known);
  }
  return known;
}

/** What the states of all kept patterns may take together, in bytes. */
const STATES_BYTES_MAX = 256 * 1024 * 1024;
/** RE2 itself drops the states of one pattern beyond this many bytes. */
const STATES_BYTES_EACH = 8 * 1024 * 1024;
let statesBytes = 0;

/** A compiled pattern. Its states are made as texts need them, and dropped when all patterns together hold too many. */
class Automaton {
  readonly size: number;
  readonly #source: string;
  readonly #dotAll: boolean;
  #compiled: RE2JS | undefined;
  /** An upper bound of what its states take. */
  #bytes = 0;

  constructor(source: string, dotAll: boolean) {
    this.#source = source;
    this.#dotAll = dotAll;
    refuseOversized(source);
    refuseUnsupported(source);
    this.#compiled = this.#compile();
    this.size = this.#compiled.programSize();
    if (this.size > PROGRAM_MAX)
      throw new PatternError(`The regular expression ${shown(source)} is too large: write shorter repeats or fewer classes.`);
  }

  test(text: string, isWhole: boolean): boolean {
    const before = this.#bytes;
    this.#bytes = Math.min(STATES_BYTES_EACH, before + text.length * (200 + 16 * this.size));
    statesBytes += this.#bytes - before;
    if (statesBytes > STATES_BYTES_MAX) dropStates();
    this.#compiled ??= this.#compile();
    return isWhole ? this.#compiled.testExact(text) : this.#compiled.test(text);
  }

  dropStates(): void {
    this.#compiled = undefined;
    this.#bytes = 0;
  }

  #compile(): RE2JS {
    const engine = theEngine();
    try {
      return engine.compile(engine.translateRegExp(this.#source), this.#dotAll ? engine.DOTALL : 0);
    } catch (error) {
      throw new PatternError(explained(this.#source, error as Error));
    }
  }
}

function dropStates(): void {
  for (const one of kept.values()) one.dropStates();
  statesBytes = 0;
}

function refuseOversized(source: string): void {
  if (source.length > PATTERN_LENGTH_MAX)
    throw new PatternError(
      `The regular expression has ${source.length} characters. At most ${PATTERN_LENGTH_MAX} are allowed: ${shown(source)}`,
    );
  for (const { 0: repeat, 1: from = "", 2: to, index } of source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    const isGroup = source[index - 1] === ")";
    const count = Number(to || from);
    if (count <= REPEAT_MAX && (!isGroup || count * source.length <= GROUP_REPEAT_MAX)) continue;
    const most = isGroup ? Math.min(REPEAT_MAX, Math.floor(GROUP_REPEAT_MAX / source.length)) : REPEAT_MAX;
    throw new PatternError(
      `The regular expression ${shown(source)} repeats too often at character ${index + 1} (${repeat}). Here at most ${most} repeats are allowed.`,
    );
  }
}

const UNSUPPORTED: readonly [beginning: RegExp, name: string][] = [
  [/\(\?=/y, "Look-ahead"],
  [/\(\?!/y, "Negative look-ahead"],
  [/\(\?<=/y, "Look-behind"],
  [/\(\?<!/y, "Negative look-behind"],
  [/\\[1-9]/y, "A back-reference"],
  [/\\k</y, "A back-reference"],
];

/** Names what no linear-time engine can do, with its place. */
function refuseUnsupported(source: string): void {
  let isClass = false;
  for (let at = 0; at < source.length; at++) {
    const letter = source[at];
    if (!isClass)
      for (const [beginning, name] of UNSUPPORTED) {
        beginning.lastIndex = at;
        const [text] = beginning.exec(source) ?? [];
        if (text !== undefined)
          throw new PatternError(
            `${name} is not available at character ${at + 1} (${text}) of the regular expression ${shown(source)}. Patterns have the syntax of RE2.`,
          );
      }
    if (letter === "\\") at++;
    else if (letter === "[") isClass = true;
    else if (letter === "]") isClass = false;
  }
}

/** The engine's message with the place, where it names the part that is wrong. */
function explained(source: string, { message }: Error): string {
  const [, reason = message, part = ""] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(message) ?? [];
  const at = part === "" ? -1 : source.indexOf(part);
  const place = at > 0 || (at === 0 && part.length < source.length) ? ` at character ${at + 1} (${part})` : "";
  return `The regular expression ${shown(source)} is invalid${place}: ${reason}. Patterns have the syntax of RE2.`;
}

const SHOWN_MAX = 80;

function shown(source: string): string {
  return JSON.stringify(source.length > SHOWN_MAX ? `${source.slice(0, SHOWN_MAX)}…` : source);
}
