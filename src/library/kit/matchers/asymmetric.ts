/** Reads the asymmetric matchers of test runners, such as `expect.any(String)`. */
import { createRequire } from "node:module";
import { inspect } from "node:util";
import type { Asymmetric } from "./types.ts";

export interface AsymmetricMatcher {
  accepts(actual: unknown): boolean;
  /** The matcher as its runner writes it. `write` writes a sample inside the matcher. */
  text(write: (value: unknown) => string): string;
}

export function asymmetricOf(value: unknown): AsymmetricMatcher | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (hasMatch(value))
    return { accepts: (actual) => value.asymmetricMatch(actual) === true, text: (write) => textOf(value, write) };
  return isOfBun(value) ? ofBun(value) : undefined;
}

function hasMatch(value: object): value is Asymmetric {
  return typeof (value as Partial<Asymmetric>).asymmetricMatch === "function";
}

/** The runners agree on `sample`, and on `toAsymmetricMatcher` or `toString`, all undocumented. */
function textOf(value: Asymmetric, write: (value: unknown) => string): string {
  const { sample, toAsymmetricMatcher } = value as { sample?: unknown; toAsymmetricMatcher?: () => string };
  const short = toAsymmetricMatcher?.call(value);
  if (short !== undefined) return short;
  const name = String(value);
  if (sample === undefined) return name;
  return `${name}(${typeof sample === "function" ? sample.name : write(sample)})`;
}

/** Bun's matchers have no members. Only Bun's `expect` can compare with them, and only their tag tells them from an empty object. */
function isOfBun(value: object): boolean {
  return process.versions.bun !== undefined && /^\[object Expect/.test(Object.prototype.toString.call(value));
}

function ofBun(value: object): AsymmetricMatcher {
  const { expect } = createRequire(import.meta.url)("bun:test") as {
    expect(actual: unknown): { toEqual(wanted: unknown): void };
  };
  const { Bun } = globalThis as { Bun?: { inspect(value: unknown): string } };
  return {
    accepts(actual) {
      try {
        expect(actual).toEqual(value);
        return true;
      } catch {
        return false;
      }
    },
    text: () => (Bun?.inspect ?? inspect)(value).replaceAll(/\s+/g, " "),
  };
}
