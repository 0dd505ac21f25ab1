import { AssertionError } from "node:assert";
import { boundsOf, type CountLimits, judgeCount, limitWords } from "../../../engine/core/count-limits.ts";
import { ApiError } from "../../../engine/core/errors.ts";
import { noSuch } from "../../../engine/core/text.ts";
import { isObject, type Miss, show, testOf } from "./compare.ts";
import type { Times, Verdict } from "./types.ts";

export interface Search<T> {
  limits: Times;
  noun: readonly [one: string, many: string];
  wanted: string;
  candidates: readonly T[];
  misses(one: T): Miss[];
  describe(one: T): string;
  none: string;
  hint?(): string | undefined;
  /** Why the candidates may lack some. */
  dropped?: string | undefined;
}

const OTHERS_MAX = 8;

/** @throws AssertionError when neither the claim nor its opposite is proved, so that a matcher fails also after `not` */
export function verdictOf<T>(search: Search<T>): Verdict {
  const { noun, wanted, candidates } = search;
  const limits = checkedLimits(search.limits);
  const judged = candidates.map((one) => ({ one, misses: search.misses(one) }));
  const found = judged.filter((one) => one.misses.length === 0);
  const count = found.length;
  const proof = judgeCount(count, limits, search.dropped === undefined);
  const pass = proof === "met";
  const claim = `${limitWords(limits)} ${isOne(limits) ? noun[0] : noun[1]} ${wanted}`;
  if (proof === "unproven") throw new AssertionError({ message: `expected ${claim}, found ${count}, and ${search.dropped}` });
  return {
    pass,
    message() {
      if (pass) return `expected not to find ${claim}, found ${count}${listed(search, found)}`;
      const start = `expected ${claim}, found ${count} among ${candidates.length}`;
      if (candidates.length === 0) return `${start}: ${search.none}`;
      const isMore = count > 0 && count > boundsOf(limits).most;
      const hint = search.hint?.();
      return `${start}${isMore ? listed(search, found) : nearestMiss(search, judged)}${hint === undefined ? "" : `\n${hint}`}`;
    },
  };
}

type Judged<T> = readonly { one: T; misses: readonly Miss[] }[];

function listed<T>({ describe, noun }: Search<T>, found: Judged<T>): string {
  if (found.length === 0) return "";
  return `\nThe ${found.length === 1 ? noun[0] : noun[1]} found:\n${some(found.map(({ one }) => `  ${describe(one)}`))}`;
}

/** The latest of equally near candidates counts, because tests ask about recent calls. */
function nearestMiss<T>({ describe, noun }: Search<T>, judged: Judged<T>): string {
  const wrong = judged.filter((one) => one.misses.length > 0);
  const near = wrong.reduce<(typeof wrong)[number] | undefined>(
    (best, one) => (best === undefined || one.misses.length <= best.misses.length ? one : best),
    undefined,
  );
  if (!near) return "";
  const lines = near.misses.map(({ path, expected, actual }) => `  ${path}: expected ${show(expected)}, was ${show(actual)}`);
  const others = judged.filter((one) => one !== near);
  const rest = others.length === 0 ? "" : `\nOther ${noun[1]}:\n${some(others.map(({ one }) => `  ${describe(one)}`))}`;
  return `\nThe nearest ${noun[0]} was ${describe(near.one)}:\n${lines.join("\n")}${rest}`;
}

function some(lines: readonly string[]): string {
  const more = lines.length - OTHERS_MAX;
  return [...lines.slice(0, OTHERS_MAX), ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
}

function isOne({ times, at_least, at_most }: CountLimits): boolean {
  return (at_most ?? at_least ?? times ?? 1) === 1;
}

/** An invalid count would never fail a test. @throws TypeError */
function checkedLimits({ times, atLeast, atMost }: Times): CountLimits {
  for (const [name, value] of Object.entries({ times, atLeast, atMost }))
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      throw new TypeError(`${name} is a whole number from 0 on, not ${show(value)}`);
  return { times, at_least: atLeast, at_most: atMost };
}

export function underName<Args extends unknown[]>(name: string, judge: (...args: Args) => Verdict): (...args: Args) => Verdict {
  return (...args) => {
    try {
      return judge(...args);
    } catch (error) {
      if (error instanceof TypeError || error instanceof ApiError) throw new TypeError(`${name}: ${error.message}`);
      throw error;
    }
  };
}

export const TIMES = ["times", "atLeast", "atMost"] as const;

/** An unknown name never matches, so a test for its absence proves nothing. @throws TypeError */
export function requireOneOf(name: unknown, names: readonly string[], what: string): void {
  if (!names.includes(name as string)) throw new TypeError(noSuch(what, String(name), names));
}

/** What a condition takes beside a pattern, a function and an asymmetric matcher. */
export type Kind =
  | "a text"
  | "a number"
  | "true or false"
  | "a list"
  | "a map"
  | "a list or a map"
  | "a text or null"
  | "anything";

const IS_KIND: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  "a text": (value) => typeof value === "string",
  "a number": (value) => typeof value === "number",
  "true or false": (value) => typeof value === "boolean",
  "a list": Array.isArray,
  "a map": (value) => isObject(value) && !Array.isArray(value),
  "a list or a map": isObject,
  "a text or null": (value) => typeof value === "string" || value === null,
  anything: () => true,
};

/** A value of the wrong kind never matches, so a test for its absence proves nothing. @throws TypeError */
export function requireConditions(expected: unknown, kinds: Readonly<Record<string, Kind>>): void {
  if (!isObject(expected) || Array.isArray(expected))
    throw new TypeError(`the conditions are an object such as { times: 1 }, not ${show(expected)}`);
  for (const [name, value] of Object.entries(expected)) {
    requireOneOf(name, [...Object.keys(kinds), ...TIMES], "condition");
    const kind = kinds[name];
    if (kind !== undefined && value !== undefined && !testOf(value) && !IS_KIND[kind](value))
      throw new TypeError(`${name} is ${kind}, not ${show(value)}`);
  }
}

/** A misspelled word never matches. Asymmetric matchers and patterns may be anything. @throws TypeError */
export function requireWord(value: unknown, words: readonly string[], what: string): void {
  if (value !== undefined && !testOf(value)) requireOneOf(value, words, what);
}
