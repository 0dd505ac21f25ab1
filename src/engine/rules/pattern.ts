/** Regular expressions of rules, searches and expectations: JavaScript's own, with the flag `u`. */

export const PATTERN_LENGTH_MAX = 500;

/** @param source one that `patternProblem` accepts */
export function compilePattern(source: string, { whole = false, dotAll = false } = {}): RegExp {
  return new RegExp(whole ? `^(?:${source})$` : source, dotAll ? "us" : "u");
}

export function patternProblem(source: string): string | undefined {
  if (source.length > PATTERN_LENGTH_MAX)
    return `The regular expression has ${source.length} characters. At most ${PATTERN_LENGTH_MAX} are allowed: ${shown(source)}`;
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    const [, reason = "it cannot be read"] = /: ([^:]*)$/.exec((error as Error).message) ?? [];
    return `The regular expression ${shown(source)} is invalid: ${reason}. Patterns are JavaScript's, with the flag u.`;
  }
}

const SHOWN_MAX = 80;

function shown(source: string): string {
  return JSON.stringify(source.length > SHOWN_MAX ? `${source.slice(0, SHOWN_MAX)}…` : source);
}
