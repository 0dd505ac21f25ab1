/** Reads what a command says about its documents at its end: its last line of output, as JSON. */

export function lastOutputOf(stdout: string): object | undefined {
  const line = stdout.trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (!/^[[{]/.test(line)) return undefined;
  try {
    return JSON.parse(line) as object;
  } catch {
    return undefined;
  }
}

/** Keeps the end of a command's output, in characters. A last line that is longer says nothing. */
export const LAST_OUTPUT_MAX = 64 * 1024;
