/**
 * Regular expressions that others wrote. One that goes back and forth without end is stopped: by the clock of the machine,
 * as nothing else ends it. What repeats no group, and but one thing, cannot do so, and is spared the cost.
 */
import { createContext, Script } from "node:vm";

const PATTERN_MS_MAX = 100;
/** A busy machine can keep a thread waiting for as long as that: nothing is called endless before a second, longer look. */
const SECOND_LOOK_MS = 500;
/** How many sources are remembered as endless, for which one look is enough. */
const ENDLESS_MAX = 100;
/** A pattern sees at most this much of a value. */
const PATTERN_INPUT_MAX = 1000;

export class PatternTooSlow extends Error {
  constructor(source: string) {
    super(`the regular expression ${source} takes too long: more than ${SECOND_LOOK_MS} ms`);
  }
}

const room = createContext({ pattern: /$/, input: "" });
const script = new Script("pattern.test(input)");
const endless = new Set<string>();

/** Whether the beginning of `text` fits. @throws PatternTooSlow */
export function fits(pattern: RegExp, text: string, max: number = PATTERN_INPUT_MAX): boolean {
  const input = text.slice(0, max);
  if (isPlain(pattern.source)) return pattern.test(input);
  const looks = endless.has(pattern.source) ? [PATTERN_MS_MAX] : [PATTERN_MS_MAX, SECOND_LOOK_MS];
  for (const timeout of looks) {
    const answer = look(pattern, input, timeout);
    if (answer !== undefined) return answer;
  }
  if (endless.size >= ENDLESS_MAX) endless.clear();
  endless.add(pattern.source);
  throw new PatternTooSlow(pattern.source);
}

/** Undefined when it took longer than `timeout` milliseconds. */
function look(pattern: RegExp, input: string, timeout: number): boolean | undefined {
  Object.assign(room, { pattern, input });
  try {
    return script.runInContext(room, { timeout }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}

function isPlain(source: string): boolean {
  return !/\)[+*{]/.test(source) && (source.match(/[+*]|\{\d+,/g)?.length ?? 0) < 2;
}
