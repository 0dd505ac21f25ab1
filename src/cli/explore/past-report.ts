import { readRegularFile } from "../../engine/core/regular-file.ts";
import { z } from "../../engine/core/zod-parts.ts";
import { lazy } from "../../engine/core/operation.ts";
import { parseLeniently } from "../../engine/core/text.ts";
import { SettingsError } from "../../library/errors.ts";
import { type ExploreReport, OUTCOMES } from "../../tools/explore/report.ts";

const reportSchema = lazy(() =>
  z.looseObject({
    version: z.literal(1),
    command: z.string().optional(),
    seed: z.string(),
    shard: z.string().optional(),
    runs: z.number(),
    left_out: z.number(),
    not_tried: z.number(),
    ended: z.string(),
    clean: z.looseObject({
      calls: z.array(z.looseObject({ operation: z.string(), nth: z.number() })),
      problem: z.string().nullable(),
    }),
    cells: z.array(z.looseObject({ fault: z.string(), operation: z.string(), nth: z.number(), outcome: z.enum(OUTCOMES) })),
    breaks: z.array(z.looseObject({ name: z.string(), faults: z.array(z.looseObject({})), steps: z.array(z.looseObject({})) })),
    reductions: z.array(z.object({ why: z.string(), count: z.number() })),
    played: z.array(z.looseObject({ scenario: z.string() })),
  }),
);

/** docdouble wrote it, so its stories are as they were. @param verb such as `merge` @throws SettingsError */
export function readReport(file: string, verb: string): ExploreReport {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    throw new SettingsError(
      `Cannot ${verb} ${file}: ${(error as NodeJS.ErrnoException).code}. Name a report that --report FILE.json wrote.`,
    );
  }
  const { success, data } = reportSchema().safeParse(parseLeniently(text));
  if (success) return data as unknown as ExploreReport;
  throw new SettingsError(`Cannot ${verb} ${file}: it is not a report of explore. Name a report that --report FILE.json wrote.`);
}
