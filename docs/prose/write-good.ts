/** Calls write-good, which has no types. */
import { createRequire } from "node:module";

type Check = "passive" | "weasel" | "so" | "thereIs" | "tooWordy" | "cliches" | "illusion" | "adverb";
type Suggestion = { index: number; offset: number; reason: string };
const NONE: Record<Check, boolean> = {
  passive: false,
  weasel: false,
  so: false,
  thereIs: false,
  tooWordy: false,
  cliches: false,
  illusion: false,
  adverb: false,
};

const writeGood = createRequire(import.meta.url)("write-good") as (
  text: string,
  options: Partial<Record<Check, boolean>>,
) => Suggestion[];

/** The parts of a text that one check of write-good finds. */
export function suggestions(text: string, check: Check): string[] {
  return writeGood(text, { ...NONE, [check]: true }).map(({ index, offset }) => text.slice(index, index + offset));
}
