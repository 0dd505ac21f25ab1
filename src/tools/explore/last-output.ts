import { parseLeniently } from "../../engine/core/text.ts";

export function lastOutputOf(stdout: string): object | undefined {
  const line = stdout.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return /^[[{]/.test(line) ? (parseLeniently(line) as object | undefined) : undefined;
}

/** In characters. A longer last line says nothing. */
export const LAST_OUTPUT_MAX = 64 * 1024;
