/**
 * Regular expressions that others wrote. One that goes back and forth without end is stopped: by the clock of the machine,
 * as nothing else ends it. What repeats no group, and but one thing, cannot do so, and is spared the cost.
 */
import { createContext, Script } from "node:vm";

const PATTERN_MS_MAX = 100;
/** A pattern sees at most this much of a value. */
const PATTERN_INPUT_MAX = 1000;

export class PatternTooSlow extends Error {
  constructor(source: string) {
    super(`the regular expression ${source} takes too long: more than ${PATTERN_MS_MAX} ms`);
  }
}

const room = createContext({ pattern: /$/, input: "" });
const script = new Script("pattern.test(input)");

/** Whether the beginning of `text` fits. @throws PatternTooSlow */
export function fits(pattern: RegExp, text: string, max: number = PATTERN_INPUT_MAX): boolean {
  const input = text.slice(0, max);
  if (isPlain(pattern.source)) return pattern.test(input);
  Object.assign(room, { pattern, input });
  try {
    return script.runInContext(room, { timeout: PATTERN_MS_MAX }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new PatternTooSlow(pattern.source);
    throw error;
  }
}

function isPlain(source: string): boolean {
  return !/\)[+*{]/.test(source) && (source.match(/[+*]|\{\d+,/g)?.length ?? 0) < 2;
}
