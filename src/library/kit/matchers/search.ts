/** The one matcher behind all matchers: it counts the rows that meet conditions, and names the nearest miss. */
import { AssertionError } from "node:assert";
import { boundsOf, type CountLimits, judgeCount, limitWords } from "../../../engine/core/count-limits.ts";
import { ApiError } from "../../../engine/core/errors.ts";
import { own } from "../../../engine/core/maps.ts";
import { noSuch } from "../../../engine/core/text.ts";
import { isObject, type Miss, misses, show, testOf } from "./compare.ts";
import type { Times, Verdict } from "./types.ts";

/** What a condition takes beside a pattern, a function and an asymmetric matcher: a kind of value, or one of some words. */
type Takes = keyof typeof IS_KIND | readonly string[];

/** The value of a row that a condition is about. `compare` replaces the usual comparison. */
type Condition<Row> = readonly [
  takes: Takes,
  of: (row: Row) => unknown,
  compare?: (wanted: unknown, actual: never, path: string) => Miss[],
];

/** A table of what one matcher takes. */
export type Conditions<Row> = Readonly<Record<string, Condition<Row>>>;

interface Search<Row> {
  noun: readonly [one: string, many: string];
  /** The words behind the noun. */
  wanted: string;
  rows: readonly Row[];
  conditions: Conditions<Row>;
  expected: object;
  /** Conditions that stand in no table. */
  alsoMisses?: (row: Row) => Miss[];
  describe(row: Row): string;
  none: string;
  hint?: () => string | undefined;
  /** Why the rows may lack some. */
  dropped?: string | undefined;
}

const IS_KIND = {
  "a text": (value: unknown) => typeof value === "string",
  "a number": (value: unknown) => typeof value === "number",
  "true or false": (value: unknown) => typeof value === "boolean",
  "a list": (value: unknown) => Array.isArray(value),
  "a map": (value: unknown) => isObject(value) && !Array.isArray(value),
  "a text or null": (value: unknown) => typeof value === "string" || value === null,
  anything: () => true,
} as const;

const TIMES: readonly string[] = ["times", "atLeast", "atMost"];
const OTHERS_MAX = 8;

type Judged<Row> = readonly { row: Row; misses: readonly Miss[] }[];

/** @throws AssertionError when neither the claim nor its opposite is proved, so that a matcher fails also after `not` */
export function search<Row>({ noun, wanted, rows, conditions, expected, alsoMisses, dropped, ...words }: Search<Row>): Verdict {
  const chosen = requireConditions(expected, conditions);
  const limits = limitsIn(expected);
  const judged: Judged<Row> = rows.map((row) => ({
    row,
    misses: [
      ...(alsoMisses?.(row) ?? []),
      ...chosen.flatMap(([name, value, [, of, compare = usual]]) => compare(value, of(row) as never, name)),
    ],
  }));
  const found = judged.filter((one) => one.misses.length === 0);
  const proof = judgeCount(found.length, limits, dropped === undefined);
  const { times, at_least, at_most } = limits;
  const claim = `${limitWords(limits)} ${(at_most ?? at_least ?? times ?? 1) === 1 ? noun[0] : noun[1]} ${wanted}`;
  if (proof === "unproven") throw new AssertionError({ message: `expected ${claim}, found ${found.length}, and ${dropped}` });
  const list = (title: string, all: Judged<Row>) =>
    all.length === 0 ? "" : `\n${title}:\n${some(all.map(({ row }) => `  ${words.describe(row)}`))}`;
  const listed = () => list(`The ${found.length === 1 ? noun[0] : noun[1]} found`, found);
  const nearest = () => {
    const near = nearestOf(judged);
    if (!near) return "";
    const lines = near.misses.map((miss) => `  ${miss.path}: expected ${show(miss.expected)}, was ${show(miss.actual)}`);
    const others = judged.filter((one) => one !== near);
    return `\nThe nearest ${noun[0]} was ${words.describe(near.row)}:\n${lines.join("\n")}${list(`Other ${noun[1]}`, others)}`;
  };
  return {
    pass: proof === "met",
    message() {
      if (proof === "met") return `expected not to find ${claim}, found ${found.length}${listed()}`;
      const start = `expected ${claim}, found ${found.length} among ${rows.length}`;
      if (rows.length === 0) return `${start}: ${words.none}`;
      const isMore = found.length > boundsOf(limits).most;
      const hint = words.hint?.();
      return `${start}${isMore ? listed() : nearest()}${hint === undefined ? "" : `\n${hint}`}`;
    },
  };
}

const usual = (wanted: unknown, actual: unknown, path: string) => misses(path, wanted, actual);

/** The latest of equally near rows counts, because tests ask about recent calls. */
function nearestOf<Row>(judged: Judged<Row>): Judged<Row>[number] | undefined {
  const wrong = judged.filter((one) => one.misses.length > 0);
  const least = Math.min(...wrong.map((one) => one.misses.length));
  return wrong.findLast((one) => one.misses.length === least);
}

function some(lines: readonly string[]): string {
  const more = lines.length - OTHERS_MAX;
  return [...lines.slice(0, OTHERS_MAX), ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
}

/** An invalid count would never fail a test. @throws TypeError */
function limitsIn({ times, atLeast, atMost }: Times): CountLimits {
  for (const [name, value] of Object.entries({ times, atLeast, atMost }))
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      throw new TypeError(`${name} is a whole number from 0 on, not ${show(value)}`);
  return { times, at_least: atLeast, at_most: atMost };
}

/** A value of the wrong kind and a misspelled word never match, so a test for their absence proves nothing. @throws TypeError */
export function requireConditions<Row>(expected: unknown, conditions: Conditions<Row>): [string, unknown, Condition<Row>][] {
  if (!isObject(expected) || Array.isArray(expected))
    throw new TypeError(`the conditions are an object such as { times: 1 }, not ${show(expected)}`);
  return Object.entries(expected).flatMap(([name, value]): [string, unknown, Condition<Row>][] => {
    const condition = own(conditions, name);
    if (!condition) requireOneOf(name, [...Object.keys(conditions), ...TIMES], "condition");
    if (!condition || value === undefined) return [];
    const [takes] = condition;
    if (testOf(value)) return [[name, value, condition]];
    if (typeof takes === "object") requireOneOf(value, takes, name);
    else if (!IS_KIND[takes](value)) throw new TypeError(`${name} is ${takes}, not ${show(value)}`);
    return [[name, value, condition]];
  });
}

/** An unknown name never matches, so a test for its absence proves nothing. @throws TypeError */
export function requireOneOf(name: unknown, names: readonly string[], what: string): void {
  if (!names.includes(name as string)) throw new TypeError(noSuch(what, String(name), names));
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
