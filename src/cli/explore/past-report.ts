import { readRegularFile } from "../../engine/core/regular-file.ts";
import * as z from "zod";
import { lazy } from "../../engine/core/operation.ts";
import { parseLeniently } from "../../engine/core/text.ts";
import { SettingsError } from "../../library/errors.ts";
import type { PastBreak } from "../../tools/explore/report-changes.ts";

const pastReport = lazy(() =>
  z.object({
    version: z.literal(1),
    breaks: z.array(
      z.object({
        name: z.string(),
        symptom: z.string(),
        faults: z.array(z.object({ fault: z.string(), operation: z.string(), nth: z.number() })),
      }),
    ),
  }),
);

/** @throws SettingsError */
export function readPastBreaks(file: string): readonly PastBreak[] {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    throw new SettingsError(
      `Cannot compare with ${file}: ${(error as NodeJS.ErrnoException).code}. Name a report that --report FILE.json wrote.`,
    );
  }
  const { success, data } = pastReport().safeParse(parseLeniently(text));
  if (!success)
    throw new SettingsError(
      `Cannot compare with ${file}: it is not a report of explore. Name a report that --report FILE.json wrote.`,
    );
  return data.breaks;
}
