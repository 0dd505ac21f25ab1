/**
 * Regular expressions from callers and files. RE2 matches in linear time, so no pattern can block the server. Literals with anchors, or
 * with `.*` at their ends, use string functions.
 */
import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

type Engine = typeof import("re2js").RE2JS;

let loaded: Engine | undefined;

function loadEngine(): Engine {
  // build.mjs replaces this module name by the shipped file.
  loaded ??= (createRequire(import.meta.url)("re2js") as typeof import("re2js")).RE2JS;
  return loaded;
}

export const PATTERN_LENGTH_MAX = 500;
/** The highest repeat count, after multiplying nested repeats. RE2 has the same limit. */
const REPEAT_MAX = 1000;
const GROUP_REPEAT_MAX = 20_000;
/** The most instructions of a compiled pattern. Each character costs at most one step per instruction. */
const PROGRAM_MAX = 3000;

export class PatternError extends Error {}

export class PatternWorkError extends Error {}

export interface Pattern {
  test(text: string): boolean;
}

export interface PatternOptions {
  whole?: boolean;
  dotAll?: boolean;
  /** Limits the steps for all tests of this pattern: characters times instructions. Default: unlimited. */
  work_max?: number;
}

/** The number of characters of a value that a rule's pattern reads. */
export const RULE_TEXT_MAX = 4096;
/** The most steps of one search through the journal, which take about a second. */
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

function plainPattern(source: string, isWhole: boolean, dotAll: boolean): Pattern | undefined {
  if (source.length > PATTERN_LENGTH_MAX) return undefined;
  const found = (isWhole ? WHOLE_LITERAL : ANCHORED_LITERAL).exec(source);
  if (!found) return undefined;
  const literal = (found[2] as string).replace(/\\(.)/gs, "$1");
  const [isStart, isEnd] = [1, 3].map((part) => (found[part] === undefined) === isWhole);
  if (isStart && isEnd) return { test: (text) => text === literal };
  const fits = (text: string) => (isStart ? text.startsWith(literal) : isEnd ? text.endsWith(literal) : text.includes(literal));
  if (!isWhole || dotAll) return { test: fits };
  // `.` does not match a line break.
  return { test: (text) => (text.includes("\n") ? automaton(source, dotAll).test(text, true) : fits(text)) };
}

const CACHE_MAX = 1000;
const cache = new Map<string, Automaton>();

function automaton(source: string, dotAll: boolean): Automaton {
  const key = `${dotAll}${source}`;
  let cached = cache.get(key);
  if (!cached) {
    cached = new Automaton(source, dotAll);
    const [oldest] = cache.size >= CACHE_MAX ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(key, cached);
  }
  return cached;
}

const STATES_BYTES_MAX = 256 * 1024 * 1024;
const STATES_BYTES_EACH = 8 * 1024 * 1024;
let statesBytes = 0;

class Automaton {
  readonly size: number;
  readonly #source: string;
  readonly #dotAll: boolean;
  #compiled: RE2JS | undefined;
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
    const engine = loadEngine();
    try {
      return engine.compile(engine.translateRegExp(this.#source), this.#dotAll ? engine.DOTALL : 0);
    } catch (error) {
      throw new PatternError(explained(this.#source, error as Error));
    }
  }
}

function dropStates(): void {
  for (const automaton of cache.values()) automaton.dropStates();
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
    const repeatMax = isGroup ? Math.min(REPEAT_MAX, Math.floor(GROUP_REPEAT_MAX / source.length)) : REPEAT_MAX;
    throw new PatternError(
      `The regular expression ${shown(source)} repeats too often at character ${index + 1} (${repeat}). Here at most ${repeatMax} repeats are allowed.`,
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

/** Refuses lookaround, backreferences and other features that need more than linear time. @throws PatternError with the place */
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
