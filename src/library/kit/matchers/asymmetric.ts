/** Reads the asymmetric matchers of test runners, such as `expect.any(String)`. */
import { SettingsError } from "../../errors.ts";
import type { Asymmetric } from "./types.ts";

export interface AsymmetricMatcher {
  accepts(actual: unknown): boolean;
  /** The matcher as its runner writes it. `write` writes a sample inside the matcher. */
  text(write: (value: unknown) => string): string;
}

export function asymmetricOf(value: unknown): AsymmetricMatcher | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  // Bun's matchers hold nothing that others can read, and an empty object would match every object.
  if (/^\[object Expect/.test(Object.prototype.toString.call(value)))
    throw new SettingsError("docdouble cannot read a matcher of Bun, such as expect.any(String): give the value itself");
  if (!hasMatch(value)) return undefined;
  return { accepts: (actual) => value.asymmetricMatch(actual) === true, text: (write) => textOf(value, write) };
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
