import { nearest } from "../../engine/core/text.ts";
import type { Path } from "../../engine/scenario/parse.ts";

/** A mistake of a file that reads well. */
export interface Finding {
  path: Path;
  message: string;
  /** False: a client, or another file of the run, may still supply what the file names. */
  isCertain: boolean;
}

/** A written scenario, before its schema fills in defaults. */
export type Written = Readonly<Record<string, unknown>>;

export function listOf(written: unknown, name: string): readonly Written[] {
  const list = memberOf(written, name);
  return Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
}

export function memberOf(written: unknown, name: string): unknown {
  return typeof written === "object" && written !== null && Object.hasOwn(written, name) ? (written as Written)[name] : undefined;
}

/** The texts that a written matcher wants, with the path of each inside the matcher. Other matchers give none. */
export function wantedTexts(matcher: unknown): (readonly [path: Path, text: string])[] {
  if (typeof matcher === "string") return [[[], matcher]];
  const { eq, in: list } = (typeof matcher === "object" && matcher !== null ? matcher : {}) as { eq?: unknown; in?: unknown };
  const texts: [Path, unknown][] = [[["eq"], eq]];
  if (Array.isArray(list)) for (const [i, one] of list.entries()) texts.push([["in", i], one]);
  return texts.flatMap(([path, text]) => (typeof text === "string" ? [[path, text] as const] : []));
}

/**
 * Returns the name that `text` probably means: few letters differ, or change places. Names that differ in a number, or in one letter
 * that is a word, mean different things.
 */
export function slipOf(text: string, names: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(text.length / 4));
  const near = nearest(text, names, Math.max(2, limit));
  if (near === undefined || isNumbered(text, near)) return undefined;
  const isNear = nearest(text, [near], limit) !== undefined && Math.abs(near.length - text.length) <= limit;
  return isNear || lettersOf(near) === lettersOf(text) ? near : undefined;
}

function lettersOf(text: string): string {
  return [...text.toLowerCase()].sort().join("");
}

function isNumbered(one: string, other: string): boolean {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+|[0-9]+|[^a-z0-9\s]+/g) ?? [];
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const differing = (from: readonly string[], than: readonly string[]) => from.filter((word, i) => word !== than[i]);
  const changed = [...differing(words, others), ...differing(others, words)];
  return changed.length > 0 && changed.every((word) => word.length === 1 || /^[0-9]+$/.test(word));
}
