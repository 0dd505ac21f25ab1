export function lastOutputOf(stdout: string): object | undefined {
  const line = stdout.trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (!/^[[{]/.test(line)) return undefined;
  try {
    return JSON.parse(line) as object;
  } catch {
    return undefined;
  }
}

/** In characters. A longer last line says nothing. */
export const LAST_OUTPUT_MAX = 64 * 1024;
